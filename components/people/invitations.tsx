"use client";
/** Links by which new people come in: made here, open until somebody used them or a week has passed. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { InvitationView } from "@/server/contract/access";
import type { Project } from "@/server/contract/projects";
import { api, client, sentenceOf } from "../api";
import { useServerNow } from "../live/clock";
import { useProjects } from "../project/use-projects";
import { until } from "../ui/time";
import { toast } from "../ui/toast";
import { inSentence } from "../ui/written";
import { InviteForm } from "./invite-form";
import { usePeople } from "./use-people";

export function Invitations() {
  const options = api.invitations.list.queryOptions({ input: {} });
  const { data } = useQuery(options);
  const cache = useQueryClient();
  const refresh = () => cache.invalidateQueries({ queryKey: options.queryKey });
  const open = data?.items ?? [];
  return (
    <section className="panel" aria-labelledby="invitations-head">
      <div className="panel-head">
        <h2 id="invitations-head">Invitations</h2>
        <span className="dim">{open.length}</span>
      </div>
      <ul className="rows">
        {open.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} refresh={refresh} />
        ))}
      </ul>
      <InviteForm made={refresh} />
    </section>
  );
}

function InvitationRow({ invitation, refresh }: { invitation: InvitationView; refresh: () => Promise<void> }) {
  const { nameOf } = usePeople();
  const now = useServerNow();
  const projects = useProjects();
  const guest = invitation.email ?? "whoever has the link";
  const takeBack = async () => {
    try {
      await client.invitations.remove({ id: invitation.id });
      await refresh();
    } catch (error) {
      toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
    }
  };
  return (
    <li className="py-1">
      <span className="cut">{guest}</span>
      <span className="cut faint">
        {`${leadsTo(invitation, projects)} · by ${inSentence(nameOf(invitation.invitedBy))} · until ${until(invitation.expiresAt, now)}`}
      </span>
      <button
        type="button"
        className="btn sm ghost end"
        aria-label={`Take back the invitation for ${guest}`}
        onClick={() => void takeBack()}
      >
        Take back
      </button>
    </li>
  );
}

/** A project that is not mine any more has no name here. */
function leadsTo({ projectId }: InvitationView, projects: readonly Project[] | undefined): string {
  if (projectId === null) return "into no project";
  return `into ${inSentence(projects?.find(({ id }) => id === projectId)?.name ?? "a project")}`;
}
