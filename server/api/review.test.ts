/** Diff, merge, push, discard and restore over HTTP (W4, W5). In one file, as all of it is done to one reviewed task. */
import { access, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type ApiWorld, apiWorld } from "../testing/api-world";
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
} from "../testing/git-repositories";
import { waitFor } from "../testing/wait-for";

let git: GitWorld;
let world: ApiWorld;
let repo = "";
let project = "";

beforeAll(async () => {
  git = await makeGitWorld();
  world = await apiWorld({ git: git.workspace });
  await world.addUser("nora", "admin");
  await world.addUser("omar");
});
beforeEach(async () => {
  repo = await makeRepository(join(git.folder, crypto.randomUUID()), { "a.txt": "one\n" });
  project = await world.project("nora", ["omar"], repo);
});
afterEach(() => expect(world.bugs).toEqual([]));
afterAll(async () => {
  await world.close();
  await git.remove();
});

const ask = (method: string, path: string, body?: unknown, who = "omar") => world.ask(who, method, path, { body });
const merge = (task: string) => ask("POST", `/tasks/${task}/merge`);
const main = () => runGit(repo, "rev-parse", "main");

/** A task in Review whose agent wrote these files. */
async function reviewed(files: Record<string, string>): Promise<{ id: string; worktree: string; branch: string }> {
  const id = await world.task("omar", project, "Fix login");
  const session = (await ask("POST", `/tasks/${id}/dispatch`)).body.session.id;
  const { number } = (await ask("GET", `/tasks/${id}`)).body;
  const made = await prepareOk(git.workspace, requestFor(repo, { projectId: project, taskId: id, number }));
  await world.sql`update tasks set branch = ${made.branch}, worktree = ${made.path}, base_commit = ${made.baseCommit}
    where id = ${id}`;
  await writeFiles(made.path, files);
  await git.workspace.save(saveRequestFor(repo, made));
  await waitFor(async () => (await ask("GET", `/sessions/${session}`)).body.status === "running", "a seat");
  world.endAgent(session);
  await waitFor(async () => (await ask("GET", `/tasks/${id}`)).body.column === "review", "the card in Review");
  return { id, worktree: made.path, branch: made.branch };
}

test("[W4] a merged task is in Done and says who merged it, into what, as which commit; once more changes nothing", async () => {
  const { id, worktree, branch } = await reviewed({ "a.txt": "two\n" });
  const merged = await merge(id);
  expect([merged.status, merged.body]).toEqual([200, expect.objectContaining({ column: "done", shelfBy: "omar" })]);
  expect(merged.headers.get("x-pool-version")).toMatch(/^\d+\.\d+$/);
  const outcome = { kind: "merged", at: expect.any(String), by: "omar", commit: await main(), base: "main" };
  expect(merged.body.outcome).toEqual(outcome);
  expect(await runGit(repo, "log", "-1", "--format=%an %ae %s", "main")).toBe(
    "omar omar@example.test Merge #1 Fix login",
  );
  expect((await merge(id)).body.outcome).toMatchObject({ kind: "merged", commit: outcome.commit });
  await waitFor(async () => !(await isThere(worktree)), "the worktree tidied away");
  expect(await runGit(repo, "branch", "--list", branch)).toContain(branch);
  expect((await merge(id)).body.outcome).toMatchObject({ kind: "merged", commit: outcome.commit });
});

test("[W4] what somebody changed in the worktree after the session is shown in the diff, and so it is merged", async () => {
  const { id, worktree } = await reviewed({ "a.txt": "two\n" });
  await writeFiles(worktree, { "by-hand.txt": "mine\n" });
  expect((await merge(id)).status).toBe(200);
  expect(await runGit(repo, "show", "main:by-hand.txt")).toBe("mine");
});

test("[W4] the server died between git and the row: the same press finds the merge and writes it down", async () => {
  const { id } = await reviewed({ "a.txt": "two\n" });
  const { commit } = (await merge(id)).body.outcome;
  await world.sql`update tasks set outcome = null, outcome_at = null, outcome_by = null, outcome_commit = null,
    outcome_base = null, shelf = 'backlog', shelf_session_id = null where id = ${id}`;
  expect((await ask("GET", `/tasks/${id}`)).body).toMatchObject({ column: "review", outcome: null });
  expect((await merge(id)).body).toMatchObject({ column: "done", outcome: { kind: "merged", commit } });
  expect(await main()).toBe(commit);
});

