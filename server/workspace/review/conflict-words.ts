/** How a refused merge tells its conflicts: a few names for each kind in the sentence, and the list beside it. */
import type { ReviewRefused } from "../../ports/workspace";
import type { FileConflict } from "../git/merge-conflicts";
import { NAMED_FILES, nameFiles } from "./base-trees";

/** “ in “a.txt” and 1 more (…), “b.txt” (…)”; empty where git names no file. */
export function inFiles(conflicts: readonly FileConflict[]): string {
  const kinds = [...new Set(conflicts.map(({ kind }) => kind))];
  const parts = kinds.map((kind) => {
    const files = conflicts.filter((conflict) => conflict.kind === kind).map(({ file }) => file);
    return `${nameFiles(files)} (${kind})`;
  });
  return parts.length === 0 ? "" : ` in ${parts.join(", ")}`;
}

export function namedConflicts(conflicts: readonly FileConflict[]): Pick<ReviewRefused, "files" | "kinds"> {
  const named = conflicts.slice(0, NAMED_FILES);
  return { files: named.map(({ file }) => file), kinds: named.map(({ kind }) => kind) };
}
