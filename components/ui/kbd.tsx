"use client";
/** The key that does the same; for the eye only, so that a button's name stays its word. */
import { useSyncExternalStore } from "react";

export function Kbd({ children }: { children: string }) {
  return (
    <span className="kbd" aria-hidden="true">
      {children}
    </span>
  );
}

/** A key pressed together with the one for commands: ⌘ on Apple's machines, Ctrl elsewhere. */
export function CommandKbd({ children }: { children: string }) {
  const isApple = useSyncExternalStore(never, hasCommandKey, () => false);
  return <Kbd>{commandKey(children, isApple)}</Kbd>;
}

export function commandKey(key: string, isApple = hasCommandKey()): string {
  return isApple ? `⌘${key}` : `Ctrl ${key}`;
}

function hasCommandKey(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}

function never(): () => void {
  return () => {};
}
