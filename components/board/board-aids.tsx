"use client";
/** What helps with a board and is no part of its first load: its keys, and what is said to readers of the screen. */
import type { Column } from "@/server/core/words";
import { BoardKeys } from "./board-keys";
import type { BoardColumns } from "./columns";
import { useAnnouncements } from "./use-announcements";

interface BoardAidsProps {
  readonly projectId: string;
  readonly columns: BoardColumns;
  /** Null as long as the cards are not there. */
  readonly meId: string | null;
  readonly openNumber: number | null;
  readonly pick: (column: Column) => void;
}

export function BoardAids({ projectId, columns, meId, openNumber, pick }: BoardAidsProps) {
  useAnnouncements(columns, meId);
  return <BoardKeys projectId={projectId} openNumber={openNumber} pick={pick} />;
}
