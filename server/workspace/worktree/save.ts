/**
 * Work is never lost (W2): whatever an agent left in its worktree becomes a commit on the task's branch, by plumbing only: no
 * hook, no signing, no editor. A merge in progress is concluded with what is there; a rebase is left and its state is joined to the
 * branch; work on another commit or branch is joined likewise, conflict marks included. Nothing is dropped and no other
 * branch moves.
 * Order not to break: objects, then the branch, then HEAD, then the index; after each step the next save repairs the rest.
 */
import { constants } from "node:fs";
import { copyFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Saved, SaveRequest } from "../../ports/workspace";
import { changesFrom } from "../changes/changes-from";
import { countChanges } from "../changes/diff";
import { type Staged, stageWorktree } from "../changes/staging";
import type { WorkspaceContext } from "../context";
import { DURABLE, type GitCall, git, gitLine, READ_LIMIT_MS, tryGit, WITHOUT_HOOKS, WRITE_LIMIT_MS } from "../git/git";
import { sentenceFor, WorkspaceProblem } from "../git/git-problem";
import { environmentOf } from "../git/worktree-list";
import { exists } from "../places";
import { readHead, type WorktreeHead } from "../repository/head";
import { commitOf, inspectRepository, type Repository } from "../repository/repository";
import { clearDeadLocks, ownGitDirectory, returnToBranch } from "./leftovers";

/** What joining decided: where the branch goes, and what HEAD and index then stand for. */
interface Outcome {
  readonly tip: string;
  /** `branch`: HEAD belongs on the branch; a commit: HEAD stays there, detached; null: HEAD is left alone. */
  readonly head: "branch" | { readonly commit: string } | null;
}

interface Saving {
  readonly context: WorkspaceContext;
  readonly repository: Repository;
  readonly request: SaveRequest;
  readonly worktree: string;
  readonly own: string;
  readonly staged: Staged;
}

export async function saveWork(context: WorkspaceContext, request: SaveRequest): Promise<Saved> {
  const repository = await inspectRepository(context.places, request.repository);
  if (repository.kind === "refused") throw new WorkspaceProblem(repository.message);
  const worktree = await context.places.find(request.worktree);
  try {
    const isWorktreeGone = !(await exists(worktree));
    const leftOut = isWorktreeGone ? [] : await saveWorktree(context, repository, worktree, request);
    const tip = (await commitOf(repository.path, `refs/heads/${request.branch}`)) ?? request.baseCommit;
    const from = await changesFrom(repository.path, request, tip);
    return {
      kind: "saved",
      headCommit: tip,
      ...(await countChanges(repository.path, from, tip)),
      leftOut,
      isWorktreeGone,
    };
  } catch (error) {
    throw new WorkspaceProblem(
      `The work in ${worktree} could not be committed; it stays there. ${sentenceFor(error)}`,
      {
        cause: error,
      },
    );
  }
}

async function saveWorktree(
  context: WorkspaceContext,
  repository: Repository,
  worktree: string,
  request: SaveRequest,
): Promise<readonly string[]> {
  const own = await ownGitDirectory(context, repository, worktree);
  return context.places.withScratch(async (scratch) => {
    // Objects need no turn (their name is their content); refs, HEAD and index do.
    const place = { worktree, own, shared: repository.gitDirectory, scratch };
    const staged = await stageWorktree(place, "keep");
    const saving: Saving = { context, repository, request, worktree, own, staged };
    await context.turns.onGitDirectory(repository.gitDirectory, () => commitStaged(saving));
    return staged.leftOut;
  });
}

async function commitStaged(saving: Saving): Promise<void> {
  const { context, repository, worktree, own, request } = saving;
  await clearDeadLocks(context, repository, worktree, own, request.branch);
  const head = await readHead(own, repository.path, request.branch);
  const outcome = await joinToBranch(saving, head);
  await moveBranch(saving, head.tip, outcome.tip);
  if (outcome.head === null) return returnToBranch(context, worktree, own, request.branch);
  await moveHead(saving, head, outcome.head);
  await replaceIndex(saving);
  await endOperations(saving);
  if (outcome.head !== "branch") await returnToBranch(context, worktree, own, request.branch);
}

/** The branch's next commit from what the worktree holds and where its HEAD stands. */
async function joinToBranch(saving: Saving, head: WorktreeHead): Promise<Outcome> {
  const { staged, request } = saving;
  const isDirty = staged.tree !== head.tree || head.mergeHeads.length > 0;
  if (head.isOnBranch || head.commit === null) {
    const parent = head.tip ?? request.baseCommit;
    const isNeeded = isDirty && (head.tip !== null || staged.tree !== (await treeOf(saving, parent)));
    return { tip: isNeeded ? await commit(saving, staged.tree, [parent, ...head.mergeHeads]) : parent, head: "branch" };
  }
  const tip = head.tip ?? request.baseCommit;
  const hasNewCommits = !(await isAncestor(saving, head.commit, tip));
  const isStray = hasNewCommits && (head.isOnOtherBranch || !(await isOnAnyBranch(saving, head.commit)));
  if (!isDirty && !isStray) return { tip, head: null };

  const found = isDirty ? await commit(saving, staged.tree, [head.commit, ...head.mergeHeads]) : head.commit;
  if (await isAncestor(saving, tip, found)) return { tip: found, head: "branch" };
  const merged = await commit(saving, await mergedTree(saving, tip, found), [tip, found]);
  return { tip: merged, head: { commit: found } };
}

