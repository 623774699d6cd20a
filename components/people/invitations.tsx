"use client";
/** Links by which new people come in: made here, open until somebody used them or a week has passed. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { InvitationView } from "@/server/contract/access";
import { api, client, sentenceOf } from "../api";
import { useServerNow } from "../live/clock";
import { FormMistake } from "../ui/field";
import { ShownOnce } from "../ui/shown-once";
import { until } from "../ui/time";
import { toast } from "../ui/toast";
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
      <Invite refresh={refresh} />
    </section>
  );
}

function InvitationRow({ invitation, refresh }: { invitation: InvitationView; refresh: () => Promise<void> }) {
  const { nameOf } = usePeople();
  const now = useServerNow();
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
      <span className="cut faint" dir="auto">
        {`by ${nameOf(invitation.invitedBy)} · until ${until(invitation.expiresAt, now)}`}
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

function Invite({ refresh }: { refresh: () => Promise<void> }) {
  const [email, setEmail] = useState("");
  const make = useMutation(
    api.invitations.make.mutationOptions({
      onSuccess: async () => {
        setEmail("");
        await refresh();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate(email.trim() === "" ? {} : { email });
  };
  return (
    <>
      {make.data === undefined ? null : (
        <div className="panel-foot flex-wrap">
          <ShownOnce
            label="Invitation link"
            value={new URL(make.data.path, globalThis.location.origin).href}
            hint="It makes one account, within a week, and is shown only now: send it yourself."
          />
        </div>
      )}
      <form className="panel-foot flex-wrap" onSubmit={submit}>
        <span className="field flex-1">
          <input
            aria-label="Email address of the guest; empty for whoever has the link"
            type="email"
            placeholder="Email, or nobody in particular"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </span>
        <button type="submit" className="btn" disabled={make.isPending}>
          Make an invitation link
        </button>
        {make.error === null ? null : <FormMistake>{sentenceOf(make.error)}</FormMistake>}
      </form>
    </>
  );
}
