/**
 * Comments on lines that are not sent yet: per task, in this browser only. They survive a reload, a closed panel and an
 * expired login; other tabs of the same browser see them.
 */
import { useMemo, useSyncExternalStore } from "react";
import type { LineComment, LinePlace } from "./comments";

/** What is kept of one task, as JSON, in characters: a browser has about 5 million for a whole site. */
const KEPT_MAX_CHARS = 200_000;
/** Longest comment in characters. */
export const COMMENT_MAX_CHARS = 10_000;

const NONE: readonly LineComment[] = [];
const PREFIX = "camelot.comments.";

const held = new Map<string, readonly LineComment[]>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) globalThis.addEventListener("storage", otherTab);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    globalThis.removeEventListener("storage", otherTab);
    // Nobody looks: what other tabs do meanwhile is read when somebody does again.
    held.clear();
  };
}

/** `key` is null when a tab emptied everything. */
function otherTab({ key }: StorageEvent): void {
  if (key !== null && !key.startsWith(PREFIX)) return;
  if (key === null) held.clear();
  else held.delete(key.slice(PREFIX.length));
  for (const listener of listeners) listener();
}

export function readComments(taskId: string): readonly LineComment[] {
  const known = held.get(taskId);
  if (known !== undefined) return known;
  const read = readKept(taskId);
  held.set(taskId, read);
  return read;
}

function readKept(taskId: string): readonly LineComment[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + taskId) ?? "[]");
    const comments = Array.isArray(kept) ? kept.filter(isComment) : NONE;
    return comments.length === 0 ? NONE : comments;
  } catch {
    return NONE;
  }
}

function isComment(value: unknown): value is LineComment {
  if (typeof value !== "object" || value === null) return false;
  const { id, path, side, line, quote, text, draft, isGone } = value as Record<string, unknown>;
  const isText = [id, path, quote, text].every((one) => typeof one === "string");
  const isDraft = draft === null || typeof draft === "string";
  return isText && isDraft && (side === "old" || side === "new") && typeof line === "number" && isGone !== undefined;
}

/**
 * Null: done. Else a sentence why not: there are too many. Where the browser keeps nothing (storage is off or full), they
 * stay on the page only.
 */
export function changeComments(
  taskId: string,
  change: (comments: readonly LineComment[]) => readonly LineComment[],
): string | null {
  const before = readComments(taskId);
  const after = change(before);
  if (after === before) return null;
  const json = JSON.stringify(after);
  if (after.length >= before.length && json.length > KEPT_MAX_CHARS) {
    return "That is more than the comments of one task can hold. Send or remove some first.";
  }
  held.set(taskId, after);
  try {
    if (after.length === 0) localStorage.removeItem(PREFIX + taskId);
    else localStorage.setItem(PREFIX + taskId, json);
  } catch {
    // They are on the page.
  }
  for (const listener of listeners) listener();
  return null;
}

/** Begins one; where one is being written already, or stands, it is left as it is. */
export function beginComment(taskId: string, place: LinePlace): string | null {
  return changeComments(taskId, (comments) => {
    const here = comments.find(
      ({ path, side, line, isGone }) => !isGone && path === place.path && side === place.side && line === place.line,
    );
    if (here !== undefined) return here.draft === null ? changed(comments, here.id, { draft: here.text }) : comments;
    const id = String(1 + Math.max(0, ...comments.map((comment) => Number(comment.id) || 0)));
    return [...comments, { ...place, id, text: "", draft: "", isGone: false }];
  });
}

export function changeComment(
  taskId: string,
  id: string,
  change: Partial<Pick<LineComment, "text" | "draft">>,
): string | null {
  return changeComments(taskId, (comments) => changed(comments, id, change));
}

export function removeComments(taskId: string, ids: readonly string[]): void {
  changeComments(taskId, (comments) => {
    const left = comments.filter(({ id }) => !ids.includes(id));
    return left.length === comments.length ? comments : left;
  });
}

function changed(
  comments: readonly LineComment[],
  id: string,
  change: Partial<Pick<LineComment, "text" | "draft">>,
): readonly LineComment[] {
  return comments.map((comment) => (comment.id === id ? { ...comment, ...change } : comment));
}

export function useComments(taskId: string): readonly LineComment[] {
  const read = useMemo(() => () => readComments(taskId), [taskId]);
  return useSyncExternalStore(subscribe, read, none);
}

/** Those of one file; the same array as long as they are the same. */
export function useCommentsOf(taskId: string, path: string): readonly LineComment[] {
  const read = useMemo(() => {
    let last = NONE;
    return () => {
      const here = readComments(taskId).filter((comment) => comment.path === path);
      if (here.length !== last.length || here.some((comment, place) => comment !== last[place])) last = here;
      return last;
    };
  }, [taskId, path]);
  return useSyncExternalStore(subscribe, read, none);
}

function none(): readonly LineComment[] {
  return NONE;
}
