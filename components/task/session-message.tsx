"use client";
/** What a session was told besides the task's prompt (A5): an agent without a protocol does not tell it again. */
import type { Session } from "@/server/contract/sessions";
import { PromptText } from "./prompt";

interface SessionMessageProps {
  readonly session: Session | null;
  /** Says which session's, as not always the chosen one is meant. */
  readonly heading: string;
}

export function SessionMessage({ session, heading }: SessionMessageProps) {
  if (!hasMessage(session)) return null;
  return (
    <>
      <h2 className="pane-head">{heading}</h2>
      <div className="prompt">
        <PromptText key={session.id} text={session.message} />
      </div>
    </>
  );
}

export function hasMessage(session: Session | null): session is Session & { readonly message: string } {
  return session !== null && session.message !== null && session.message !== "";
}
