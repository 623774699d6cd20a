/** Locks of git in a person's tree: whose they are, and that nobody's but our own are ever removed (W3). */
import { chmod, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { MergeRequest } from "../../ports/workspace";
import {
  type GitWorld,
  makeGitWorld,
  makeRepository,
  mergeRequestFor,
  prepareOk,
  requestFor,
  runGit,
  saveRequestFor,
  writeFiles,
} from "../../testing/git-repositories";
import { photoOf } from "../../testing/tree-photo";
import { Places } from "../places";
import { writeMove } from "./move-record";

/** Longer than any rule about the age of a lock, s. */
const LONG_AGO_S = 3_600;

let world: GitWorld;
let repo = "";
let request: MergeRequest;

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeRepository(join(world.folder, "repo"), { "a.txt": "old\n", "b.txt": "old\n" });
  const made = await prepareOk(world.workspace, requestFor(repo));
  await writeFiles(made.path, { "a.txt": "new\n", "c.txt": "new\n" });
  await world.workspace.save(saveRequestFor(repo, made));
  request = mergeRequestFor(repo, made);
});
afterEach(() => world.remove());

const inGit = (name: string) => join(repo, ".git", name);

async function leaveLock(name: string, secondsFromNow: number): Promise<void> {
  await writeFile(inGit(name), "somebody's");
  const at = Date.now() / 1_000 + secondsFromNow;
  await utimes(inGit(name), at, at);
}

async function expectMerged(): Promise<void> {
  const merged = await world.workspace.merge(request);
  expect(merged).toEqual({ kind: "merged", commit: await runGit(repo, "rev-parse", "main") });
  expect(await runGit(repo, "status", "--porcelain")).toBe("");
}

test.each(["index.lock", "HEAD.lock", "refs/heads/main.lock"])(
  "[W3][W4] a stale %s in the tree on the base: nothing changes, it is named and stays, and once it is removed the merge goes through",
  async (name) => {
    await leaveLock(name, -LONG_AGO_S);
    const before = await photoOf(repo);
    for (let press = 1; press <= 2; press += 1) {
      const message = `Another git command holds ${inGit(name)}. If no git runs in this repository, remove that file, then try again.`;
      const refused = { kind: "refused", code: "BASE_NOT_CLEAN", path: repo, message };
      expect(await world.workspace.merge(request)).toMatchObject(refused);
      expect(await readFile(inGit(name), "utf8")).toBe("somebody's");
      expect(await photoOf(repo)).toEqual(before);
    }
    await rm(inGit(name));
    await expectMerged();
  },
);

test.each([
  ["before it began", -LONG_AGO_S],
  ["long after it was over", LONG_AGO_S],
])("[W3][W4] beside a merge that was cut off, a lock taken %s is somebody else's and stays", async (_when, seconds) => {
  await recordMove();
  await leaveLock("index.lock", seconds);
  const refused = await world.workspace.merge(request);
  expect(refused).toMatchObject({ kind: "refused", message: expect.stringContaining(inGit("index.lock")) });
  expect(await readFile(inGit("index.lock"), "utf8")).toBe("somebody's");
  await rm(inGit("index.lock"));
  await expectMerged();
});

test("[W3][W4] a lock that the merge that was cut off took is removed, and the merge goes on", async () => {
  await recordMove();
  await writeFile(inGit("index.lock"), "");
  await expectMerged();
});

test("[W3][W4] somebody locks HEAD while the tree moves: it moves back, the lock stays, and nothing is left to mend", async () => {
  const filter = join(world.folder, "filter.sh");
  const taken = inGit("HEAD.lock");
  await writeFile(filter, `#!/bin/sh\n[ -e "${filter}.once" ] || touch "${filter}.once" "${taken}"\ncat\n`);
  await chmod(filter, 0o755);
  await writeFiles(inGit("info"), { attributes: "*.txt filter=once\n" });
  await runGit(repo, "config", "filter.once.smudge", filter);
  const before = await photoOf(repo);
  const refused = await world.workspace.merge(request);
  expect(refused).toMatchObject({ code: "BASE_NOT_CLEAN", message: expect.stringContaining(`holds ${taken}`) });
  expect({ ...(await photoOf(repo)), index: "" }).toEqual({ ...before, index: "" });
  expect(await runGit(repo, "status", "--porcelain")).toBe("");
  expect(await readFile(taken, "utf8")).toBe("");
  await rm(taken);
  await expectMerged();
});

/** Leaves the state of a server that died before git changed a file. */
async function recordMove(): Promise<void> {
  const from = await runGit(repo, "rev-parse", "main");
  const to = await runGit(repo, "rev-parse", request.branch);
  const places = await Places.open(world.dataDir, () => undefined);
  await writeMove(places, join(repo, ".git"), { path: repo, own: join(repo, ".git"), branch: "main", from, to });
}
