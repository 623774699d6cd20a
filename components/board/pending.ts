/**
 * Which cards wait for an answer of the server. Shown as "being done", never as done: where a card stands comes from the
 * live channel alone.
 */
import { useSyncExternalStore } from "react";

let pending: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();
const NOTHING: ReadonlySet<string> = new Set();

function set(next: ReadonlySet<string>): void {
  pending = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePending(taskId: string): boolean {
  return useSyncExternalStore(
    subscribe,
    () => pending.has(taskId),
    () => NOTHING.has(taskId),
  );
}

/** A second press while the first is under way does nothing. */
export async function whilePending(taskId: string, work: () => Promise<void>): Promise<void> {
  if (pending.has(taskId)) return;
  set(new Set(pending).add(taskId));
  try {
    await work();
  } finally {
    const next = new Set(pending);
    next.delete(taskId);
    set(next);
  }
}
