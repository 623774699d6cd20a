/** Which of a card's entries are buttons in a task's head, and which stay in its menu. Pure but for what the entries do. */
import { entriesFor, type MenuHelp, mainEntries, moveEntry } from "../board/card-menu";
import type { BoardCard } from "../board/columns";
import { isMerge, isPush, reviewEntries } from "../board/review-moves";
import type { MenuEntry } from "../ui/menu";

type Entry = Extract<MenuEntry, { kind: "entry" }>;

export interface HeadEntries {
  /** The most likely one comes last. */
  readonly buttons: readonly Entry[];
  readonly menu: readonly MenuEntry[];
}

export function headEntries(card: BoardCard, help: MenuHelp): HeadEntries {
  // What stands before the first rule has places of its own: buttons, the question's box, the place in line.
  const all = entriesFor(card, help);
  const menu = all.slice(all.findIndex(({ kind }) => kind === "rule") + 1);
  const main = mainEntries(card, help).filter((entry) => entry.kind === "entry");
  const review = reviewEntries(card, help);
  const split = (buttons: readonly Entry[]): HeadEntries => {
    const rest = [...main, ...review].filter(({ label }) => buttons.every((button) => button.label !== label));
    return { buttons, menu: rest.length === 0 ? menu : [...rest, { kind: "rule" }, ...menu] };
  };
  switch (card.column) {
    case "waiting":
      return { buttons: [], menu };
    case "review": {
      const merge = review.find((entry) => isMerge(entry) && entry.why == null);
      if (merge === undefined) return split([...main, moveEntry(card, "done") as Entry]);
      const push = review.filter(isPush);
      return split([...(card.task.session?.status === "succeeded" ? [] : main), ...push, merge]);
    }
    case "done":
      return card.task.outcome === null ? split(main) : { buttons: review, menu };
    default:
      return { buttons: main, menu };
  }
}
