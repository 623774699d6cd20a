/** What dropping a card somewhere means (B3), in words before it is done. Pure; nothing that a menu could not do. */
import type { Column } from "@/server/core/words";
import { type BoardCard, hasRun } from "./columns";

export type Drop =
  | { readonly kind: "dispatch"; readonly label: string }
  /** `before`: the card it shall stand before; null: at the end. */
  | { readonly kind: "order"; readonly before: BoardCard | null }
  | { readonly kind: "reorder-line"; readonly before: BoardCard | null }
  | { readonly kind: "move"; readonly label: string }
  | { readonly kind: "nothing"; readonly label: string | null };

export interface DropHelp {
  readonly meId: string;
  /** What a dispatch of the card would do now: `position 4`, `starts at once`, `held`. */
  readonly placeOf: (card: BoardCard) => string | null;
}

export function dropOf(card: BoardCard, column: Column, before: BoardCard | null, help: DropHelp): Drop {
  if (column === card.column) return withinColumn(card, before, help);
  switch (column) {
    case "running":
      return { kind: "nothing", label: "Only the pool puts cards here" };
    case "waiting":
      return toWaiting(card, help);
    case "review":
      if (!hasRun(card.task)) return { kind: "nothing", label: "No session has run yet" };
      return { kind: "move", label: leaving(card, "Review") };
    case "backlog":
      return { kind: "move", label: leaving(card, "Backlog") };
    case "done":
      return { kind: "move", label: leaving(card, "Done") };
    default:
      return column satisfies never;
  }
}

function withinColumn(card: BoardCard, before: BoardCard | null, { meId }: DropHelp): Drop {
  if (before?.task.id === card.task.id) return { kind: "nothing", label: null };
  if (card.column === "backlog") return { kind: "order", before };
  if (card.column !== "waiting") return { kind: "nothing", label: null };
  if (card.live?.userId !== meId) return { kind: "nothing", label: "Only its owner reorders a line" };
  return { kind: "reorder-line", before };
}

function toWaiting(card: BoardCard, { placeOf }: DropHelp): Drop {
  if (card.column === "running") return { kind: "nothing", label: "It is running" };
  if (card.column === "done") return { kind: "nothing", label: "Move it to Review or Backlog first" };
  const verb = card.column === "review" && card.task.session !== null ? "Retry" : "Dispatch";
  const place = placeOf(card);
  return { kind: "dispatch", label: place === null ? verb : `${verb} · ${place}` };
}

/** The target says where to, and what ends with it. */
function leaving({ column }: BoardCard, to: string): string {
  if (column === "waiting") return `Withdraw · to ${to}`;
  if (column === "running") return `Stop and move to ${to} · asks first`;
  return `Move to ${to}`;
}
