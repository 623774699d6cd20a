"use client";
/** Says to readers of the screen what happens to one's own sessions: a new place in line, a start, an ending. */
import { useEffect, useRef } from "react";
import type { PoolSession } from "@/server/contract/pool";
import { COLUMNS, isLive } from "@/server/core/words";
import { queuedWord } from "../pool/wording";
import { announce } from "../ui/announce";
import type { BoardCard, BoardColumns } from "./columns";

/** `meId` is null as long as the board or who looks at it is not known: nothing of what comes with them is news. */
export function useAnnouncements(columns: BoardColumns, meId: string | null): void {
  const before = useRef<ReadonlyMap<string, string> | null>(null);
  useEffect(() => {
    if (meId === null) return;
    const now = new Map<string, string>();
    for (const column of COLUMNS) {
      for (const card of columns[column]) {
        now.set(card.task.id, wordFor(card, meId) ?? before.current?.get(card.task.id) ?? "");
      }
    }
    const known = before.current;
    before.current = now;
    if (known === null) return;
    const changes = [...now].filter(([id, word]) => word !== "" && known.get(id) !== word).map(([, word]) => word);
    if (changes.length > 0) announce(changes.join(". "));
  }, [columns, meId]);
}

/**
 * Empty: there is nothing to say any more. Null: it is not one's own, or nothing is known now. The pool and the board tell an ending one after the other; between
 * them the card's row still says what the session is no more, and what was said last holds.
 */
function wordFor({ task, live }: BoardCard, meId: string): string | null {
  const userId = live?.userId ?? task.session?.userId;
  if (userId !== meId) return null;
  if (live?.status === "queued") return `#${task.number} ${queuedWord(live)}`;
  if (live?.status === "running") return `#${task.number} ${runningWord(live.phase)}`;
  if (task.session === null || isLive(task.session.status)) return null;
  // Whoever withdraws is told of it at the press, and that it may be undone.
  const isWithdrawn = task.session.startedAt === null && task.session.cancelledBy === meId;
  return isWithdrawn ? "" : `#${task.number} ${task.session.status}`;
}

function runningWord(phase: PoolSession["phase"]): string {
  if (phase === "asking") return "needs you";
  return phase === "stopping" ? "is being stopped" : "is running";
}
