"use client";
/** Whether one wants to be told (B14): of this browser, off until somebody switches it on. */
import { useSyncExternalStore } from "react";

const KEY = "camelot.notices";
const listeners = new Set<() => void>();

export function wantsNotices(): boolean {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

/** False when the browser keeps nothing. */
export function keepNotices(isOn: boolean): boolean {
  try {
    if (isOn) localStorage.setItem(KEY, "on");
    else localStorage.removeItem(KEY);
  } catch {
    return false;
  }
  for (const listener of listeners) listener();
  return true;
}

/** Another tab's change counts too. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  globalThis.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    globalThis.removeEventListener("storage", listener);
  };
}

export function useNoticesChoice(): boolean {
  return useSyncExternalStore(subscribe, wantsNotices, () => false);
}