test("[W4] a conflict is a 409 that names files, a base that is not clean one that names path and files", async () => {
  const { id } = await reviewed({ "a.txt": "two\n" });
  await writeFiles(repo, { "a.txt": "dirty\n" });
  const dirty = await merge(id);
  expect([dirty.status, dirty.body]).toEqual([
    409,
    {
      code: "BASE_NOT_CLEAN",
      message: expect.stringContaining("“a.txt” is not committed"),
      path: repo,
      files: ["a.txt"],
    },
  ]);
  await commitAll(repo, "mine");
  const conflict = await merge(id);
  expect([conflict.status, conflict.body]).toEqual([
    409,
    {
      code: "MERGE_CONFLICT",
      message: expect.stringContaining("“a.txt”"),
      files: ["a.txt"],
      kinds: ["the same lines changed by both"],
    },
  ]);
  expect((await ask("GET", `/tasks/${id}`)).body).toMatchObject({ column: "review", outcome: null });
});

test("[W4][W2] an agent that ended in the middle of a conflict is saved, and its marks come into the base only after a yes", async () => {
  const { id, branch, worktree } = await reviewed({ "a.txt": "two\n" });
  await runGit(worktree, "checkout", "-q", "-b", "other", "HEAD~1");
  await writeFiles(worktree, { "a.txt": "three\n" });
  await commitAll(worktree, "three");
  await runGit(worktree, "checkout", "-q", branch);
  await expect(runGit(worktree, "merge", "other")).rejects.toThrow();
  const before = await main();
  const asked = await merge(id);
  expect([asked.status, asked.body]).toEqual([
    409,
    { code: "CONFIRM", message: expect.stringContaining("“a.txt”"), files: ["a.txt"] },
  ]);
  expect(asked.body.message).toContain("into main");
  expect(await runGit(repo, "show", `${branch}:a.txt`)).toContain("<<<<<<< HEAD\ntwo\n=======\nthree\n>>>>>>> other");
  expect(await main()).toBe(before);
  expect((await ask("POST", `/tasks/${id}/merge?confirm=false`)).body.code).toBe("CONFIRM");
  expect((await ask("GET", `/tasks/${id}`)).body).toMatchObject({ column: "review", outcome: null });
  const merged = await ask("POST", `/tasks/${id}/merge?confirm=true`);
  expect([merged.status, merged.body.outcome?.kind]).toEqual([200, "merged"]);
  expect((await merge(id)).status).toBe(200);
});

test("[W4][P3] while an agent works or the task waits nothing ends its review", async () => {
  const { id } = await reviewed({ "a.txt": "two\n" });
  const session = (await ask("POST", `/tasks/${id}/dispatch`)).body.session.id;
  for (const call of ["merge", "push", "discard", "restore"]) {
    const refused = await ask("POST", `/tasks/${id}/${call}`);
    expect([call, refused.status, refused.body.code, refused.body.sessionId]).toEqual([
      call,
      409,
      "SESSION_LIVE",
      session,
    ]);
  }
  await waitFor(async () => (await ask("GET", `/sessions/${session}`)).body.status === "running", "a seat");
  world.endAgent(session);
});

test("[W4] a task nobody has worked on has nothing to merge or to push", async () => {
  const id = await world.task("omar", project);
  expect((await merge(id)).body.code).toBe("NOTHING_TO_MERGE");
  expect((await ask("POST", `/tasks/${id}/push`)).body.code).toBe("PUSH_REFUSED");
});

test("[W4][W2] work that cannot be committed is not merged around; once it can, its mark goes", async () => {
  const { id, worktree } = await reviewed({ "a.txt": "two\n" });
  await world.sql`update sessions set work_unsaved = 'The disk is full.' where task_id = ${id}`;
  expect((await ask("GET", `/tasks/${id}`)).body).toMatchObject({ unsavedIn: worktree });
  await writeFiles(worktree, { "late.txt": "late\n" });
  const lock = join(await runGit(worktree, "rev-parse", "--absolute-git-dir"), "HEAD");
  await world.sql`update sessions set files = null, additions = null, deletions = null where task_id = ${id}`;
  const kept = await runGit(repo, "rev-parse", "refs/heads/main");
  await writeFiles(join(lock, ".."), { HEAD: "nonsense\n" });
  const refused = await merge(id);
  expect([refused.status, refused.body.code]).toEqual([409, "WORK_UNSAVED"]);
  expect(await main()).toBe(kept);
  await writeFiles(join(lock, ".."), { HEAD: `ref: refs/heads/${(await ask("GET", `/tasks/${id}`)).body.branch}\n` });
  const merged = await merge(id);
  expect(merged.body).toMatchObject({ column: "done", session: { workUnsaved: null }, unsavedIn: null });
  expect(merged.body.session).toMatchObject({ files: 2, additions: 2, deletions: 1 });
  expect(await runGit(repo, "show", "main:late.txt")).toBe("late");
});

