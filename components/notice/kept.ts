/**
 * What one was told of and has not seen (B14), kept in the browser for each person: a reload and a tab that is opened later
 * go on counting. Every tab changes it, each by what it has just heard, and never by what it believes about the rest.
 */
import type { Notice } from "./notices";

/** So much is kept, the newest; and for so long, in milliseconds: then it is no news any more. */
const KEPT_MAX = 100;
const KEPT_MS = 7 * 24 * 60 * 60_000;

export interface KeptNotices {
  /** Oldest first; nothing where the browser keeps nothing. */
  readonly read: () => readonly Notice[];
  readonly add: (notices: readonly Notice[]) => void;
  readonly remove: (ids: readonly string[]) => void;
  readonly clear: () => void;
}

interface Entry {
  readonly at: number;
  readonly notice: Notice;
}

export function keptFor(personId: string): KeptNotices {
  const key = `camelot.unseen.${personId}`;
  const read = () => readEntries(key).filter(({ at }) => at > Date.now() - KEPT_MS);
  return {
    read: () => read().map(({ notice }) => notice),
    add: (notices) => {
      const held = read();
      const news = notices.filter(({ id }) => !held.some(({ notice }) => notice.id === id));
      write(key, [...held, ...news.map((notice) => ({ at: Date.now(), notice }))].slice(-KEPT_MAX));
    },
    remove: (ids) => {
      const held = read();
      write(
        key,
        held.filter(({ notice }) => !ids.includes(notice.id)),
      );
    },
    clear: () => write(key, []),
  };
}

function readEntries(key: string): readonly Entry[] {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(held) ? held.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(held: unknown): held is Entry {
  const { at, notice } = (held ?? {}) as { at?: unknown; notice?: Record<string, unknown> };
  const texts = ["id", "projectId", "head", "text"].map((name) => notice?.[name]);
  return (
    typeof at === "number" && typeof notice?.number === "number" && texts.every((text) => typeof text === "string")
  );
}

function write(key: string, entries: readonly Entry[]): void {
  try {
    if (entries.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(entries));
  } catch {
    // A browser that keeps nothing, or is full: this tab counts all the same.
  }
}
