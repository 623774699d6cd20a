/**
 * Ordering Backlog without a mouse (B3), and where a card comes to stand when it is put between cards that are shown while
 * others are hidden: right before the next one that is shown, or right behind the last one. Pure but for the call.
 */
import { announce } from "../ui/announce";
import type { MenuEntry } from "../ui/menu";
import { moveCard } from "./card-moves";
import type { BoardCard } from "./columns";

export const SHELF_MOVES = [
  { move: "up", icon: "up", label: "Move up" },
  { move: "down", icon: "follow", label: "Move down" },
  { move: "top", icon: null, label: "To the top" },
] as const;
export type ShelfMove = (typeof SHELF_MOVES)[number]["move"];

/**
 * The card it will stand before; null: at the end. `all`: of the column, the hidden ones too. `next`: the shown card below
 * the place; null: it is put below `last`, the last one that is shown.
 */
export function beforeWhom(
  all: readonly BoardCard[],
  card: BoardCard,
  next: BoardCard | null,
  last: BoardCard | null,
): BoardCard | null {
  if (next !== null || last === null) return next;
  const others = all.filter(({ task }) => task.id !== card.task.id);
  const place = others.findIndex(({ task }) => task.id === last.task.id);
  return place < 0 ? null : (others[place + 1] ?? null);
}

/** The same for one step among `shown`; undefined: it stands there already. */
export function shelfPlace(
  all: readonly BoardCard[],
  shown: readonly BoardCard[],
  card: BoardCard,
  move: ShelfMove,
): BoardCard | null | undefined {
  const place = shown.findIndex(({ task }) => task.id === card.task.id);
  switch (move) {
    case "up":
      return place <= 0 ? undefined : shown[place - 1];
    case "top":
      return all[0]?.task.id === card.task.id ? undefined : all[0];
    case "down": {
      const next = shown[place + 1];
      if (place < 0 || next === undefined) return undefined;
      return beforeWhom(all, card, shown[place + 2] ?? null, next);
    }
    default:
      return move satisfies never;
  }
}

export interface Shelf {
  /** Of Backlog, in order. */
  readonly all: readonly BoardCard[];
  /** Those of them that pass the filter. */
  readonly shown: readonly BoardCard[];
}

export async function moveOnShelf(card: BoardCard, { all, shown }: Shelf, move: ShelfMove): Promise<void> {
  const before = shelfPlace(all, shown, card, move);
  if (before === undefined) return announce(`#${card.task.number}: ${whyNot(move)}`);
  const place = shown.findIndex(({ task }) => task.id === card.task.id);
  const at = { up: place, down: place + 2, top: 1 }[move];
  const said = `#${card.task.number} is ${at} of ${shown.length} in Backlog`;
  await moveCard(card, "backlog", before?.task.id ?? null, said);
}

/** For a card's menu; none when it does not stand in Backlog. */
export function shelfEntries(card: BoardCard, shelf: Shelf | null): MenuEntry[] {
  if (shelf === null || card.column !== "backlog") return [];
  return SHELF_MOVES.map(({ move, icon, label }) => {
    const isThere = shelfPlace(shelf.all, shelf.shown, card, move) === undefined;
    return {
      kind: "entry",
      icon,
      label,
      why: isThere ? whyNot(move) : null,
      run: () => void moveOnShelf(card, shelf, move),
    };
  });
}

function whyNot(move: ShelfMove): string {
  return move === "down" ? "It is the last one." : "It is the first one.";
}