test("[W4][R14] a discarded task is in Done, its branch stays, its worktree goes; it comes back from its branch", async () => {
  const { id, worktree, branch } = await reviewed({ "a.txt": "two\n" });
  const before = await main();
  const discarded = await ask("POST", `/tasks/${id}/discard`);
  expect(discarded.body).toMatchObject({
    column: "done",
    outcome: { kind: "discarded", by: "omar", commit: null, base: null },
  });
  expect((await ask("POST", `/tasks/${id}/discard`)).body.outcome).toEqual(discarded.body.outcome);
  await waitFor(async () => !(await isThere(worktree)), "the worktree tidied away");
  expect((await ask("POST", `/tasks/${id}/dispatch`)).body.code).toBe("REOPEN_FIRST");
  const back = await ask("POST", `/tasks/${id}/restore`);
  expect([back.status, back.body]).toEqual([200, expect.objectContaining({ column: "review", outcome: null, branch })]);
  expect((await ask("POST", `/tasks/${id}/restore`)).body.column).toBe("review");
  expect((await ask("GET", `/tasks/${id}/diff`)).body.files).toHaveLength(1);
  expect(await main()).toBe(before);
  expect((await merge(id)).body.outcome.kind).toBe("merged");
  for (const call of ["discard", "restore"]) {
    expect((await ask("POST", `/tasks/${id}/${call}`)).body.code).toBe("CONFLICT");
  }
});

test("[W4][R14] the worktree of a discarded task stays while something in it is left out of saving", async () => {
  const { id, worktree } = await reviewed({ "a.txt": "two\n", id_rsa: "a secret\n" });
  expect((await ask("POST", `/tasks/${id}/discard`)).status).toBe(200);
  await git.workspace.merge({
    repository: repo,
    baseBranch: "main",
    branch: "none",
    baseCommit: await main(),
    message: "",
    author: NOBODY,
  }); // the tidying had its turn before this one
  expect(await isThere(join(worktree, "id_rsa"))).toBe(true);
});

test("[W4][B3] a card that is dragged out of Done is open again: nothing says merged any more", async () => {
  const { id } = await reviewed({ "a.txt": "two\n" });
  await merge(id);
  const moved = await ask("POST", `/tasks/${id}/move`, { column: "review" });
  expect(moved.body).toMatchObject({ column: "review", outcome: null });
});

test("[W4][L3] every open board hears what became of a task", async () => {
  const { id } = await reviewed({ "a.txt": "two\n" });
  world.told.length = 0;
  await merge(id);
  expect(world.told).toContainEqual({ kind: "tasksChanged", about: project });
  const [card] = await world.board.cards(project, [id]);
  expect(card?.outcome?.kind).toBe("merged");
});

test("[W4] the task names what was pushed, branch or base, and the project knows which merges its remote lacks", async () => {
  const { id, branch } = await reviewed({ "a.txt": "two\n" });
  const look = async () => (await ask("GET", `/projects/${project}`)).body.remote;
  expect(await look()).toMatchObject({ kind: "nowhere" });
  const hub = `${repo}-hub.git`;
  await runGit(repo, "clone", "-q", "--bare", repo, hub);
  await runGit(repo, "remote", "add", "origin", hub);
  await runGit(repo, "fetch", "-q");
  const push = (what: string) => ask("POST", `/tasks/${id}/push`, { what });
  const sent = (await push("branch")).body;
  expect(sent).toMatchObject({ pushedAt: expect.any(String), pushedBranch: branch });
  const { outcome } = (await merge(id)).body;
  expect(await look()).toMatchObject({ kind: "remote", name: "origin", unpushed: [outcome.commit] });
  expect((await push("base")).body).toMatchObject({ pushedBranch: "main" });
  expect(await look()).toMatchObject({ unpushed: [] });
  await rm(hub, { recursive: true });
});

test("[W4][B7] how many commits of the base a task's branch lacks is told, and null while it has none", async () => {
  const behind = async (task: string) => (await ask("GET", `/tasks/${task}/base`)).body;
  expect(await behind(await world.task("omar", project, "Not begun"))).toEqual({ behind: null, passedOver: [] });
  const { id } = await reviewed({ "b.txt": "mine\n" });
  expect(await behind(id)).toEqual({ behind: 0, passedOver: [] });
  await writeFiles(repo, { "c.txt": "moved on\n" });
  await commitAll(repo, "moved on");
  expect(await behind(id)).toEqual({ behind: 1, passedOver: [] });
});

test("[W4] the repository is gone: one sentence, and the task stays where it is", async () => {
  const { id } = await reviewed({ "a.txt": "two\n" });
  await rm(repo, { recursive: true });
  for (const call of ["merge", "push"]) {
    const refused = await ask("POST", `/tasks/${id}/${call}`);
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining(repo)]);
  }
  expect((await ask("GET", `/tasks/${id}`)).body.column).toBe("review");
});

const NOBODY = { name: "", email: "" };

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
