"use client";
/** Says to readers of the screen what happens to one's own sessions: a new place in line, a start, an ending. */
import { useEffect, useRef } from "react";
import { COLUMNS, isLive } from "@/server/core/words";
import { queuedWord } from "../pool/wording";
import { announce } from "../ui/announce";
import type { BoardCard, BoardColumns } from "./columns";

export function useAnnouncements(columns: BoardColumns, meId: string | null): void {
  const before = useRef<ReadonlyMap<string, string> | null>(null);
  useEffect(() => {
    if (meId === null) return;
    const now = new Map<string, string>();
    for (const column of COLUMNS) {
      for (const card of columns[column]) {
        const word = wordFor(card, meId) ?? before.current?.get(card.task.id) ?? null;
        if (word !== null) now.set(card.task.id, word);
      }
    }
    const known = before.current;
    before.current = now;
    if (known === null || known.size === 0) return;
    const changes = [...now].filter(([id, word]) => known.has(id) && known.get(id) !== word).map(([, word]) => word);
    if (changes.length > 0) announce(changes.join(". "));
  }, [columns, meId]);
}

/**
 * Null: it is not one's own, or nothing is known now. The pool and the board tell an ending one after the other; between
 * them the card's row still says what the session is no more, and what was said last holds.
 */
function wordFor({ task, live }: BoardCard, meId: string): string | null {
  const userId = live?.userId ?? task.session?.userId;
  if (userId !== meId) return null;
  if (live?.status === "queued") return `#${task.number} ${queuedWord(live)}`;
  if (live?.status === "running") return `#${task.number} ${live.phase === "asking" ? "needs you" : "is running"}`;
  return task.session === null || isLive(task.session.status) ? null : `#${task.number} ${task.session.status}`;
}
