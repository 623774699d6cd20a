/** Menus as data: who opens one says what is in it and where it hangs. Drawn by `menu-view.tsx`, loaded on first use. */
import type { IconName } from "./icon";
import { createSlot } from "./slot";

export type MenuEntry =
  | {
      readonly kind: "entry";
      readonly icon: IconName | null;
      readonly label: string;
      readonly keys?: string;
      readonly isBad?: boolean;
      /** Why it cannot be chosen now; shown below it. */
      readonly why?: string | null;
      /** Said of one of several; undefined: it is no choice. */
      readonly isChosen?: boolean;
      readonly run: () => void;
    }
  | { readonly kind: "rule" };

export interface OpenMenu {
  readonly label: string;
  readonly anchor: HTMLElement;
  readonly entries: readonly MenuEntry[];
}

export const menuSlot = createSlot<OpenMenu>();

let lastAnchor: HTMLElement | null = null;

/** What has the focus now; inside of a menu, which is about to go, what the menu hangs on. */
export function focusNow(): Element | null {
  const active = document.activeElement;
  return active?.closest('[role="menu"]') ? lastAnchor : active;
}

export function openMenu(anchor: HTMLElement, label: string, entries: readonly MenuEntry[]): void {
  lastAnchor = anchor;
  menuSlot.open({ anchor, label, entries });
}
