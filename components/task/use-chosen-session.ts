"use client";
/**
 * Which of a task's sessions is looked at: the newest, until somebody chooses another or holds on to the one being read. Of
 * others' new sessions nothing moves then; a new session of one's own is what one waits for.
 */
import { useState } from "react";
import type { Session } from "@/server/contract/sessions";
import { useMe } from "../people/use-people";

export interface ChosenSession {
  readonly session: Session | null;
  choose(session: Session | null): void;
}

export function useChosenSession(sessions: readonly Session[]): ChosenSession {
  const newest = sessions[0] ?? null;
  const [chosen, setChosen] = useState<Session | null>(null);
  const isOwnNews = useOwnNews(newest);
  if (isOwnNews && chosen !== null) setChosen(null);
  const held = isOwnNews ? null : chosen;
  return {
    // The list of all sessions may come later than the news of another one.
    session: held === null ? newest : (sessions.find(({ id }) => id === held.id) ?? held),
    choose: setChosen,
  };
}

/** True in the one drawing in which a new session of one's own is seen first. */
export function useOwnNews(newest: Session | null): boolean {
  const meId = useMe()?.id;
  const [seen, setSeen] = useState(newest?.id);
  if (newest === null || newest.id === seen) return false;
  setSeen(newest.id);
  return newest.userId === meId;
}
