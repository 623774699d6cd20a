"use client";
/** What an invitation's link says to somebody who is signed in: one press joins, or one sentence says why it cannot be (S4). */
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { client, sentenceOf } from "../api";
import { FormMistake } from "../ui/field";
import { inSentence } from "../ui/written";

/** What its page has found out about a link. */
export type OpenedInvitation =
  | {
      readonly kind: "open";
      /** The only address that may use it; null: any. */
      readonly email: string | null;
      readonly invitedBy: string;
      readonly project: { readonly id: string; readonly name: string } | null;
    }
  | { readonly kind: "not-valid" }
  /** Nobody knows at the moment. */
  | { readonly kind: "unknown" };

interface InvitationForMeProps {
  readonly secret: string;
  readonly invitation: OpenedInvitation;
  readonly me: { readonly name: string; readonly email: string };
  /** Ids of the projects I am a member of. */
  readonly mine: readonly string[];
}

export function InvitationForMe({ secret, invitation, me, mine }: InvitationForMeProps) {
  if (invitation.kind === "not-valid") return <NotValid />;
  if (invitation.kind === "unknown") {
    return (
      <Note title="This invitation cannot be looked up now">The database does not answer. Load this page again.</Note>
    );
  }
  const { email, invitedBy, project } = invitation;
  if (email !== null && email.toLowerCase() !== me.email.toLowerCase()) {
    return (
      <Note title={`This invitation is for ${email}`}>
        {`You are signed in as ${me.email}. Sign out on the account page, and open the link again.`}
      </Note>
    );
  }
  if (project === null) {
    return (
      <Note title="You have an account already">
        {`You are signed in as ${inSentence(me.name)}. The link makes a new account, and leads into no project.`}
      </Note>
    );
  }
  if (mine.includes(project.id)) {
    return (
      <Note title={`You are a member of ${inSentence(project.name)} already`}>
        The link stays open for somebody else.
      </Note>
    );
  }
  return <Join secret={secret} invitedBy={invitedBy} project={project} />;
}

export function NotValid() {
  return (
    <Note title="This invitation is not valid">
      It was used, replaced or taken back, is older than a week, or a part of the link is missing. Ask for a new one.
    </Note>
  );
}

interface JoinProps {
  readonly secret: string;
  readonly invitedBy: string;
  readonly project: { readonly id: string; readonly name: string };
}

function Join({ secret, invitedBy, project }: JoinProps) {
  const [mistake, setMistake] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const join = async () => {
    setBusy(true);
    setMistake(null);
    try {
      const { projectId } = await client.invitations.accept({ secret });
      globalThis.location.assign(`/projects/${projectId}`);
    } catch (error) {
      setMistake(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Note
      title={`${inSentence(invitedBy)} invites you to ${inSentence(project.name)}`}
      act={
        <button type="button" className="btn ink" disabled={isBusy} onClick={() => void join()}>
          {`Join ${inSentence(project.name)}`}
        </button>
      }
    >
      You become a member: you see its tasks, and may dispatch agents.
      <FormMistake>{mistake}</FormMistake>
    </Note>
  );
}

function Note({ title, act, children }: { title: string; act?: ReactNode; children: ReactNode }) {
  return (
    <main id="main" className="grid min-h-dvh place-items-center p-6">
      <div className="empty max-w-[420px] [overflow-wrap:anywhere]">
        <h1 className="font-semibold">{title}</h1>
        <div>{children}</div>
        <span className="flex flex-wrap justify-center gap-2">
          {act}
          <Link className="btn" href="/">
            Go to the board
          </Link>
        </span>
      </div>
    </main>
  );
}
