/** Reads git's `--raw --numstat -z` output into one entry per changed file. Names may hold anything but NUL. */
import { setImmediate as pause } from "node:timers/promises";
import type { DiffFile } from "../../ports/workspace";
import { displayName } from "./staging";

/** After so many files the event loop gets a turn (P20). */
const FILES_AT_ONCE = 1_000;

export interface ChangedFile extends Omit<DiffFile, "patch" | "isCut"> {
  /** git writes a change of kind (file to link) as two patches. */
  readonly patches: 1 | 2;
  /** As git has them, bytes as latin1: the name, of a renamed file both. */
  readonly rawNames: readonly string[];
}

/** `output`: bytes as latin1. First all raw records, then all counts, in the same order. */
export async function parseChanges(output: string): Promise<ChangedFile[]> {
  const fields = output.split("\0");
  const raws: Omit<ChangedFile, "isBinary" | "additions" | "deletions">[] = [];
  let at = 0;
  for (; fields[at]?.startsWith(":"); at++) {
    const [oldMode = "", newMode = "", oldObject = "", newObject = "", letters = ""] = (fields[at] ?? "")
      .slice(1)
      .split(" ");
    const isRenamed = letters.startsWith("R");
    const first = fields[++at] ?? "";
    const path = isRenamed ? (fields[++at] ?? "") : first;
    const isModeOnly = letters === "M" && oldMode !== newMode && oldObject === newObject;
    const status = isModeOnly ? "mode-changed" : statusOf(letters);
    const patches = letters.startsWith("T") ? 2 : 1;
    if (raws.length % FILES_AT_ONCE === 0) await pause();
    const oldPath = isRenamed ? displayName(first) : null;
    const rawNames = isRenamed ? [first, path] : [path];
    raws.push({ path: displayName(path), oldPath, status, patches, rawNames });
  }
  const changes: ChangedFile[] = [];
  for (const raw of raws) {
    if (changes.length % FILES_AT_ONCE === 0) await pause();
    const [added = "0", deleted = "0", name = ""] = (fields[at++] ?? "").split("\t");
    if (name === "") at += 2; // a rename: both names follow
    const isBinary = added === "-";
    const lines = { additions: isBinary ? 0 : Number(added), deletions: isBinary ? 0 : Number(deleted) };
    changes.push({ ...raw, isBinary, ...lines });
  }
  return changes;
}

function statusOf(letters: string): DiffFile["status"] {
  if (letters.startsWith("A")) return "added";
  if (letters.startsWith("D")) return "deleted";
  if (letters.startsWith("R")) return "renamed";
  return "modified";
}
