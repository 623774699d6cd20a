/** The board that is on the screen at this moment, for whoever acts on it at a press and is not drawn with it. */
import { createSlot } from "../ui/slot";
import type { BoardCard, BoardColumns } from "./columns";
import type { Shelf } from "./shelf-moves";

export interface ShownBoard {
  readonly projectId: string;
  /** The project's base branch; undefined: not known yet. */
  readonly base?: string | undefined;
  /** It has a token for GitHub. */
  readonly hasGitHub?: boolean | undefined;
  /** Every card. */
  readonly columns: BoardColumns;
  /** Those that pass the filter. */
  readonly shown: BoardColumns;
}

export const shownBoard = createSlot<ShownBoard>();

/** Backlog as it is on the screen, for a card that stands in it; else null. */
export function shelfNow(card: BoardCard): Shelf | null {
  const board = shownBoard.held();
  if (board === null || card.column !== "backlog" || board.projectId !== card.task.projectId) return null;
  return { all: board.columns.backlog, shown: board.shown.backlog };
}
