import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Worktree } from "../../ports/workspace";
import { serveOverHttp } from "../../testing/git-over-http";
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
  writeHook,
} from "../../testing/git-repositories";
import { photoOf } from "../../testing/tree-photo";

const NORA = { name: "Nora", email: "nora@example.test" };

let world: GitWorld;
/** A bare repository, and a person's clone of it. */
let hub = "";
let theirs = "";
/** What the project uses, and its task. */
let repo = "";
let made: Worktree;

beforeEach(async () => {
  world = await makeGitWorld();
  const first = await makeRepository(join(world.folder, "first"), { "a.txt": "one\n", "b.txt": "b\n" });
  hub = join(world.folder, "hub.git");
  await runGit(world.folder, "clone", "-q", "--bare", first, hub);
  theirs = join(world.folder, "theirs");
  await runGit(world.folder, "clone", "-q", hub, theirs);
});
afterEach(() => world.remove());

async function cloneIt(url = `file://${hub}`): Promise<void> {
  const found = await world.workspace.clone("p1", url);
  if (found.kind === "refused") throw new Error(found.message);
  repo = found.path;
  made = await prepareOk(world.workspace, requestFor(repo));
}

async function takeOwn(): Promise<void> {
  repo = join(world.folder, "own");
  await runGit(world.folder, "clone", "-q", hub, repo);
  made = await prepareOk(world.workspace, requestFor(repo));
}

async function work(files: Record<string, string>): Promise<void> {
  await writeFiles(made.path, files);
  await world.workspace.save(saveRequestFor(repo, made));
}

function merge() {
  const { branch, baseCommit } = made;
  return world.workspace.merge({
    ...{ repository: repo, baseBranch: "main", branch, baseCommit, message: "Merge #1 Fix login", author: NORA },
  });
}

const push = (what: "branch" | "base") =>
  world.workspace.push({ repository: repo, baseBranch: "main", branch: made.branch, what });

/** Somebody else's commit at the hub. */
async function goesOn(files: Record<string, string>): Promise<string> {
  await runGit(theirs, "pull", "-q", "--ff-only");
  await writeFiles(theirs, files);
  const commit = await commitAll(theirs, "theirs");
  await runGit(theirs, "push", "-q", "origin", "main");
  return commit;
}

const atHub = (name: string) => runGit(hub, "rev-parse", name);
const here = (name: string) => runGit(repo, "rev-parse", name);

test("[W4] a task's branch of a clone is pushed to origin, and twice is harmless", async () => {
  await cloneIt();
  await work({ "a.txt": "two\n" });
  expect(await push("branch")).toEqual({ kind: "pushed", remote: "origin" });
  expect(await atHub(made.branch)).toBe(await here(made.branch));
  expect(await push("branch")).toEqual({ kind: "pushed", remote: "origin" });
});

test("[W4] a clone is merged into its own base, a fetch loses nothing of it, and pushing the base sends it", async () => {
  await cloneIt();
  await work({ "a.txt": "two\n" });
  const merged = await merge();
  expect(merged).toEqual({ kind: "merged", commit: await here("main") });
  expect(await atHub("main")).not.toBe(await here("main"));
  const moved = await world.workspace.moveClone("p1", `file://${hub}`, "main"); // fetches at once
  expect(moved.kind).toBe("ok");
  expect(merged).toEqual({ kind: "merged", commit: await here("main") });
  expect(await push("base")).toEqual({ kind: "pushed", remote: "origin" });
  expect(await atHub("main")).toBe(await here("main"));
});

test("[W4] the base went on at origin meanwhile: both are kept, and pushing sends what joins them", async () => {
  await cloneIt();
  await work({ "a.txt": "two\n" });
  await merge();
  const other = await goesOn({ "b.txt": "theirs\n" });
  expect(await push("base")).toEqual({ kind: "pushed", remote: "origin" });
  expect(await runGit(hub, "log", "--format=%s", "-1", "main")).toBe("Merge origin/main into main");
  expect(await runGit(hub, "show", "main:a.txt")).toBe("two");
  expect(await runGit(hub, "show", "main:b.txt")).toBe("theirs");
  expect(await runGit(hub, "merge-base", "--is-ancestor", other, "main")).toBe("");
  const next = await prepareOk(world.workspace, requestFor(repo, { number: 2 }));
  expect(next.baseCommit).toBe(await atHub("main"));
});

