/** Menus as data: who opens one says what is in it and where it hangs. Drawn by `menu-view.tsx`, loaded on first use. */
import type { IconName } from "./icon";
import { createSlot } from "./slot";

export type MenuEntry =
  | {
      readonly kind: "entry";
      readonly icon: IconName | null;
      readonly label: string;
      /** Said while it is being done, such as "Merging". */
      readonly doing?: string;
      /** The key that does the same. */
      readonly keys?: string;
      /** What it would do now, or how much there is of it, in a few words. */
      readonly aside?: string;
      readonly isBad?: boolean;
      /** Why it cannot be chosen now; shown below it. */
      readonly why?: string | null;
      /** Said of one of several; undefined: it is no choice. */
      readonly isChosen?: boolean;
      /** What it answers, for lists that show no heads. */
      readonly hint?: string;
      readonly run: () => void;
    }
  /** What the entries below it are about; read, never chosen. */
  | { readonly kind: "head"; readonly text: string }
  | { readonly kind: "rule" };

export interface OpenMenu {
  readonly label: string;
  readonly anchor: HTMLElement;
  /** What has the focus when it closes. */
  readonly opener: HTMLElement;
  readonly entries: readonly MenuEntry[];
  /** What it stands and falls with, see `closeMenuAbout`; null: it stays until somebody closes it. */
  readonly about: string | null;
}

export const menuSlot = createSlot<OpenMenu>();

let lastOpener: HTMLElement | null = null;

/** What has the focus now; inside of a menu, which is about to go, what the menu was opened from. */
export function focusNow(): Element | null {
  const active = document.activeElement;
  return active?.closest('[role="menu"]') ? lastOpener : active;
}

export function openMenu(
  anchor: HTMLElement,
  label: string,
  entries: readonly MenuEntry[],
  about: string | null = null,
): void {
  lastOpener = openerOf(anchor);
  menuSlot.open({ anchor, opener: lastOpener, label, entries, about });
}

/** The button it hangs on, or the card around it where that has the focus: then a key opened it. */
function openerOf(anchor: HTMLElement): HTMLElement {
  const card = anchor.closest<HTMLElement>("[data-task-id]");
  return card !== null && card === document.activeElement ? card : anchor;
}

/** What it was opened about is over: its entries would do what nobody read. */
export function closeMenuAbout(about: string): void {
  if (menuSlot.held()?.about === about) menuSlot.close();
}
