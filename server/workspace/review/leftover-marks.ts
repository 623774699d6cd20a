/**
 * Which files a merge would bring into the base with the marks of a conflict that nobody resolved (W4): an agent that ends
 * in the middle of one is saved as ordinary work (W2), marks included. A look only, and a bounded one: where it takes too
 * long the merge goes on without it, and the log says so. Not looked into: what git holds for binary.
 */

import { displayName } from "../changes/staging";
import type { WorkspaceContext } from "../context";
import { git } from "../git/git";
import { GitProblem } from "../git/git-problem";

/** Fifty thousand changed files, loose on a slow disk. */
const LOOK_LIMIT_MS = 30_000;
/** Of the patches of files in which such lines come or go; what is beyond is not looked at. */
const PATCHES_LIMIT_BYTES = 4_000_000;

/** Lines that begin or end a conflict, also where an attribute makes the marks longer. `=======` underlines headings as well. */
const EITHER_MARK = "^(<<<<<<<+|>>>>>>>+)([[:space:]]|$)";
const GAINED_BEGINNING = /\n\+<{7,}\s/;
const GAINED_END = /\n\+>{7,}\s/;

const NEXT_PATCH = "\ndiff --git ";

/** Names of the files that gain both marks between two commits or trees, in git's order; none as well where it could not be told. */
export async function filesGainingMarks(
  context: Pick<WorkspaceContext, "log">,
  repository: string,
  from: string,
  to: string,
): Promise<readonly string[]> {
  const how = ["--raw", "-p", "-U0", "--no-renames", "--no-ext-diff", "--no-textconv", `-G${EITHER_MARK}`];
  const args = ["diff-tree", "-r", "-z", ...how, from, to, "--"];
  const chunks: Buffer[] = [];
  let bytes = 0;
  const onStdout = (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    return bytes <= PATCHES_LIMIT_BYTES;
  };
  try {
    await git({ at: repository, args, limitMs: LOOK_LIMIT_MS, onStdout });
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    context.log(`${repository}: merged without a look for conflict marks: ${error.message}`);
    return [];
  }
  if (bytes > PATCHES_LIMIT_BYTES) {
    context.log(
      `${repository}: only the first ${PATCHES_LIMIT_BYTES / 1e6} MB of patches were looked at for conflict marks.`,
    );
  }
  return namesOf(Buffer.concat(chunks).toString("latin1"));
}

/** `:modes objects letter NUL name NUL` for each file, one more NUL, then the patches in the same order. */
function namesOf(output: string): string[] {
  const endOfList = output.indexOf("\0\0");
  if (endOfList === -1) return [];
  const fields = output.slice(0, endOfList).split("\0");
  const owners: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = displayName(fields[at + 1] ?? "");
    owners.push(name);
    // git writes a change of kind (file to link) as two patches.
    if (/ T\d*$/.test(fields[at] ?? "")) owners.push(name);
  }
  const patches = output.slice(endOfList + 2).split(NEXT_PATCH);
  const marked = owners.filter((_, at) => {
    const patch = patches[at] ?? "";
    return GAINED_BEGINNING.test(patch) && GAINED_END.test(patch);
  });
  return [...new Set(marked)];
}
