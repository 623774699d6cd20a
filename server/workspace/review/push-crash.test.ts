/** What dies in the middle of a push, and who pushes at the same time (W4, GIT-5). */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runGit, testSeal, writeFiles, writeHook } from "../../testing/git-repositories";
import { makePushWorld, type PushWorld } from "../../testing/push-world";
import { photoOf } from "../../testing/tree-photo";
import { waitFor } from "../../testing/wait-for";
import { createWorkspace } from "../workspace";

let world: PushWorld;

beforeEach(async () => {
  world = await makePushWorld();
});
afterEach(() => world.remove());

test("[W4] git is killed in the middle of a push: both repositories are sound, and the next press pushes", async () => {
  await world.takeOwn();
  await world.work({ "a.txt": "two\n" });
  await writeHook(
    world.repo,
    "pre-push",
    `#!/bin/sh\nmkdir "${world.folder}/once" 2>/dev/null || exit 0\nkill -9 $PPID\nsleep 1\n`,
  );
  expect(await world.push("branch")).toMatchObject({
    code: "PUSH_REFUSED",
    message: expect.stringContaining("was ended"),
  });
  for (const place of [world.repo, world.hub]) expect(await runGit(place, "fsck", "--no-dangling")).toBe("");
  expect(await world.push("branch")).toMatchObject({ kind: "pushed" });
  expect(await world.atHub(world.made.branch)).toBe(await world.here(world.made.branch));
});

/** For a hook: waits in the folder of the tests until something is so. */
const until = (isSo: string) => `until ${isSo}; do sleep 0.02; done`;

test.each([
  ["git is killed, and the other end goes on,", ""],
  ["git and the other end are killed", "-"],
])(
  "[W4][GIT-5] %s in the middle of a push: both repositories are sound, and the next press pushes",
  async (_what, group) => {
    await world.takeOwn();
    await world.work({ "a.txt": "two\n" });
    expect(await world.merge()).toMatchObject({ kind: "merged" });
    const [before, after] = [await world.atHub("main"), await world.here("main")];
    // git leads a process group; a remote on the same machine works in it too.
    const kill = `kill -9 ${group}$(awk '{ print $5 }' /proc/$PPID/stat)`;
    await world.hookAtHub(
      `cd "${world.folder}"; mkdir once 2>/dev/null || exit 0; ${kill}; ${until("[ -e go ]")}; mkdir went-on`,
    );
    const photo = await photoOf(world.repo);
    expect(await world.push("base")).toMatchObject({
      code: "PUSH_REFUSED",
      message: expect.stringContaining("was ended"),
    });
    for (const place of [world.repo, world.hub])
      expect(await runGit(place, "fsck", "--strict", "--no-dangling")).toBe("");
    expect(await world.atHub("main")).toBe(before);
    expect(await photoOf(world.repo)).toEqual(photo);
    expect(await world.push("base")).toEqual({ kind: "pushed", remote: "origin" });
    expect(await world.atHub("main")).toBe(after);
    await writeFiles(world.folder, { go: "" });
    if (group === "") await waitFor(() => readdir(join(world.folder, "went-on")).catch(() => null), "the hook's end");
    expect(await world.push("base")).toEqual({ kind: "pushed", remote: "origin" });
    expect(await world.atHub("main")).toBe(after);
    expect(await runGit(world.hub, "fsck", "--strict", "--no-dangling")).toBe("");
  },
);

test("[W4] two servers push one branch in the same moment: both say that it is there", async () => {
  await world.takeOwn();
  await world.work({ "a.txt": "two\n" });
  const areTwo = '[ "$(ls | grep -c pushes-)" = 2 ]';
  await world.hookAtHub(`cd "${world.folder}"; mkdir pushes-$$; ${until(areTwo)}`);
  const second = createWorkspace({ dataDir: world.dataDir, seal: testSeal, log: () => undefined });
  const request = { repository: world.repo, baseBranch: "main", branch: world.made.branch, what: "branch" } as const;
  const answers = await Promise.all([world.workspace, second].map((workspace) => workspace.push(request)));
  expect(answers).toEqual([1, 2].map(() => ({ kind: "pushed", remote: "origin" })));
  expect(await world.atHub(world.made.branch)).toBe(await world.here(world.made.branch));
});
