/**
 * What somebody is writing and has not sent yet, per task and in this browser only. It survives a live change, a closed
 * panel, a reload and an expired login; where the browser cannot keep it, it stays until the page is left.
 */
import { useMemo, useSyncExternalStore } from "react";

/** Longest text the browser keeps, in characters: it has about 5 million for a whole site. */
const KEPT_MAX_CHARS = 500_000;

export interface KeptText {
  /** Null: nobody is writing. */
  read(taskId: string): string | null;
  keep(taskId: string, text: string | null): void;
  subscribe(listener: () => void): () => void;
}

export function createKeptText(prefix: string): KeptText {
  const held = new Map<string, string | null>();
  /** What only this page holds. */
  const unkept = new Set<string>();
  const listeners = new Set<() => void>();
  const forgetRead = () => {
    for (const taskId of held.keys()) if (!unkept.has(taskId)) held.delete(taskId);
  };
  return {
    read(taskId) {
      const known = held.get(taskId);
      if (known !== undefined) return known;
      const read = readStored(prefix + taskId);
      held.set(taskId, read);
      return read;
    },
    keep(taskId, text) {
      held.set(taskId, text);
      if (store(prefix + taskId, text)) unkept.delete(taskId);
      else unkept.add(taskId);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        // Nobody looks: what other tabs do meanwhile is read when somebody does again.
        if (listeners.size === 0) forgetRead();
      };
    },
  };
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** False: the browser does not hold it. What it held before is gone, so that nobody gets half of it back. */
function store(key: string, text: string | null): boolean {
  try {
    localStorage.removeItem(key);
    if (text === null) return true;
    if (text.length > KEPT_MAX_CHARS) return false;
    localStorage.setItem(key, text);
    return true;
  } catch {
    return text === null;
  }
}

export function useKeptText(kept: KeptText, taskId: string): string | null {
  const read = useMemo(() => () => kept.read(taskId), [kept, taskId]);
  return useSyncExternalStore(kept.subscribe, read, () => null);
}
