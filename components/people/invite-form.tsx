"use client";
/** Makes an invitation's link, for one address or for whoever holds it, and shows it once. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Project } from "@/server/contract/projects";
import { api, sentenceOf } from "../api";
import { useProjects } from "../project/use-projects";
import { FormMistake } from "../ui/field";
import { ShownOnce } from "../ui/shown-once";
import { useOnePress } from "../ui/use-one-press";
import { inSentence } from "../ui/written";

interface InviteFormProps {
  /** Where the link leads; absent: whoever makes it chooses. */
  readonly projectId?: string;
  /** A link was made. */
  readonly made: () => Promise<void>;
}

export function InviteForm({ projectId, made }: InviteFormProps) {
  const [email, setEmail] = useState("");
  const [chosen, setChosen] = useState(NO_PROJECT);
  const owned = useProjects()?.filter(({ role }) => role === "owner") ?? [];
  const leadsTo = projectId ?? owned.find(({ id }) => id === chosen)?.id;
  const make = useMutation(
    api.invitations.make.mutationOptions({
      onSuccess: async () => {
        setEmail("");
        await made();
      },
    }),
  );
  const onePress = useOnePress();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const guest = email.trim() === "" ? {} : { email };
    void onePress(() => make.mutateAsync(leadsTo === undefined ? guest : { ...guest, projectId: leadsTo }));
  };
  return (
    <>
      {make.data === undefined ? null : (
        <div className="panel-foot flex-wrap">
          <ShownOnce
            label="Invitation link"
            value={new URL(make.data.path, globalThis.location.origin).href}
            hint={hintOf(make.data)}
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
        {projectId === undefined ? (
          <Destination owned={owned} chosen={leadsTo ?? NO_PROJECT} choose={setChosen} />
        ) : null}
        <button type="submit" className="btn" disabled={make.isPending}>
          Make an invitation link
        </button>
        {projectId === undefined ? <p className="hint m-0! w-full">{leadsTo === undefined ? ALONE : JOINS}</p> : null}
        {make.error === null ? null : <FormMistake>{sentenceOf(make.error)}</FormMistake>}
      </form>
    </>
  );
}

const NO_PROJECT = "";
const ALONE =
  "The link adds to no project: its guest starts alone, until an owner adds them in a project’s settings. Choose a project that is yours to let them in at once.";
const JOINS = "Its guest becomes a member of the project. Whoever may dispatch may run code as the server’s user.";

interface DestinationProps {
  readonly owned: readonly Project[];
  readonly chosen: string;
  readonly choose: (projectId: string) => void;
}

/** The same choice as a project's settings make: only its owners invite into it. */
function Destination({ owned, chosen, choose }: DestinationProps) {
  return (
    <span className="field">
      <select aria-label="Where the link leads" value={chosen} onChange={(event) => choose(event.target.value)}>
        <option value={NO_PROJECT}>Into no project</option>
        {owned.map(({ id, name }) => (
          <option key={id} value={id}>
            {`Into ${inSentence(name)}`}
          </option>
        ))}
      </select>
    </span>
  );
}

interface MadeLink {
  readonly email: string | null;
  readonly projectId: string | null;
  readonly hasAccount: boolean;
  readonly replaced: boolean;
}

function hintOf({ email, projectId, hasAccount, replaced }: MadeLink): string {
  const use = hasAccount
    ? `${email} has an account here already: the link lets them join with one press,`
    : projectId === null
      ? "It makes one account that is in no project yet,"
      : "It makes one account, or lets somebody who has one join,";
  const before = replaced ? " The link made before for this address is of no use any more." : "";
  return `${use} within a week, and is shown only now: send it yourself.${before}`;
}
