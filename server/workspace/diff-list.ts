/** Reads git's `--raw --numstat -z` output into one entry per changed file. Pure. Names may hold anything but NUL. */
import type { DiffFile } from "../ports/workspace";
import { displayName } from "./staging";

export interface ChangedFile extends Omit<DiffFile, "patch" | "isCut"> {
  /** git writes a change of kind (file to link) as two patches. */
  readonly patches: 1 | 2;
}

/** `output`: bytes as latin1. First all raw records, then all counts, in the same order. */
export function parseChanges(output: string): ChangedFile[] {
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
    raws.push({ path: displayName(path), oldPath: isRenamed ? displayName(first) : null, status, patches });
  }
  return raws.map((raw) => {
    const [added = "0", deleted = "0", name = ""] = (fields[at++] ?? "").split("\t");
    if (name === "") at += 2; // a rename: both names follow
    const isBinary = added === "-";
    return { ...raw, isBinary, additions: isBinary ? 0 : Number(added), deletions: isBinary ? 0 : Number(deleted) };
  });
}

function statusOf(letters: string): DiffFile["status"] {
  if (letters.startsWith("A")) return "added";
  if (letters.startsWith("D")) return "deleted";
  if (letters.startsWith("R")) return "renamed";
  return "modified";
}