test("[W4] what went on at origin contradicts a merge that was not pushed: named, and neither is touched", async () => {
  await cloneIt();
  await work({ "a.txt": "two\n" });
  await merge();
  const [base, other] = [await here("main"), await goesOn({ "a.txt": "theirs\n" })];
  expect(await push("base")).toMatchObject({ code: "PUSH_REFUSED", message: expect.stringContaining("“a.txt”") });
  expect([await here("main"), await atHub("main")]).toEqual([base, other]);
  expect(await push("branch")).toMatchObject({ kind: "pushed" });
});

test("[W4] a history that was rewritten at origin is followed, but never under a merge that was not pushed", async () => {
  await goesOn({ "b.txt": "theirs\n" });
  await cloneIt();
  await work({ "a.txt": "two\n" });
  const rewrite = async (message: string) => {
    await runGit(theirs, "commit", "-q", "--amend", "-m", message);
    await runGit(theirs, "push", "-q", "--force", "origin", "main");
    await world.workspace.moveClone("p1", `file://${hub}`, "main"); // fetches at once
  };
  await rewrite("rewritten");
  expect(await here("main")).toBe(await atHub("main"));
  await merge();
  const merged = await here("main");
  await rewrite("rewritten again");
  expect(await here("main")).toBe(merged);
  expect(await push("base")).toMatchObject({ code: "PUSH_REFUSED", message: expect.stringContaining("was rewritten") });
  expect(await push("branch")).toMatchObject({ kind: "pushed" });
});

test("[W4] somebody else pushed to the task's branch: nothing is overwritten", async () => {
  await cloneIt();
  await work({ "a.txt": "two\n" });
  await push("branch");
  await runGit(theirs, "fetch", "-q");
  await runGit(theirs, "checkout", "-q", made.branch);
  const other = await commitAll(theirs, "a reviewer's");
  await runGit(theirs, "push", "-q", "origin", made.branch);
  await work({ "a.txt": "three\n" });
  expect(await push("branch")).toMatchObject({
    code: "PUSH_REFUSED",
    message: `${made.branch} has commits at origin that are not here. Nothing was overwritten: bring them in first, then push again.`,
  });
  expect(await atHub(made.branch)).toBe(other);
});

test.each([
  ["pre-receive", "echo 'main is protected, ask Nora' >&2; exit 1"],
  ["update", 'test "$1" != refs/heads/main || { echo "main is protected, ask Nora" >&2; exit 1; }'],
])("[W4] a %s hook at the remote that says no is quoted", async (name, script) => {
  await cloneIt();
  await work({ "a.txt": "two\n" });
  await merge();
  const before = await atHub("main");
  await writeFiles(join(hub, "hooks"), { [name]: `#!/bin/sh\n${script}\n` });
  await chmod(join(hub, "hooks", name), 0o755);
  const refused = await push("base");
  expect(refused).toMatchObject({
    code: "PUSH_REFUSED",
    message:
      "origin does not take main: the branch is protected, or a hook there said no. It says: “main is protected, ask Nora”",
  });
  expect(await atHub("main")).toBe(before);
});

test("[W4] a person's own repository is pushed with their hooks and to what the base follows; the tree stays as it is", async () => {
  await takeOwn();
  await work({ "a.txt": "two\n" });
  await writeFiles(repo, { "notes.txt": "mine\n" });
  await runGit(repo, "push", "-q", "origin", "main:trunk");
  await runGit(repo, "config", "branch.main.merge", "refs/heads/trunk");
  const before = await photoOf(repo);
  expect(await push("branch")).toEqual({ kind: "pushed", remote: "origin" });
  expect(await photoOf(repo)).toEqual(before);
  await writeHook(repo, "pre-push", "#!/bin/sh\necho 'the tests are red' >&2\nexit 1\n");
  await work({ "a.txt": "three\n" });
  expect(await push("branch")).toMatchObject({
    code: "PUSH_REFUSED",
    message: "The repository's own pre-push hook said no: “the tests are red”",
  });
  await chmod(join(repo, ".git", "hooks", "pre-push"), 0o644);
  const main = await atHub("main");
  expect(await merge()).toMatchObject({ kind: "merged" });
  expect(await push("base")).toEqual({ kind: "pushed", remote: "origin" });
  expect([await atHub("trunk"), await atHub("main")]).toEqual([await here("main"), main]);
});

