"use client";
/** Makes an invitation's link, for one address or for whoever holds it, and shows it once. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, sentenceOf } from "../api";
import { FormMistake } from "../ui/field";
import { ShownOnce } from "../ui/shown-once";

interface InviteFormProps {
  /** Absent: into the installation alone. */
  readonly projectId?: string;
  /** A link was made. */
  readonly made: () => Promise<void>;
}

export function InviteForm({ projectId, made }: InviteFormProps) {
  const [email, setEmail] = useState("");
  const make = useMutation(
    api.invitations.make.mutationOptions({
      onSuccess: async () => {
        setEmail("");
        await made();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const guest = email.trim() === "" ? {} : { email };
    make.mutate(projectId === undefined ? guest : { ...guest, projectId });
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
        <button type="submit" className="btn" disabled={make.isPending}>
          Make an invitation link
        </button>
        {make.error === null ? null : <FormMistake>{sentenceOf(make.error)}</FormMistake>}
      </form>
    </>
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
      ? "It makes one account,"
      : "It makes one account, or lets somebody who has one join,";
  const before = replaced ? " The link made before for this address is of no use any more." : "";
  return `${use} within a week, and is shown only now: send it yourself.${before}`;
}
