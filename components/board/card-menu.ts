/** What a card's menu offers, by column; what cannot be done now is there with its reason. */
import type { PoolPicture } from "@/server/contract/pool";
import { COLUMNS, type Column } from "@/server/core/words";
import { hasLetterKeys } from "../frame/letter-keys";
import { type MenuEntry, openMenu } from "../ui/menu";
import { aboutQuestion, answerEntries } from "./answers";
import { columnName, dispatchTask, stopSession, withdraw } from "./card-actions";
import { copyLinkOf } from "./card-link";
import { declareLost, deleteTask, moveCard } from "./card-moves";
import { type BoardCard, hasRun } from "./columns";
import { lineEntries, ownLineOf } from "./line-moves";
import { reviewEntries } from "./review-moves";
import { type Shelf, shelfEntries } from "./shelf-moves";
import { shownBoard } from "./shown-board";
import { againFor } from "./try-again";

export interface MenuHelp {
  readonly open: () => void;
  readonly copyLink: () => void;
  /** `position 4`, `starts at once`, `held`. */
  readonly place: string | null;
  /** One's own line, when the card waits in it. */
  readonly line: readonly string[] | null;
  /** Backlog as it is on the screen, when the card stands in it. */
  readonly shelf: Shelf | null;
  /** The project's base branch; null: not known yet. */
  readonly base: string | null;
  /** The project has a token for GitHub. */
  readonly hasGitHub: boolean;
  /** Why nothing can be pushed from its repository; null or absent: it can, or nobody has looked. */
  readonly whyNoPush?: string | null;
  /** How many commits of the base its remote lacks; null or absent: not known. */
  readonly unpushed?: number | null;
  readonly isAdmin: boolean;
  readonly agent: string;
  readonly elapsed: () => string;
}

export function entriesFor(card: BoardCard, help: MenuHelp): MenuEntry[] {
  return [
    { kind: "entry", icon: "right", label: "Open", run: help.open },
    ...answerEntries(card),
    ...mainEntries(card, help),
    ...reviewEntries(card, help),
    { kind: "rule" },
    ...withRule([...lineEntries(card, help.line), ...shelfEntries(card, help.shelf)]),
    ...COLUMNS.filter(isShelf).map((column) => moveEntry(card, column)),
    { kind: "rule" },
    { kind: "entry", icon: "link", label: "Copy link", run: help.copyLink },
    ...issueEntries(card),
    ...(help.isAdmin && card.column === "running" ? [lostEntry(card)] : []),
    { kind: "entry", icon: "x", label: "Delete task", isBad: true, run: () => void deleteTask(card) },
  ];
}

interface CardMenuHelp extends Omit<MenuHelp, "line" | "copyLink" | "base" | "hasGitHub"> {
  readonly pool: PoolPicture | undefined;
  /** Undefined: the card is somebody else's. */
  readonly meId: string | undefined;
}

export function openCardMenu(anchor: HTMLElement, card: BoardCard, { pool, meId, ...help }: CardMenuHelp): void {
  const copyLink = () => copyLinkOf(card.task);
  const { base = null, hasGitHub = false } = shownBoard.held() ?? {};
  const entries = entriesFor(card, { ...help, copyLink, base, hasGitHub, line: ownLineOf(pool, meId, card) });
  openMenu(anchor, `Task #${card.task.number}`, entries.map(withKey), aboutQuestion(card));
}

/** Which key does the same with a card in focus (`board-keys.tsx`), by what the entry says. */
export const KEY_OF: Readonly<Record<string, string>> = {
  Open: "↵",
  Dispatch: "D",
  Retry: "D",
  Withdraw: "X",
  Stop: "X",
  "Move up": "⇧ ↑",
  "Move up in my line": "⇧ ↑",
  "Move down": "⇧ ↓",
  "Move down in my line": "⇧ ↓",
};

function withKey(entry: MenuEntry): MenuEntry {
  const keys = entry.kind === "entry" ? KEY_OF[entry.label] : undefined;
  if (entry.kind !== "entry" || keys === undefined || (/^[A-Z]$/.test(keys) && !hasLetterKeys())) return entry;
  return { ...entry, keys };
}

function withRule(entries: readonly MenuEntry[]): readonly MenuEntry[] {
  return entries.length === 0 ? [] : [...entries, { kind: "rule" }];
}

/** What is most likely wanted with a card where it stands. */
export function mainEntries(card: BoardCard, help: MenuHelp): MenuEntry[] {
  const { column, task, live } = card;
  switch (column) {
    case "backlog":
      return [dispatchEntry("play", "Dispatch", card, help)];
    case "review":
      return [dispatchEntry("retry", task.session === null ? "Dispatch" : "Retry", card, help)];
    case "done": {
      const why = "Move it to Review or Backlog first.";
      return [{ kind: "entry", icon: "play", label: "Dispatch", why, run: () => {} }];
    }
    case "waiting": {
      const again = againFor(live, card.liveId, task);
      const entry = { kind: "entry", icon: "undo", label: "Withdraw", run: () => void withdraw(card) } as const;
      return again === null
        ? [entry]
        : [{ kind: "entry", icon: "retry", label: "Try again", run: () => void again() }, entry];
    }
    case "running": {
      const why = live?.phase === "stopping" ? "It is stopping already." : null;
      const run = () => void stopSession(card, help.agent, help.elapsed());
      return [{ kind: "entry", icon: "stop", label: "Stop", why, run }];
    }
    default:
      return column satisfies never;
  }
}

function dispatchEntry(icon: "play" | "retry", label: string, { task }: BoardCard, { place }: MenuHelp): MenuEntry {
  const aside = place === null ? {} : { aside: place };
  return { kind: "entry", icon, label, ...aside, run: () => void dispatchTask(task) };
}

function issueEntries({ task: { issue } }: BoardCard): MenuEntry[] {
  if (issue === null) return [];
  const run = () => void globalThis.open(issue.url, "_blank", "noopener,noreferrer");
  return [{ kind: "entry", icon: "link", label: `Open issue #${issue.number} on GitHub`, run }];
}

function lostEntry(card: BoardCard): MenuEntry {
  return { kind: "entry", icon: "off", label: "Declare runner lost", isBad: true, run: () => void declareLost(card) };
}

export function moveEntry(card: BoardCard, column: Column): MenuEntry {
  const verb = card.column === "waiting" ? "Withdraw to" : card.column === "running" ? "Stop and move to" : "Move to";
  const label = `${verb} ${columnName(column)}`;
  return { kind: "entry", icon: "arrow", label, why: whyNot(card, column), run: () => void moveCard(card, column) };
}

function whyNot(card: BoardCard, column: Column): string | null {
  if (card.column === column) return "It is there.";
  if (column === "review" && !hasRun(card.task)) return "No session has run yet.";
  if (column === "review" && card.column === "running") return "It goes there when it ends.";
  return null;
}

function isShelf(column: Column): boolean {
  return column !== "waiting" && column !== "running";
}
