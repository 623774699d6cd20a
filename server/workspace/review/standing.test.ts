import { afterEach, beforeEach, expect, test } from "vitest";
import { prepareOk, requestFor, runGit } from "../../testing/git-repositories";
import { makePushWorld, type PushWorld } from "../../testing/push-world";

let world: PushWorld;

beforeEach(async () => {
  world = await makePushWorld();
});
afterEach(() => world.remove());

const standing = () => world.workspace.standing(world.repo, "main");
const mergedCommit = async () => {
  const merged = await world.merge();
  return merged.kind === "merged" ? merged.commit : expect.fail(merged.message);
};
const apartBy = (what: string) =>
  `main here and origin’s main have gone apart: ${what} “Push main” on a merged task joins them.`;

test("[W4] a merge in a clone is known as not pushed until the base is: pushing the branch alone sends none of it", async () => {
  await world.cloneIt();
  const together = { kind: "remote", name: "origin", base: "main", unpushed: [], apart: null };
  expect(await standing()).toEqual(together);
  await world.work({ "a.txt": "two\n" });
  await world.push("branch");
  const commit = await mergedCommit();
  expect(await standing()).toEqual({ ...together, unpushed: [commit] });
  await world.push("branch");
  expect(await standing()).toEqual({ ...together, unpushed: [commit] });
  await world.push("base");
  expect(await standing()).toEqual(together);
});

test("[W1][W4] what origin has and the base lacks is counted, and new work that starts without it says so until a push joins them", async () => {
  await world.cloneIt();
  await world.work({ "a.txt": "two\n" });
  const commit = await mergedCommit();
  const fetchNow = () => world.workspace.moveClone("p1", `file://${world.hub}`, "main");
  await world.goesOn({ "b.txt": "theirs\n" });
  await fetchNow();
  expect(await standing()).toMatchObject({
    apart: apartBy("1 commit of origin is not in it, and new work starts without it."),
  });
  await world.goesOn({ "c.txt": "theirs\n" });
  await fetchNow();
  const apart = apartBy("2 commits of origin are not in it, and new work starts without them.");
  expect(await standing()).toMatchObject({ unpushed: [commit], apart });
  const next = requestFor(world.repo, { number: 2 });
  expect((await prepareOk(world.workspace, next)).stale).toBe(apart);
  expect((await prepareOk(world.workspace, next)).stale).toBeUndefined();
  await world.push("base");
  expect(await standing()).toMatchObject({ unpushed: [], apart: null });
  expect((await prepareOk(world.workspace, requestFor(world.repo, { number: 3 }))).stale).toBeUndefined();
});

test("[W1][W4] a history that was rewritten at origin under a merge that was not pushed is said, and what can be done", async () => {
  await world.goesOn({ "b.txt": "theirs\n" });
  await world.cloneIt();
  await world.work({ "a.txt": "two\n" });
  await world.merge();
  await runGit(world.theirs, "commit", "-q", "--amend", "-m", "rewritten");
  await runGit(world.theirs, "push", "-q", "--force", "origin", "main");
  await world.workspace.moveClone("p1", `file://${world.hub}`, "main");
  expect(await standing()).toMatchObject({
    apart: expect.stringMatching(/rewritten at origin.* 1 commit of origin .* Push the tasks’ own branches instead/),
  });
});

test("[W4] of a person's own repository it is known which merges their remote lacks; without a remote, why nothing can be pushed", async () => {
  await world.takeOwn();
  await runGit(world.repo, "push", "-q", "origin", "main:trunk");
  await runGit(world.repo, "config", "branch.main.merge", "refs/heads/trunk");
  await world.work({ "a.txt": "two\n" });
  const commit = await mergedCommit();
  expect(await standing()).toEqual({ kind: "remote", name: "origin", base: "trunk", unpushed: [commit], apart: null });
  await world.push("base");
  expect(await standing()).toMatchObject({ unpushed: [] });
  await runGit(world.repo, "update-ref", "-d", "refs/remotes/origin/trunk");
  expect(await standing()).toMatchObject({ unpushed: null });
  await runGit(world.repo, "remote", "remove", "origin");
  expect(await standing()).toEqual({
    kind: "nowhere",
    why: expect.stringMatching(/^The project’s repository has no remote to push to/),
  });
  expect(await world.workspace.standing("/nowhere/at/all", "main")).toBeNull();
});
