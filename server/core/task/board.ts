/**
 * Where a card is and where it may go. `column` is computed from the card's shelf (where a person put it) and its sessions,
 * and stored nowhere, so the board cannot contradict the pool (P13). Decides only; `engine/task-desk.ts` applies.
 */
import type { Column, LiveStatus, OutcomeKind, SessionId, Shelf } from "../words";

/** What a card's place is computed from. */
export interface CardState {
  /** Where a person put the card last, and the newest started session at that moment. */
  readonly shelf: Shelf;
  readonly shelfSessionId: SessionId | null;
  readonly live: LiveStatus | null;
  /** The newest session that ever got a slot; one withdrawn from the line does not count. */
  readonly newestStartedId: SessionId | null;
}

export interface MoveWish {
  readonly column: Column;
  /** Where the person saw the card; undefined: they do not say. */
  readonly from?: Column | undefined;
  /** They have been told what stops and want it. */
  readonly isConfirmed: boolean;
}

export type MoveDecision =
  | { readonly kind: "dispatch" }
  /** Within Waiting: only the own line's order changes. */
  | { readonly kind: "reorder-line" }
  /** `ends`: what has to happen to the live session once the card is on its shelf. */
  | { readonly kind: "shelve"; readonly shelf: Shelf; readonly ends: "withdraw" | "stop" | null }
  | { readonly kind: "refused"; readonly reason: MoveRefusal };

export type MoveRefusal =
  /** The card is somewhere else than where the person saw it. */
  | "moved"
  /** Nobody puts a card into Running: it goes there when its session gets a slot. */
  | "only-the-pool"
  | "reopen-first"
  | "already-running"
  /** In Review there is something to look at. */
  | "nothing-to-review"
  /** It would stop a running agent: ask first. */
  | "would-stop";

export function columnOf(card: CardState): Column {
  if (card.live === "running") return "running";
  if (card.live === "queued") return "waiting";
  if (card.newestStartedId !== null && card.newestStartedId !== card.shelfSessionId) return "review";
  return card.shelf;
}

export function decideMove(card: CardState, wish: MoveWish): MoveDecision {
  const here = columnOf(card);
  if (wish.from !== undefined && wish.from !== here) return refused("moved");
  switch (wish.column) {
    case "running":
      return refused("only-the-pool");
    case "waiting":
      return moveToWaiting(here);
    case "review":
      return card.newestStartedId === null ? refused("nothing-to-review") : moveToShelf("review", here, wish);
    case "backlog":
    case "done":
      return moveToShelf(wish.column, here, wish);
    default:
      return wish.column satisfies never;
  }
}

/** Where the card stands once its work is merged, discarded or taken up again; null: a session of it waits or runs. */
export function shelfAfterReview(card: CardState, made: OutcomeKind | "restored"): Shelf | null {
  if (card.live !== null) return null;
  if (made !== "restored") return "done";
  return card.newestStartedId === null ? "backlog" : "review";
}

function moveToWaiting(here: Column): MoveDecision {
  switch (here) {
    case "waiting":
      return { kind: "reorder-line" };
    case "running":
      return refused("already-running");
    case "done":
      return refused("reopen-first");
    case "backlog":
    case "review":
      return { kind: "dispatch" };
    default:
      return here satisfies never;
  }
}

function moveToShelf(shelf: Shelf, here: Column, wish: MoveWish): MoveDecision {
  if (here === "running" && !wish.isConfirmed) return refused("would-stop");
  const ends = here === "running" ? "stop" : here === "waiting" ? "withdraw" : null;
  return { kind: "shelve", shelf, ends };
}

function refused(reason: MoveRefusal): MoveDecision {
  return { kind: "refused", reason };
}
