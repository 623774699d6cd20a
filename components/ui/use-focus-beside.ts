"use client";
/**
 * Keeps the keyboard's place among buttons that come and go: when the one that has the focus goes, as "Dispatch" does once it
 * was pressed, the focus would be nowhere. It goes to the menu's button beside it then, where a second press does no harm.
 */
import { type FocusEvent, useLayoutEffect, useRef } from "react";

/** For the element that holds what goes. `menuPlace`: where the button that opens a menu stands; nothing is scrolled to it. */
export function useFocusBeside(menuPlace: () => Element | null | undefined) {
  const held = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (held.current === null || held.current.isConnected) return;
    held.current = null;
    const isNowhere = document.activeElement === null || document.activeElement === document.body;
    if (isNowhere) menuPlace()?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.focus({ preventScroll: true });
  });
  return {
    onFocus: (event: FocusEvent) => {
      held.current = event.target;
    },
    // One that goes is not left: some browsers tell of it all the same, while it stands there still.
    onBlur: (event: FocusEvent) => {
      if (event.relatedTarget !== null) held.current = null;
    },
  };
}
