/**
 * Merges as objects: a tree from two commits and the commit that joins them. Moves no ref and touches no file; what it wrote
 * and nobody points to, git's own housekeeping takes away.
 */
import { DURABLE, gitLine, READ_LIMIT_MS, tryGit, WRITE_LIMIT_MS } from "./git";
import { GitProblem, lastWords } from "./git-problem";
import { type FileConflict, readConflicts } from "./merge-conflicts";

/** Two trees of fifty thousand files with renames. */
const MERGE_LIMIT_MS = 120_000;
const ENCODING = ["-c", "i18n.commitEncoding=UTF-8"];

export type MergedTree =
  | { readonly kind: "tree"; readonly tree: string }
  | { readonly kind: "conflict"; readonly conflicts: readonly FileConflict[] }
  /** The two have no commit in common. */
  | { readonly kind: "unrelated" };

export interface Person {
  readonly name: string;
  readonly email: string;
}

export async function mergedTree(repository: string, ours: string, theirs: string): Promise<MergedTree> {
  const args = ["merge-tree", "--write-tree", "-z", "--messages", "--end-of-options", ours, theirs];
  const end = await tryGit({ at: repository, options: DURABLE, args, limitMs: MERGE_LIMIT_MS });
  const [tree = "", ...fields] = end.stdout.toString("utf8").split("\0");
  const isTree = /^[0-9a-f]{40,64}$/.test(tree);
  if (end.code === 0 && isTree) return { kind: "tree", tree };
  if (end.code === 1 && isTree) return { kind: "conflict", conflicts: readConflicts(fields) };
  if (/unrelated histories/.test(end.stderr)) return { kind: "unrelated" };
  throw new GitProblem("failed", "merge-tree", end.code, end.stderr, `The merge failed: ${lastWords(end.stderr)}`);
}

/** Unsigned and without hooks, like all that Camelot commits (W2). */
export async function commitMerge(
  repository: string,
  merge: { readonly tree: string; readonly parents: readonly string[]; readonly message: string; readonly by: Person },
): Promise<string> {
  const { name, email } = identOf(merge.by);
  const message = merge.message.replaceAll("\0", "").trim();
  return gitLine({
    at: repository,
    options: [...DURABLE, ...ENCODING],
    args: ["commit-tree", "--no-gpg-sign", merge.tree, ...merge.parents.flatMap((parent) => ["-p", parent]), "-F", "-"],
    environment: {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    },
    stdin: `${message}\n`,
    limitMs: WRITE_LIMIT_MS,
  });
}

export async function treeOf(repository: string, commit: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`];
  return gitLine({ at: repository, args, limitMs: READ_LIMIT_MS });
}

export async function isAncestor(repository: string, older: string, newer: string): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", older, newer];
  return (await tryGit({ at: repository, args, limitMs: READ_LIMIT_MS })).code === 0;
}

/** The first commit of `newer`'s own line that has `older` in it: of a merge, the merge commit; `older` itself if it is on it. */
export async function arrivalOf(repository: string, older: string, newer: string): Promise<string> {
  const args = ["rev-list", "--first-parent", "--ancestry-path", `${older}..${newer}`, "--"];
  const commits = (await gitLine({ at: repository, args, limitMs: READ_LIMIT_MS })).split("\n").filter(Boolean);
  const first = commits.at(-1);
  if (first === undefined) return older;
  const parent = ["rev-parse", "--verify", "--end-of-options", `${first}^1`];
  const before = await gitLine({ at: repository, args: parent, limitMs: READ_LIMIT_MS });
  return before === older ? older : first;
}

/** git refuses a name that is nothing but punctuation, and drops what would end it early. */
function identOf({ name, email }: Person): Person {
  const clean = (text: string) =>
    text
      .replace(/[\p{Cc}<>]/gu, " ")
      .replace(/\s+/g, " ")
      .trim();
  const address = clean(email);
  const isName = /[^\s.,:;<>"\\']/.test(clean(name));
  return { name: isName ? clean(name) : address || "Camelot", email: address };
}
