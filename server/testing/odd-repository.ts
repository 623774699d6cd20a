/** What a line in the table of odd repositories says, and the ordinary ones that the odd ones are made from. */
import { join } from "node:path";
import { commitAll, makeRepository, runGit } from "./git-repositories";

export interface OddRepository {
  /** Makes the repository, as its person has it, in this folder of its own, and gives its path. */
  readonly make: (folder: string) => Promise<string>;
  /** The task's; without it `main`. */
  readonly base?: string;
  /** What the agent leaves; without it `a.txt` changed and `new.txt` added. */
  readonly work?: (tree: string) => Promise<void>;
  /** What the person does between the agent's work and the merge. */
  readonly meanwhile?: (repo: string) => Promise<void>;
  /** What a merge answers; `moved`: the person's tree stands on the base and follows. */
  readonly merge: "merged" | "moved" | { readonly code: string; readonly says?: RegExp };
  /** Options of `git clone` with which a fresh checkout is the same. */
  readonly fresh?: readonly string[];
}

export const FILES = { "a.txt": "one\n", "b.txt": "b\n" };

export function plain(folder: string): Promise<string> {
  return makeRepository(join(folder, "repo"), FILES);
}

/** The person's tree stands on a branch of theirs. */
export async function plainOn(folder: string, branch: string): Promise<string> {
  const repo = await plain(folder);
  await runGit(repo, "checkout", "-q", "-b", branch);
  return repo;
}

export async function withSubmodule(folder: string): Promise<string> {
  const inner = await makeRepository(join(folder, "inner"), { "inner.txt": "inner\n" });
  const repo = await plain(folder);
  await runGit(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "sub");
  await commitAll(repo, "with a submodule");
  return repo;
}