test("[W4] git is killed in the middle of a push: both repositories are sound, and the next press pushes", async () => {
  await takeOwn();
  await work({ "a.txt": "two\n" });
  await writeHook(
    repo,
    "pre-push",
    `#!/bin/sh\nmkdir "${world.folder}/once" 2>/dev/null || exit 0\nkill -9 $PPID\nsleep 1\n`,
  );
  expect(await push("branch")).toMatchObject({ code: "PUSH_REFUSED", message: expect.stringContaining("was ended") });
  for (const place of [repo, hub]) expect(await runGit(place, "fsck", "--no-dangling")).toBe("");
  expect(await push("branch")).toMatchObject({ kind: "pushed" });
  expect(await atHub(made.branch)).toBe(await here(made.branch));
});

test("[W4] no remote, several of which none is meant, and a branch that is not there: one sentence each", async () => {
  await takeOwn();
  expect(await push("branch")).toMatchObject({ kind: "pushed" }); // a branch without work of its own
  await runGit(repo, "remote", "rename", "origin", "one");
  await runGit(repo, "remote", "add", "two", hub);
  await runGit(repo, "config", "--unset", "branch.main.remote");
  expect(await push("branch")).toMatchObject({ message: expect.stringContaining("several remotes (one, two)") });
  await runGit(repo, "remote", "remove", "one");
  await runGit(repo, "remote", "remove", "two");
  expect(await push("branch")).toMatchObject({ message: expect.stringContaining("has no remote") });
  const gone = await world.workspace.push({ repository: repo, baseBranch: "main", branch: "none", what: "branch" });
  expect(gone).toMatchObject({ code: "PUSH_REFUSED", message: expect.stringContaining("no branch “none”") });
});

test("[W4] a stored login pushes over http and shows nowhere; a refused one and a server that is away are a sentence each", async () => {
  await runGit(hub, "config", "http.receivepack", "true");
  const served = await serveOverHttp(hub, "me", "s3cr3t-t0ken");
  try {
    await cloneIt(`http://me:s3cr3t-t0ken@${served.address}`);
    await work({ "a.txt": "two\n" });
    expect(await push("branch")).toEqual({ kind: "pushed", remote: "origin" });
    expect(await atHub(made.branch)).toBe(await here(made.branch));
    await work({ "a.txt": "three\n" });
    await writeFiles(join(hub, "hooks"), { "pre-receive": "#!/bin/sh\necho 'you are me:s3cr3t-t0ken' >&2\nexit 1\n" });
    await chmod(join(hub, "hooks", "pre-receive"), 0o755);
    const quoted = await push("branch");
    expect(quoted).toMatchObject({ message: expect.stringContaining("you are me:") });
    served.allow("me", "another");
    const refused = await push("branch");
    expect(refused).toMatchObject({ code: "PUSH_REFUSED", message: expect.stringContaining("refused the login") });
    served.allow("me", null);
    expect(await push("branch")).toMatchObject({ message: expect.stringContaining("refused the login") });
    served.close();
    expect(await push("branch")).toMatchObject({ message: expect.stringContaining("cannot be reached") });
    expect(JSON.stringify([quoted, refused, world.lines])).not.toContain("s3cr3t");
  } finally {
    served.close();
  }
});

test("[W4] a remote that would run a command is refused", async () => {
  await takeOwn();
  const marker = join(world.folder, "pwned");
  await runGit(repo, "remote", "set-url", "origin", `ext::touch ${marker}`);
  expect(await push("branch")).toMatchObject({ message: expect.stringContaining("not allowed here") });
  expect(await readdir(world.folder)).not.toContain("pwned");
});
