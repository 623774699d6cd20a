/**
 * Which cards wait for an answer of the server. Shown as "being done", never as done: where a card stands comes from the
 * live channel alone.
 */
import { useSyncExternalStore } from "react";
import { serverNow } from "../live/clock";

export interface Pending {
  /** Such as "Merging", where it may last; null: it is done in a moment. */
  readonly doing: string | null;
  /** Ms since 1970, as the server has it. */
  readonly since: number;
}

let pending: ReadonlyMap<string, Pending> = new Map();
const listeners = new Set<() => void>();

function set(next: ReadonlyMap<string, Pending>): void {
  pending = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What the card waits for; null: nothing. */
export function usePending(taskId: string): Pending | null {
  return useSyncExternalStore(
    subscribe,
    () => pending.get(taskId) ?? null,
    () => null,
  );
}

/** A second press while the first is under way does nothing. */
export async function whilePending(taskId: string, doing: string | null, work: () => Promise<void>): Promise<void> {
  if (pending.has(taskId)) return;
  set(new Map(pending).set(taskId, { doing, since: serverNow() }));
  try {
    await work();
  } finally {
    const next = new Map(pending);
    next.delete(taskId);
    set(next);
  }
}
