/** Room on disk (R14): real rows, real run folders, real worktrees. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createPoolHistoryStore } from "../../db/pool-history-store";
import { createRetentionStore } from "../../db/retention-store";
import { isOver } from "../../testing/engine-rows";
import { type Engine, type EngineWorld, engineWorld } from "../../testing/engine-world";
import { makeRepository, testSeal } from "../../testing/git-repositories";
import { createWorkspace } from "../../workspace/workspace";
import { type Retention, type RetentionParts, startRetention } from "./retention";

vi.setConfig({ testTimeout: 120_000 });

let world: EngineWorld;
let engine: Engine;
let project: string;
const started: Retention[] = [];
const lines: string[] = [];

beforeAll(async () => {
  world = await engineWorld();
  project = await world.addProject(await makeRepository(join(world.folder, "shop")));
  engine = await world.startEngine();
});
afterEach(async () => {
  for (const retention of started.splice(0)) await retention.stop();
});
afterAll(() => world?.cleanUp());

function retentionWith(
  settings: { outputDays?: number; outputMaxBytes?: number },
  changes: Partial<RetentionParts> = {},
) {
  const log = { info: (line: string) => void lines.push(line), warn: (line: string) => void lines.push(line) };
  const retention = startRetention({
    store: createRetentionStore(world.sql),
    history: createPoolHistoryStore(world.sql),
    settings: { read: async () => ({ outputDays: 30, outputMaxBytes: 2e10, answerWithinMs: 1, ...settings }) },
    runner: world.runner,
    workspace: createWorkspace({ dataDir: world.dataDir, seal: testSeal, log: (line) => void lines.push(line) }),
    clock: { now: Date.now, monotonic: () => performance.now() },
    log,
    sweepEveryMs: 3_600_000,
    ...changes,
  });
  started.push(retention);
  return retention;
}

const runToEnd = async (prompt: string) => {
  const { sessionId } = await world.dispatch(engine, project, prompt);
  await world.until(sessionId, isOver, "over");
  return sessionId;
};
const endedDaysAgo = (id: string, days: number) =>
  world.sql`update sessions set finished_at = now() - make_interval(days => ${days}) where id = ${id}`;
const removed = async () => {
  const rows = await world.sql<{ id: string }[]>`select id from sessions where output_removed`;
  return new Set(rows.map(({ id }) => id));
};
const folderOf = (id: string) => join(world.dataDir, "runs", `${id}.1`);

describe("the pool's history", () => {
  it("[P22] is kept for a week", async () => {
    const history = createPoolHistoryStore(world.sql);
    const now = Date.now();
    const figures = { seconds: 60, seatSeconds: 0, capSeconds: 0, waitingSeconds: 0, grants: 0, ended: 0, failed: 0 };
    const minute = (hoursAgo: number) => Math.floor(now / 60_000 - hoursAgo * 60) * 60_000;
    const minutes = [minute(169), minute(167), minute(1)];
    await history.keep(minutes.map((at) => ({ at, source: "test", ...figures, commits: 0, waits: [] })));
    await retentionWith({}).sweep();
    const left = await history.read({ from: 0, to: now, stepMs: 60_000 });
    expect(left.map(({ at }) => at)).toEqual(minutes.slice(1));
  });
});

describe("output that was kept long enough", () => {
  it("[R14] what ended more than 30 days ago goes, with its run folder; what is newer or runs stays", async () => {
    const old = await runToEnd("echo old");
    const fresh = await runToEnd("echo fresh");
    const { sessionId: live } = await world.dispatch(engine, project, "echo live; sleep 600");
    await world.agentPid(live);
    await endedDaysAgo(old, 31);
    await endedDaysAgo(fresh, 29);
    await retentionWith({}).sweep();
    expect(await removed()).toEqual(new Set([old]));
    expect([old, fresh, live].map((id) => existsSync(folderOf(id)))).toEqual([false, true, true]);
    expect(await world.output(fresh)).toBe("fresh\n");
    expect(lines).toContain("the output of 1 sessions was kept long enough and is removed");
    await engine.cancel(live, "a");
    await world.until(live, isOver, "over");
  });

  it("[R14] of more than may be kept the oldest goes first, and one session counts for no more than is kept of it", async () => {
    const [first, second, third] = [await runToEnd("echo 1"), await runToEnd("echo 2"), await runToEnd("echo 3")];
    await world.sql`update sessions set output_removed = true where id not in (${first}, ${second}, ${third})`;
    await endedDaysAgo(first, 3);
    await endedDaysAgo(second, 2);
    // A log of 100 MB, of which 50 MB are kept.
    await world.sql`update sessions set output_bytes = 100000000 where id = ${second}`;
    await world.sql`update sessions set output_bytes = 1000 where id in (${first}, ${third})`;
    const others = [...(await removed())];
    await retentionWith({ outputMaxBytes: 50_010_000 }).sweep();
    expect(await removed()).toEqual(new Set(others));
    await retentionWith({ outputMaxBytes: 50_001_500 }).sweep();
    expect(await removed()).toEqual(new Set([...others, first]));
    expect([first, second, third].map((id) => existsSync(folderOf(id)))).toEqual([false, true, true]);
  });

  it("[R14] what a crash left between row and folder is found by the next sweep", async () => {
    const id = await runToEnd("echo half");
    await world.sql`update sessions set output_removed = true where id = ${id}`;
    await retentionWith({}).sweep();
    expect(existsSync(folderOf(id))).toBe(false);
  });

  it("[R14] a database that is away removes nothing, and the sweep goes on living", async () => {
    const id = await runToEnd("echo stay");
    await endedDaysAgo(id, 99);
    const away = async () => {
      throw new Error("the database is away");
    };
    const real = createRetentionStore(world.sql);
    const retention = retentionWith(
      {},
      { store: { ...real, markRemoved: away, removedOf: away, idleWorktrees: away } },
    );
    await retention.sweep();
    expect(existsSync(folderOf(id))).toBe(true);
    expect(lines).toContain("old output could not be marked: the database is away");
  });
});

describe("worktrees of done tasks", () => {
  const put = (id: string, shelf: string) => world.sql`
    update tasks set shelf = ${shelf}, shelf_session_id = ${id} where id = (select task_id from sessions where id = ${id})`;
  const taskOf = async (id: string) => (await world.sql`select task_id from sessions where id = ${id}`)[0]?.taskId;

  it("[R14][GIT-3] go when nothing in them is unsaved; the branch stays, and a retry finds everything again", async () => {
    const done = await runToEnd("echo work > done.txt");
    const review = await runToEnd("echo work > review.txt");
    await put(done, "done");
    const [{ worktree, branch }, other] = [await world.branchOf(done), await world.branchOf(review)];
    await retentionWith({}).sweep();
    expect([existsSync(worktree), existsSync(other.worktree)]).toEqual([false, true]);
    expect(await world.git(project, "show", `${branch}:done.txt`)).toContain("work");
    expect((await world.branchOf(done)).worktree).toBeNull();
    await put(done, "review");
    const { sessionId: again } = await world.retry(engine, done);
    expect(await world.until(again, isOver, "over")).toMatchObject({ status: "succeeded" });
    expect(existsSync(join((await world.branchOf(done)).worktree, "done.txt"))).toBe(true);
  });

  it("[R14][W2] stay while something in them is unsaved, while work could not be saved, or when a session started since", async () => {
    const [dirty, unsaved, since] = [await runToEnd("true"), await runToEnd("true"), await runToEnd("true")];
    for (const id of [dirty, unsaved, since]) await put(id, "done");
    const { worktree } = await world.branchOf(dirty);
    const { writeFile } = await import("node:fs/promises");
    await writeFile(join(worktree, "by-hand.txt"), "not committed");
    await world.sql`update sessions set work_unsaved = 'The disk is full.' where id = ${unsaved}`;
    const { sessionId: newer } = await world.retry(engine, since);
    await world.until(newer, isOver, "over");
    await retentionWith({}).sweep();
    for (const id of [dirty, unsaved, since]) expect(existsSync((await world.branchOf(id)).worktree)).toBe(true);
  });

  it("[R14][W2] of a removed task and of a removed project go as well, unless something in them is unsaved; branches stay", async () => {
    const gone = await runToEnd("echo work > gone.txt");
    const dirty = await runToEnd("true");
    const places = await Promise.all([gone, dirty].map((id) => world.branchOf(id)));
    const [{ worktree, branch } = { worktree: "", branch: "" }, unsaved] = places;
    const { writeFile } = await import("node:fs/promises");
    await writeFile(join(unsaved?.worktree ?? "", "by-hand.txt"), "not committed");
    for (const id of [gone, dirty]) await world.sql`update tasks set deleted_at = now() where id = ${await taskOf(id)}`;

    const elsewhere = await world.addProject(await makeRepository(join(world.folder, "removed-shop")));
    const { sessionId } = await world.dispatch(engine, elsewhere, "true");
    await world.until(sessionId, isOver, "over");
    const ofProject = await world.branchOf(sessionId);
    await world.sql`update projects set deleted_at = now() where id = ${elsewhere}`;

    await retentionWith({}).sweep();
    expect([worktree, unsaved?.worktree ?? "", ofProject.worktree].map(existsSync)).toEqual([false, true, false]);
    expect(await world.git(project, "show", `${branch}:gone.txt`)).toContain("work");
    expect(await world.git(elsewhere, "branch", "--list", ofProject.branch)).toContain(ofProject.branch);
  });

  it("[R14] one that is dispatched again in this moment keeps its worktree", async () => {
    const id = await runToEnd("true");
    await put(id, "done");
    const { worktree } = await world.branchOf(id);
    const real = createRetentionStore(world.sql);
    // The list was read, then somebody dispatched: what is asked last decides.
    const store = {
      ...real,
      async isIdle(taskId: string) {
        if (taskId === (await taskOf(id))) await world.sql`update sessions set status = 'queued' where id = ${id}`;
        return real.isIdle(taskId);
      },
    };
    await retentionWith({}, { store }).sweep();
    expect(existsSync(worktree)).toBe(true);
    await world.sql`update sessions set status = 'succeeded' where id = ${id}`;
  });
});
