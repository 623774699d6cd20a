/**
 * A place for one thing at a time that floats over the page: a menu, a question, a dialog. Whoever opens it does not load
 * what draws it; the hosts do that when it is needed (`frame/floats.tsx`).
 */
import { useSyncExternalStore } from "react";

export interface Slot<Value> {
  open(value: Value): void;
  close(): void;
  use(): Value | null;
}

export function createSlot<Value>(): Slot<Value> {
  let held: Value | null = null;
  const listeners = new Set<() => void>();
  const set = (value: Value | null) => {
    held = value;
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    open: set,
    close: () => set(null),
    use: () =>
      useSyncExternalStore(
        subscribe,
        () => held,
        () => null,
      ),
  };
}
