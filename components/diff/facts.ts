/**
 * What there is to know of a changed file besides its lines: its name as it can be read, and what it is where it is no plain
 * file. Pure; reads the head of git's patch.
 */
import type { DiffFile } from "@/server/contract/tasks";
import { isContent, type PatchLine } from "./patch";

const KINDS: Readonly<Record<string, string>> = {
  "100644": "file",
  "100755": "executable",
  "120000": "symbolic link",
  "160000": "submodule",
};
const LFS_POINTER = /^[+ ]version https:\/\/git-lfs\.github\.com\/spec\//m;

/** In the order in which they are shown: `renamed`, `executable → file`, `binary`. */
export function factsOf(file: DiffFile): readonly string[] {
  const facts: string[] = [];
  if (file.status !== "modified" && file.status !== "mode-changed") facts.push(file.status);
  const [before, after] = kindsOf(file.patch ?? "");
  if (before !== null && after !== null && before !== after) facts.push(`${before} → ${after}`);
  else if ((after ?? before ?? "file") !== "file") facts.push(after ?? before ?? "");
  if (file.isBinary) facts.push("binary");
  if (file.patch !== null && LFS_POINTER.test(file.patch)) facts.push("LFS pointer");
  return facts;
}

/**
 * `line endings CRLF → LF` where all changed lines go from one to the other, which nobody could see otherwise; null: they do
 * not. A last line that has no ending says nothing.
 */
export function endingsFact(lines: readonly PatchLine[]): string | null {
  const ended = lines.filter((line, place) => isContent(line) && lines[place + 1]?.kind !== "remark");
  const [removed, added] = [endingsOf(ended, "removed"), endingsOf(ended, "added")];
  if (removed === null || added === null || removed === added) return null;
  return `line endings ${removed} → ${added}`;
}

/** Null: there is no such line, or they differ. */
function endingsOf(lines: readonly PatchLine[], kind: "removed" | "added"): "CRLF" | "LF" | null {
  const own = lines.filter((line) => line.kind === kind);
  const withReturn = own.filter(({ text }) => text.endsWith("\r")).length;
  if (own.length === 0 || (withReturn !== 0 && withReturn !== own.length)) return null;
  return withReturn === 0 ? "LF" : "CRLF";
}

/** Before and after; null where there is nothing, or the patch does not say. */
function kindsOf(patch: string): [string | null, string | null] {
  let [before, after]: [string | null, string | null] = [null, null];
  // A change of kind (file to link) is two patches behind each other.
  for (const head of patch.split(/^(?=diff --git )/m)) {
    for (const row of head.split("\n", HEAD_MOST_LINES)) {
      if (row.startsWith("@@")) break;
      const [, what = "", mode = ""] = /^(old mode|deleted file mode|new mode|new file mode) (\d+)$/.exec(row) ?? [];
      const [, both] = /^index [0-9a-f]+\.\.[0-9a-f]+ (\d+)$/.exec(row) ?? [];
      if (what.startsWith("old") || what.startsWith("deleted")) before = nameOf(mode);
      if (what.startsWith("new")) after = nameOf(mode);
      if (both !== undefined) [before, after] = [nameOf(both), nameOf(both)];
    }
  }
  return [before, after];
}

/** A patch says all of this before its first lines. */
const HEAD_MOST_LINES = 12;

function nameOf(mode: string): string {
  return KINDS[mode] ?? `mode ${mode}`;
}

const HIDDEN = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** A file's name with everything that cannot be seen written out, so that it cannot look like another. */
export function shownName(name: string): string {
  return name.replace(HIDDEN, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** `old name → name` of a renamed one. */
export function titleOf({ path, oldPath }: Pick<DiffFile, "path" | "oldPath">): string {
  return oldPath === null ? shownName(path) : `${shownName(oldPath)} → ${shownName(path)}`;
}