async function commit(saving: Saving, tree: string, parents: readonly string[]): Promise<string> {
  const { name, email } = saving.context.author;
  const message = saving.request.message.replaceAll("\0", "").trim() || "Work of the session";
  return gitLine({
    at: saving.repository.path,
    options: [...DURABLE, "-c", "i18n.commitEncoding=UTF-8"],
    args: ["commit-tree", "--no-gpg-sign", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"],
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

/** With conflicts the tree holds both sides and git's marks: it is for a person or the next session to resolve. */
async function mergedTree(saving: Saving, ours: string, theirs: string): Promise<string> {
  const args = ["merge-tree", "--write-tree", "--allow-unrelated-histories", "--no-messages", ours, theirs];
  const end = await tryGit({ at: saving.repository.path, args, limitMs: WRITE_LIMIT_MS });
  const tree = /^[0-9a-f]{40,64}/.exec(end.stdout.toString("utf8"))?.[0];
  if (tree === undefined)
    throw new WorkspaceProblem(`The work could not be joined to the branch: ${end.stderr.trim()}`);
  return tree;
}

/** Only from what it was: somebody who moved the branch in between is not overwritten. */
async function moveBranch(saving: Saving, from: string | null, to: string): Promise<void> {
  if (from === to) return;
  const args = ["update-ref", "-m", "camelot: work saved", `refs/heads/${saving.request.branch}`, to, from ?? ""];
  await git({ at: saving.repository.path, options: WITHOUT_HOOKS, args, limitMs: WRITE_LIMIT_MS });
}

async function moveHead(saving: Saving, head: WorktreeHead, to: "branch" | { commit: string }): Promise<void> {
  if (to === "branch" && head.isOnBranch) return;
  const ref = `refs/heads/${saving.request.branch}`;
  const args =
    to === "branch"
      ? ["symbolic-ref", "-m", "camelot: work saved", "HEAD", ref]
      : ["update-ref", "--no-deref", "HEAD", to.commit];
  await git(inWorktree(saving, args));
}

/** The agent's index becomes the one just committed; otherwise its next `commit -a` would delete what we added. */
async function replaceIndex(saving: Saving): Promise<void> {
  const lock = join(saving.own, "index.lock");
  try {
    await copyFile(saving.staged.indexFile, lock, constants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    saving.context.log(`${lock} is held; the index of ${saving.worktree} was not brought up to date.`);
    return;
  }
  await rename(lock, join(saving.own, "index")).catch(async (error: unknown) => {
    await rm(lock, { force: true });
    throw error;
  });
}

/** What was in progress is in the commit now. `rebase --quit` keeps an autostash. */
async function endOperations(saving: Saving): Promise<void> {
  const operations = [
    ["MERGE_HEAD", "merge"],
    ["rebase-merge", "rebase"],
    ["rebase-apply", "rebase"],
    ["CHERRY_PICK_HEAD", "cherry-pick"],
    ["REVERT_HEAD", "revert"],
    ["sequencer", "cherry-pick"],
  ] as const;
  for (const [mark, verb] of operations) {
    if (await exists(join(saving.own, mark))) await tryGit(inWorktree(saving, [verb, "--quit"]));
  }
}

async function treeOf(saving: Saving, commitName: string): Promise<string> {
  return gitLine({ at: saving.repository.path, args: ["rev-parse", `${commitName}^{tree}`], limitMs: READ_LIMIT_MS });
}

async function isAncestor(saving: Saving, older: string, newer: string): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", older, newer];
  return (await tryGit({ at: saving.repository.path, args, limitMs: READ_LIMIT_MS })).code === 0;
}

async function isOnAnyBranch(saving: Saving, commitName: string): Promise<boolean> {
  const args = ["for-each-ref", "--count=1", `--contains=${commitName}`, "refs/heads", "refs/remotes"];
  return (await git({ at: saving.repository.path, args, limitMs: READ_LIMIT_MS })).stdout.length > 0;
}

function inWorktree(saving: Saving, args: readonly string[]): GitCall {
  const environment = environmentOf(saving.worktree, saving.own);
  return { at: saving.worktree, options: WITHOUT_HOOKS, args, environment, limitMs: WRITE_LIMIT_MS };
}
