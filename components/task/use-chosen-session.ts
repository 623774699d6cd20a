"use client";
/** Which of a task's sessions is looked at: the newest, until somebody chooses an older one; a new session is news again. */
import { useState } from "react";
import type { Session } from "@/server/contract/sessions";

export interface ChosenSession {
  readonly session: Session | null;
  choose(id: string): void;
}

export function useChosenSession(sessions: readonly Session[]): ChosenSession {
  const newest = sessions[0] ?? null;
  const [choice, setChoice] = useState<{ readonly id: string; readonly newestThen: string } | null>(null);
  const isStanding = choice !== null && choice.newestThen === newest?.id;
  const chosen = isStanding ? sessions.find(({ id }) => id === choice.id) : undefined;
  return {
    session: chosen ?? newest,
    choose: (id) => setChoice(newest === null ? null : { id, newestThen: newest.id }),
  };
}
