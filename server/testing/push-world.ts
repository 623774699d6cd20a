/**
 * For tests of pushing: a bare repository that is pushed to, somebody else's clone of it, and a project with a task in either a
 * clone of its own or a person's repository.
 */
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import type { Merged, Pushed, ReviewRefused, Worktree } from "../ports/workspace";
import {
  commitAll,
  type GitWorld,
  makeGitWorld,
  makeRepository,
  prepareOk,
  requestFor,
  runGit,
  saveRequestFor,
  writeFiles,
} from "./git-repositories";

const NORA = { name: "Nora", email: "nora@example.test" };

export interface PushWorld extends GitWorld {
  /** The bare repository, and somebody else's clone of it. */
  readonly hub: string;
  readonly theirs: string;
  /** What the project uses, and its task; of the last `cloneIt` or `takeOwn`. */
  readonly repo: string;
  readonly made: Worktree;
  cloneIt(url?: string): Promise<void>;
  takeOwn(): Promise<void>;
  /** An agent's work, saved. */
  work(files: Record<string, string>): Promise<void>;
  merge(): Promise<Merged | ReviewRefused>;
  push(what: "branch" | "base"): Promise<Pushed | ReviewRefused>;
  /** Somebody else's commit at the hub. */
  goesOn(files: Record<string, string>): Promise<string>;
  hookAtHub(script: string, name?: string): Promise<void>;
  /** The commit of a name at the hub, and in the project's repository. */
  atHub(name: string): Promise<string>;
  here(name: string): Promise<string>;
}

export async function makePushWorld(): Promise<PushWorld> {
  const git = await makeGitWorld();
  const { folder, workspace } = git;
  const first = await makeRepository(join(folder, "first"), { "a.txt": "one\n", "b.txt": "b\n" });
  const hub = join(folder, "hub.git");
  await runGit(folder, "clone", "-q", "--bare", first, hub);
  const theirs = join(folder, "theirs");
  await runGit(folder, "clone", "-q", hub, theirs);
  let used: { readonly repo: string; readonly made: Worktree } | null = null;
  const need = () => {
    if (used === null) throw new Error("no repository was taken yet");
    return used;
  };
  const use = async (repo: string) => {
    used = { repo, made: await prepareOk(workspace, requestFor(repo)) };
  };
  return {
    ...git,
    hub,
    theirs,
    get repo() {
      return need().repo;
    },
    get made() {
      return need().made;
    },
    async cloneIt(url = `file://${hub}`) {
      const found = await workspace.clone("p1", url);
      if (found.kind === "refused") throw new Error(found.message);
      await use(found.path);
    },
    async takeOwn() {
      await runGit(folder, "clone", "-q", hub, join(folder, "own"));
      await use(join(folder, "own"));
    },
    async work(files) {
      const { repo, made } = need();
      await writeFiles(made.path, files);
      await workspace.save(saveRequestFor(repo, made));
    },
    merge() {
      const { repo, made } = need();
      const { branch, baseCommit } = made;
      const message = "Merge #1 Fix login";
      return workspace.merge({ repository: repo, baseBranch: "main", branch, baseCommit, message, author: NORA });
    },
    push(what) {
      const { repo, made } = need();
      return workspace.push({ repository: repo, baseBranch: "main", branch: made.branch, what });
    },
    async goesOn(files) {
      await runGit(theirs, "pull", "-q", "--ff-only");
      await writeFiles(theirs, files);
      const commit = await commitAll(theirs, "theirs");
      await runGit(theirs, "push", "-q", "origin", "main");
      return commit;
    },
    async hookAtHub(script, name = "pre-receive") {
      await writeFiles(join(hub, "hooks"), { [name]: `#!/bin/sh\n${script}\n` });
      await chmod(join(hub, "hooks", name), 0o755);
    },
    atHub: (name) => runGit(hub, "rev-parse", name),
    here: (name) => runGit(need().repo, "rev-parse", name),
  };
}
