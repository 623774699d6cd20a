/** From card to card by keyboard: within a column, and to the nearest column that has cards, at the same height. */
import { COLUMNS, type Column } from "@/server/core/words";

export type Step = "up" | "down" | "left" | "right" | "first" | "last";

/** `from`: the card in focus; null: none, and the first one there is takes it. `pick`: shows a column on narrow screens. */
export function goFrom(from: HTMLElement | null, step: Step, pick: (column: Column) => void): void {
  const columns = COLUMNS.map((column) => ({ column, cards: cardsIn(column) }));
  const at = columns.findIndex(({ cards }) => from !== null && cards.includes(from));
  const here = columns[at] ?? columns.find(({ cards }) => cards.length > 0);
  if (here === undefined) return;
  const place = from === null ? -1 : here.cards.indexOf(from);
  if (place < 0) {
    focusOn(here.cards[0], here.column, pick);
  } else if (step === "left" || step === "right") {
    const aside = step === "left" ? columns.slice(0, at).reverse() : columns.slice(at + 1);
    const next = aside.find(({ cards }) => cards.length > 0);
    focusOn(next?.cards[Math.min(place, next.cards.length - 1)], next?.column, pick);
  } else if (isToGrow(step, place, here.cards.length) && showMore(here.column)) {
    // The last of all may stand several pages further.
    requestAnimationFrame(() => goFrom(from, step, pick));
  } else {
    const last = here.cards.length - 1;
    const places = { up: place - 1, down: place + 1, first: 0, last } as const;
    focusOn(here.cards[Math.min(Math.max(places[step], 0), last)], here.column, pick);
  }
}

/** Where one goes may not be drawn yet. */
function isToGrow(step: Step, place: number, drawn: number): boolean {
  return step === "last" || (step === "down" && place === drawn - 1);
}

function cardsIn(column: Column): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`.board article[data-column="${column}"]`)];
}

/** Of a long column only the first cards are drawn; whoever walks on gets the next ones. False: these are all. */
function showMore(column: Column): boolean {
  const button = document.querySelector<HTMLElement>(`.board [data-column="${column}"] > .more`);
  button?.click();
  return button !== null;
}

function focusOn(card: HTMLElement | undefined, column: Column | undefined, pick: (column: Column) => void): void {
  if (card === undefined || column === undefined) return;
  card.focus();
  if (document.activeElement === card) return;
  // On narrow screens its column is not drawn yet.
  pick(column);
  requestAnimationFrame(() => card.focus());
}
