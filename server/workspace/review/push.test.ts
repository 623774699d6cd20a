import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serveOverHttp } from "../../testing/git-over-http";
import { commitAll, prepareOk, requestFor, runGit, writeFiles, writeHook } from "../../testing/git-repositories";
import { makePushWorld, type PushWorld } from "../../testing/push-world";
import { photoOf } from "../../testing/tree-photo";

let world: PushWorld;

beforeEach(async () => {
  world = await makePushWorld();
});
afterEach(() => world.remove());

test("[W4] a task's branch of a clone is pushed to origin, and twice is harmless", async () => {
  await world.cloneIt();
  await world.work({ "a.txt": "two\n" });
  expect(await world.push("branch")).toEqual({ kind: "pushed", remote: "origin" });
  expect(await world.atHub(world.made.branch)).toBe(await world.here(world.made.branch));
  expect(await world.push("branch")).toEqual({ kind: "pushed", remote: "origin" });
});

test("[W4] a clone is merged into its own base, a fetch loses nothing of it, and pushing the base sends it", async () => {
  await world.cloneIt();
  await world.work({ "a.txt": "two\n" });
  const merged = await world.merge();
  expect(merged).toEqual({ kind: "merged", commit: await world.here("main") });
  expect(await world.atHub("main")).not.toBe(await world.here("main"));
  const moved = await world.workspace.moveClone("p1", `file://${world.hub}`, "main"); // fetches at once
  expect(moved.kind).toBe("ok");
  expect(merged).toEqual({ kind: "merged", commit: await world.here("main") });
  expect(await world.push("base")).toEqual({ kind: "pushed", remote: "origin" });
  expect(await world.atHub("main")).toBe(await world.here("main"));
});

test("[W4] the base went on at origin meanwhile: both are kept, and pushing sends what joins them", async () => {
  await world.cloneIt();
  await world.work({ "a.txt": "two\n" });
  await world.merge();
  const other = await world.goesOn({ "b.txt": "theirs\n" });
  expect(await world.push("base")).toEqual({ kind: "pushed", remote: "origin" });
  expect(await runGit(world.hub, "log", "--format=%s", "-1", "main")).toBe("Merge origin/main into main");
  expect(await runGit(world.hub, "show", "main:a.txt")).toBe("two");
  expect(await runGit(world.hub, "show", "main:b.txt")).toBe("theirs");
  expect(await runGit(world.hub, "merge-base", "--is-ancestor", other, "main")).toBe("");
  const next = await prepareOk(world.workspace, requestFor(world.repo, { number: 2 }));
  expect(next.baseCommit).toBe(await world.atHub("main"));
});

test("[W4] what went on at origin contradicts a merge that was not pushed: named, and neither is touched", async () => {
  await world.cloneIt();
  await world.work({ "a.txt": "two\n" });
  await world.merge();
  const [base, other] = [await world.here("main"), await world.goesOn({ "a.txt": "theirs\n" })];
  expect(await world.push("base")).toMatchObject({ code: "PUSH_REFUSED", message: expect.stringContaining("“a.txt”") });
  expect([await world.here("main"), await world.atHub("main")]).toEqual([base, other]);
  expect(await world.push("branch")).toMatchObject({ kind: "pushed" });
});

test("[W4] a history that was rewritten at origin is followed, but never under a merge that was not pushed", async () => {
  await world.goesOn({ "b.txt": "theirs\n" });
  await world.cloneIt();
  await world.work({ "a.txt": "two\n" });
  const rewrite = async (message: string) => {
    await runGit(world.theirs, "commit", "-q", "--amend", "-m", message);
    await runGit(world.theirs, "push", "-q", "--force", "origin", "main");
    await world.workspace.moveClone("p1", `file://${world.hub}`, "main"); // fetches at once
  };
  await rewrite("rewritten");
  expect(await world.here("main")).toBe(await world.atHub("main"));
  await world.merge();
  const merged = await world.here("main");
  await rewrite("rewritten again");
  expect(await world.here("main")).toBe(merged);
  expect(await world.push("base")).toMatchObject({
    code: "PUSH_REFUSED",
    message: expect.stringContaining("was rewritten"),
  });
  expect(await world.push("branch")).toMatchObject({ kind: "pushed" });
});

test("[W4] somebody else pushed to the task's branch: nothing is overwritten", async () => {
  await world.cloneIt();
  await world.work({ "a.txt": "two\n" });
  await world.push("branch");
  await runGit(world.theirs, "fetch", "-q");
  await runGit(world.theirs, "checkout", "-q", world.made.branch);
  const other = await commitAll(world.theirs, "a reviewer's");
  await runGit(world.theirs, "push", "-q", "origin", world.made.branch);
  await world.work({ "a.txt": "three\n" });
  expect(await world.push("branch")).toMatchObject({
    code: "PUSH_REFUSED",
    message: `${world.made.branch} has commits at origin that are not here. Nothing was overwritten: bring them in first, then push again.`,
  });
  expect(await world.atHub(world.made.branch)).toBe(other);
});

