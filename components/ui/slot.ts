/**
 * A place for one thing at a time that floats over the page: a menu, a question, a dialog. Whoever opens it does not load
 * what draws it; the hosts do that when it is needed (`frame/floats.tsx`).
 */
import { useSyncExternalStore } from "react";

export interface Slot<Value> {
  open(value: Value): void;
  close(): void;
  readonly held: () => Value | null;
  readonly subscribe: (listener: () => void) => () => void;
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
    return () => void listeners.delete(listener);
  };
  return { open: set, close: () => set(null), held: () => held, subscribe };
}

export function useSlot<Value>(slot: Slot<Value>): Value | null {
  return useSyncExternalStore(slot.subscribe, slot.held, () => null);
}
