/**
 * Dragging a card with the mouse or a pen: a copy follows the pointer, the target says what a drop would do, Escape lets
 * go. Touches the page only with elements of its own, so whatever happens on the board meanwhile happens undisturbed.
 * By touch and by keyboard the card's menu does the same.
 */
import { COLUMNS, type Column } from "@/server/core/words";
import type { BoardCard } from "./columns";
import type { Drop } from "./drops";

/** A press becomes a drag after this many pixels; before, it is a click. */
const THRESHOLD_PX = 6;
/** Within this distance of the window's edge the page scrolls along, by at most so many pixels per frame. */
const EDGE_PX = 56;
const SCROLL_PX = 18;
/** What stands above the board and does not scroll. */
const HEADER_PX = 40;

export interface DragHelp {
  readonly cardOf: (taskId: string) => BoardCard | undefined;
  /** `next`: the card that is shown below the pointer; null: below the last one that is shown, `last`. */
  readonly dropOf: (card: BoardCard, column: Column, next: BoardCard | null, last: BoardCard | null) => Drop;
  readonly drop: (card: BoardCard, column: Column, drop: Drop) => void;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Target {
  readonly column: Column;
  readonly drop: Drop;
}

/** Follows one press from its beginning; does nothing if it turns out to be a click. */
export function followPress(press: PointerEvent, board: HTMLElement, help: DragHelp): void {
  const source = press.target instanceof Element ? press.target.closest<HTMLElement>("[data-task-id]") : null;
  const card = source === null ? undefined : help.cardOf(source.dataset.taskId ?? "");
  if (source === null || card === undefined) return;
  const from: Point = { x: press.clientX, y: press.clientY };
  const stop = new AbortController();
  const options = { signal: stop.signal };
  let drag: Drag | null = null;
  /** Escape was pressed: the card is let go of, but the button is still down, and its release is no click. */
  let isLetGo = false;

  const end = () => {
    stop.abort();
    drag?.remove();
  };
  document.addEventListener(
    "pointermove",
    (event) => {
      if (isLetGo) return;
      const at = { x: event.clientX, y: event.clientY };
      if (drag === null && Math.hypot(at.x - from.x, at.y - from.y) < THRESHOLD_PX) return;
      drag ??= new Drag(source, card, from, board, help);
      drag.moveTo(at);
    },
    options,
  );
  document.addEventListener(
    "pointerup",
    () => {
      const target = drag?.target ?? null;
      if (drag !== null || isLetGo) swallowClick();
      end();
      if (target !== null) help.drop(card, target.column, target.drop);
    },
    options,
  );
  document.addEventListener("pointercancel", end, options);
  globalThis.addEventListener("blur", end, options);
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || drag === null) return;
      event.preventDefault();
      event.stopPropagation();
      drag.remove();
      drag = null;
      isLetGo = true;
    },
    { ...options, capture: true },
  );
}

class Drag {
  target: Target | null = null;
  private readonly source: HTMLElement;
  private readonly card: BoardCard;
  private readonly board: HTMLElement;
  private readonly help: DragHelp;
  private readonly copy: HTMLElement;
  private readonly sign: HTMLElement;
  private readonly grip: Point;
  private at: Point;
  private frame = 0;

  constructor(source: HTMLElement, card: BoardCard, from: Point, board: HTMLElement, help: DragHelp) {
    this.source = source;
    this.card = card;
    this.board = board;
    this.help = help;
    this.at = from;
    const box = source.getBoundingClientRect();
    this.grip = { x: from.x - box.left, y: from.y - box.top };
    this.copy = copyOf(source, box.width);
    this.sign = document.createElement("div");
    this.sign.className = "drop-sign";
    this.sign.hidden = true;
    this.sign.setAttribute("aria-hidden", "true");
    document.body.append(this.sign, this.copy);
    document.body.classList.add("is-dragging");
    source.dataset.dragged = "";
    this.frame = requestAnimationFrame(this.draw);
  }

  moveTo(at: Point): void {
    this.at = at;
  }

  remove(): void {
    cancelAnimationFrame(this.frame);
    this.copy.remove();
    this.sign.remove();
    document.body.classList.remove("is-dragging");
    delete this.source.dataset.dragged;
  }