test.each([
  ["pre-receive", "printf 'main is \\033[1;31mprotected\\033[0m, ask \\033[32mNora \\033[0m\\n' >&2; exit 1"],
  ["update", 'test "$1" != refs/heads/main || { echo "main is protected, ask Nora" >&2; exit 1; }'],
])("[W4] a %s hook at the remote that says no is quoted", async (name, script) => {
  await world.cloneIt();
  await world.work({ "a.txt": "two\n" });
  await world.merge();
  const before = await world.atHub("main");
  await world.hookAtHub(script, name);
  const refused = await world.push("base");
  expect(refused).toMatchObject({
    code: "PUSH_REFUSED",
    message:
      "origin does not take main: the branch is protected, or a hook there said no. It says: “main is protected, ask Nora”",
  });
  expect(await world.atHub("main")).toBe(before);
});

test("[W4] a person's own repository is pushed with their hooks and to what the base follows; the tree stays as it is", async () => {
  await world.takeOwn();
  await world.work({ "a.txt": "two\n" });
  await writeFiles(world.repo, { "notes.txt": "mine\n" });
  await runGit(world.repo, "push", "-q", "origin", "main:trunk");
  await runGit(world.repo, "config", "branch.main.merge", "refs/heads/trunk");
  const before = await photoOf(world.repo);
  expect(await world.push("branch")).toEqual({ kind: "pushed", remote: "origin" });
  expect(await photoOf(world.repo)).toEqual(before);
  await writeHook(world.repo, "pre-push", "#!/bin/sh\necho 'the tests are red' >&2\nexit 1\n");
  await world.work({ "a.txt": "three\n" });
  expect(await world.push("branch")).toMatchObject({
    code: "PUSH_REFUSED",
    message: "The repository's own pre-push hook said no: “the tests are red”",
  });
  await chmod(join(world.repo, ".git", "hooks", "pre-push"), 0o644);
  const main = await world.atHub("main");
  expect(await world.merge()).toMatchObject({ kind: "merged" });
  expect(await world.push("base")).toEqual({ kind: "pushed", remote: "origin" });
  expect([await world.atHub("trunk"), await world.atHub("main")]).toEqual([await world.here("main"), main]);
});

test("[W4] no remote, several of which none is meant, and a branch that is not there: one sentence each", async () => {
  await world.takeOwn();
  expect(await world.push("branch")).toMatchObject({ kind: "pushed" }); // a branch without work of its own
  await runGit(world.repo, "remote", "rename", "origin", "one");
  await runGit(world.repo, "remote", "add", "two", world.hub);
  await runGit(world.repo, "config", "--unset", "branch.main.remote");
  expect(await world.push("branch")).toMatchObject({
    message: expect.stringContaining("The project’s repository has several remotes (one, two)"),
  });
  await runGit(world.repo, "remote", "remove", "one");
  await runGit(world.repo, "remote", "remove", "two");
  expect(await world.push("branch")).toMatchObject({
    message: expect.stringContaining("The project’s repository has no remote"),
  });
  const gone = await world.workspace.push({
    repository: world.repo,
    baseBranch: "main",
    branch: "none",
    what: "branch",
  });
  expect(gone).toMatchObject({
    code: "PUSH_REFUSED",
    message: expect.stringContaining("no branch “none” in the project’s repository"),
  });
});

test("[W4] a stored login pushes over http and shows nowhere; a refused one and a server that is away are a sentence each", async () => {
  await runGit(world.hub, "config", "http.receivepack", "true");
  const served = await serveOverHttp(world.hub, "me", "s3cr3t-t0ken");
  try {
    await world.cloneIt(`http://me:s3cr3t-t0ken@${served.address}`);
    await world.work({ "a.txt": "two\n" });
    expect(await world.push("branch")).toEqual({ kind: "pushed", remote: "origin" });
    expect(await world.atHub(world.made.branch)).toBe(await world.here(world.made.branch));
    await world.work({ "a.txt": "three\n" });
    await world.hookAtHub("echo 'you are me:s3cr3t-t0ken' >&2; exit 1");
    const quoted = await world.push("branch");
    expect(quoted).toMatchObject({ message: expect.stringContaining("you are me:") });
    served.allow("me", "another");
    const refused = await world.push("branch");
    expect(refused).toMatchObject({ code: "PUSH_REFUSED", message: expect.stringContaining("refused the login") });
    served.allow("me", null);
    expect(await world.push("branch")).toMatchObject({ message: expect.stringContaining("refused the login") });
    served.close();
    expect(await world.push("branch")).toMatchObject({ message: expect.stringContaining("cannot be reached") });
    expect(JSON.stringify([quoted, refused, world.lines])).not.toContain("s3cr3t");
  } finally {
    served.close();
  }
});

test("[W4] a remote that would run a command is refused", async () => {
  await world.takeOwn();
  const marker = join(world.folder, "pwned");
  await runGit(world.repo, "remote", "set-url", "origin", `ext::touch ${marker}`);
  expect(await world.push("branch")).toMatchObject({ message: expect.stringContaining("not allowed here") });
  expect(await readdir(world.folder)).not.toContain("pwned");
});
