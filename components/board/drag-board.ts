/**
 * Dragging on the board: what a drop would do is judged by all cards, also by those that the filter or "Show more" hides, so
 * that nothing hidden is passed by. Fetched soon after the page.
 */
import { COLUMNS, type Column } from "@/server/core/words";
import { client } from "../api";
import { attempt, dispatchTask } from "./card-actions";
import { moveCard } from "./card-moves";
import type { BoardCard, BoardColumns } from "./columns";
import { followPress } from "./drag";
import { type Drop, type DropHelp, dropOf } from "./drops";
import { beforeWhom } from "./shelf-moves";

/** `now`: the picture at this moment, asked again at every step. */
export function dragFrom(press: PointerEvent, board: HTMLElement, now: () => DragPicture): void {
  followPress(press, board, {
    cardOf: (taskId) => find(now().columns, taskId),
    dropOf: (card, column, next, last) => {
      const { columns, help } = now();
      return dropOf(card, column, beforeWhom(columns[column], card, next, last), help);
    },
    drop: (card, column, drop) => void perform(card, column, drop, now().columns),
  });
}

export interface DragPicture {
  readonly columns: BoardColumns;
  readonly help: DropHelp;
}

function find(columns: BoardColumns, taskId: string): BoardCard | undefined {
  for (const column of COLUMNS) {
    const card = columns[column].find(({ task }) => task.id === taskId);
    if (card !== undefined) return card;
  }
  return undefined;
}

async function perform(card: BoardCard, column: Column, drop: Drop, columns: BoardColumns): Promise<void> {
  switch (drop.kind) {
    case "dispatch":
      return dispatchTask(card.task);
    case "move":
      return moveCard(card, column);
    case "order":
      return moveCard(card, column, drop.before?.task.id ?? null);
    case "reorder-line":
      return reorderLine(card, drop.before, columns);
    case "nothing":
      return;
    default:
      return drop satisfies never;
  }
}

/** Before the next session of one's own below the drop; other people's cards in between are not one's line. */
function reorderLine(card: BoardCard, before: BoardCard | null, { waiting }: BoardColumns): Promise<void> {
  const from = before === null ? waiting.length : waiting.findIndex(({ task }) => task.id === before.task.id);
  const mine = waiting
    .slice(from)
    .find(({ live, liveId }) => live?.userId === card.live?.userId && liveId !== card.liveId);
  return attempt(card.task, async () => {
    if (card.liveId === null) return;
    await client.sessions.reorder({ id: card.liveId, before: mine?.liveId ?? null });
  });
}