  private readonly draw = (): void => {
    this.frame = requestAnimationFrame(this.draw);
    scrollAlong(this.board, this.at);
    this.copy.style.translate = `${this.at.x - this.grip.x}px ${this.at.y - this.grip.y}px`;
    const column = columnAt(this.board, this.at);
    if (column === null) {
      this.target = null;
      this.sign.hidden = true;
      return;
    }
    const name = COLUMNS.find((one) => one === column.dataset.column);
    if (name === undefined) return;
    const next = cardBelow(column, this.at, this.source);
    const drop = this.help.dropOf(this.card, name, this.cardOf(next), this.cardOf(lastOf(column, this.source)));
    this.target = drop.kind === "nothing" ? null : { column: name, drop };
    this.showSign(column, next, drop);
  };

  private cardOf(element: HTMLElement | null): BoardCard | null {
    return this.help.cardOf(element?.dataset.taskId ?? "") ?? null;
  }

  private showSign(column: HTMLElement, next: HTMLElement | null, drop: Drop): void {
    const isOrder = drop.kind === "order" || drop.kind === "reorder-line";
    const text = drop.kind === "order" || drop.kind === "reorder-line" ? "" : (drop.label ?? "");
    this.sign.hidden = !isOrder && text === "";
    this.sign.className = `drop-sign ${isOrder ? "is-line" : ""} ${drop.kind === "nothing" ? "is-no" : ""}`;
    if (this.sign.textContent !== text) this.sign.textContent = text;
    const cards = column.querySelector(".cards")?.getBoundingClientRect() ?? column.getBoundingClientRect();
    const top = isOrder ? lineTop(column, next, this.source, cards.top) : Math.max(cards.top, 64);
    Object.assign(this.sign.style, { left: `${cards.left}px`, top: `${top}px`, width: `${cards.width}px` });
  }
}

/** A copy for the eye only: without what tests and readers find cards by. */
function copyOf(source: HTMLElement, width: number): HTMLElement {
  const copy = source.cloneNode(true) as HTMLElement;
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of ["id", "data-task-number", "data-task-id", "data-column", "tabindex", "aria-labelledby"]) {
      element.removeAttribute(name);
    }
  }
  copy.classList.add("is-drag", "drag-copy");
  copy.setAttribute("aria-hidden", "true");
  copy.inert = true;
  copy.style.width = `${width}px`;
  return copy;
}

function columnAt(board: HTMLElement, at: Point): HTMLElement | null {
  for (const column of board.querySelectorAll<HTMLElement>(".col")) {
    const { left, right } = column.getBoundingClientRect();
    if (at.x >= left && at.x <= right) return column;
  }
  return null;
}

/** The card whose middle is the next one below the pointer. */
function cardBelow(column: HTMLElement, at: Point, source: HTMLElement): HTMLElement | null {
  for (const card of column.querySelectorAll<HTMLElement>("[data-task-id]")) {
    const { top, height } = card.getBoundingClientRect();
    if (card !== source && at.y < top + height / 2) return card;
  }
  return null;
}

function lastOf(column: HTMLElement, source: HTMLElement): HTMLElement | null {
  const cards = [...column.querySelectorAll<HTMLElement>("[data-task-id]")];
  return cards.findLast((card) => card !== source) ?? null;
}

function lineTop(column: HTMLElement, next: HTMLElement | null, source: HTMLElement, empty: number): number {
  if (next !== null) return next.getBoundingClientRect().top - 5;
  const last = lastOf(column, source)?.getBoundingClientRect();
  return last === undefined ? empty : last.bottom + 3;
}

/** The page, or on narrower windows the board in its own frame: whatever has no further to go stays where it is. */
function scrollAlong(board: HTMLElement, { x, y }: Point): void {
  const down = pull(y, HEADER_PX, globalThis.innerHeight);
  const right = pull(x, 0, globalThis.innerWidth);
  if (down === 0 && right === 0) return;
  board.parentElement?.scrollBy(right, down);
  globalThis.scrollBy(0, down);
}

function pull(at: number, from: number, to: number): number {
  const after = at - (to - EDGE_PX);
  const before = from + EDGE_PX - at;
  if (after > 0) return Math.min(SCROLL_PX, after / 2);
  return before > 0 ? -Math.min(SCROLL_PX, before / 2) : 0;
}

/** The release of a drag is no click on the card. */
function swallowClick(): void {
  const swallow = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
  };
  globalThis.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => globalThis.removeEventListener("click", swallow, { capture: true }));
}
