/**
 * What happens when something dies: agents, hosts, the server, the database. Real processes, real git, real rows; the server
 * is a process that is really killed.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { isOver } from "../../testing/engine-rows";
import { type Engine, type EngineWorld, engineWorld, isAlive } from "../../testing/engine-world";
import { makeRepository } from "../../testing/git-repositories";
import { waitFor } from "../../testing/wait-for";

// Many real processes on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 120_000 });

/** Prints numbered lines until it is ended. */
const COUNTER = "i=0; while :; do i=$((i+1)); echo LINE $i; sleep 0.05; done";
/** Ends when the test makes the file. */
const untilFile = (path: string) => `echo up; while [ ! -e '${path}' ]; do sleep 0.05; done; echo over`;

let world: EngineWorld;
let engine: Engine;
let project: string;
const sessions = new Set<string>();

beforeAll(async () => {
  world = await engineWorld();
  project = await world.addProject(await makeRepository(join(world.folder, "shop")));
  engine = await world.startEngine();
});
afterAll(() => world?.cleanUp());

const dispatch = async (prompt: string, user = "a", inProject = project) => {
  const enqueued = await world.dispatch(engine, inProject, prompt, { user });
  sessions.add(enqueued.sessionId);
  return enqueued.sessionId;
};
const isWorking = (row: { phase: string | null }) => row.phase === "working";
const untilWorking = (id: string) => world.until(id, isWorking, "working");
const untilOver = (id: string) => world.until(id, isOver, "over");
const statusOf = async (id: string) => (await world.session(id)).status;
const endAll = async () => {
  for (const id of sessions) await engine.cancel(id, "a");
  for (const id of sessions) await untilOver(id);
  sessions.clear();
};
// Whatever a test leaves must not hold the slots of the next one.
afterEach(endAll);

describe("when agents and hosts die", () => {
  it("[QUE-1][P10] two agents killed in the same second: both failed by signal, both that waited run", async () => {
    const ids = [await dispatch(COUNTER), await dispatch(COUNTER), await dispatch(COUNTER), await dispatch(COUNTER)];
    const [first = "", second = "", third = "", fourth = ""] = ids;
    const pids = [await world.agentPid(first), await world.agentPid(second)];
    expect(await engine.counts("a")).toEqual({ running: 2, max: 2, queued: 2 });
    for (const pid of pids) process.kill(pid, "SIGKILL");
    for (const id of [first, second]) {
      expect(await untilOver(id)).toMatchObject({ status: "failed", failureKind: "agent-exited", signal: "SIGKILL" });
    }
    await Promise.all([untilWorking(third), untilWorking(fourth)]);
    expect(await engine.counts("a")).toEqual({ running: 2, max: 2, queued: 0 });
    for (const id of [third, fourth]) process.kill(await world.agentPid(id), "SIGKILL");
    await Promise.all([third, fourth].map(untilOver));
    expect(await engine.counts("a")).toEqual({ running: 0, max: 2, queued: 0 });
  });

  it("[R3][R7] a killed host takes its agent with it: lost, work saved, the next one starts", async () => {
    const ids = [await dispatch(`echo half > half.txt; ${COUNTER}`), await dispatch(COUNTER), await dispatch("true")];
    const [first = "", second = "", third = ""] = ids;
    const agentPid = await world.agentPid(first);
    await untilWorking(second);
    const probe = await world.runner.probe({ sessionId: first, attempt: 1 });
    if (probe.kind !== "present") throw new Error(`no host: ${probe.kind}`);
    process.kill(probe.hostPid, "SIGKILL");
    expect(await untilOver(first)).toMatchObject({ status: "failed", failureKind: "runner-lost", workUnsaved: null });
    expect(await isAlive(agentPid)).toBe(false);
    expect((await untilOver(third)).status).toBe("succeeded");
    const { branch } = await world.branchOf(first);
    expect(await world.git(project, "show", `${branch}:half.txt`)).toBe("half");
  });
});

describe("when the server dies", () => {
  it("[RST-1][R3][R6] running agents are taken back with their slots, order and output", async () => {
    await engine.setCaps({ globalMax: 3 });
    const a = [await dispatch(COUNTER), await dispatch(COUNTER), await dispatch("true"), await dispatch("true")];
    const b = [await dispatch(COUNTER, "b"), await dispatch("true", "b")];
    const [a1 = "", a2 = "", a3 = "", a4 = ""] = a;
    const [b1 = "", b2 = ""] = b;
    const held = [a1, a2, b1];
    await Promise.all(held.map(untilWorking));
    const before = await Promise.all(held.map(world.agentPid));
    await engine.kill();
    const lines = (await world.output(a1)).length;
    await waitFor(async () => (await world.output(a1)).length > lines + 50, "output while nobody serves");
    engine = await world.startEngine();
    expect(await Promise.all(held.map(world.agentPid))).toEqual(before);
    const live = await engine.live();
    expect(
      live
        .filter(({ status }) => status === "running")
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...held].sort());
    expect(live.filter(({ userId }) => userId === "a").map(({ id, position }) => [id, position])).toEqual([
      [a1, 0],
      [a2, 0],
      [a3, 1],
      [a4, 2],
    ]);
    await engine.cancel(a1, "a");
    expect((await untilOver(a1)).status).toBe("cancelled");
    const numbers = (await world.output(a1))
      .split("\n")
      .filter((line) => line.startsWith("LINE "))
      .map((line) => Number(line.slice(5)));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect((await untilOver(b2)).status).toBe("succeeded");
    expect((await untilOver(a3)).status).toBe("succeeded");
    expect((await untilOver(a4)).status).toBe("succeeded");
    await engine.setCaps({ globalMax: 20 });
  });

  it("[R3][R10] an agent that ended meanwhile is finished with its true ending and its work", async () => {
    const go = join(world.folder, "go-meanwhile");
    const id = await dispatch(`echo kept > kept.txt; ${untilFile(go)}; exit 7`);
    await untilWorking(id);
    await engine.kill();
    await writeFile(go, "");
    const ending = await waitFor(async () => {
      const probe = await world.runner.probe({ sessionId: id, attempt: 1 });
      return probe.kind === "exited" && probe.ending;
    }, "the ending");
    expect(await statusOf(id)).toBe("running");
    engine = await world.startEngine();
    const row = await untilOver(id);
    expect(row).toMatchObject({ status: "failed", failureKind: "agent-exited", exitCode: 7, workUnsaved: null });
    expect(row.finishedAt?.getTime()).toBe(ending.endedAt);
    const { branch } = await world.branchOf(id);
    expect(await world.git(project, "show", `${branch}:kept.txt`)).toBe("kept");
  });

  it("[RST-3][R5] an ordinary stop waits for no agent, and the same ones go on without a gap", async () => {
    const ids = [await dispatch(COUNTER), await dispatch(COUNTER)];
    await Promise.all(ids.map(untilWorking));
    const before = await Promise.all(ids.map(world.agentPid));
    expect(await engine.stop()).toBe(0);
    expect(await Promise.all(ids.map(statusOf))).toEqual(["running", "running"]);
    engine = await world.startEngine();
    expect(await Promise.all(ids.map(world.agentPid))).toEqual(before);
    for (const id of ids) await engine.cancel(id, "a");
    for (const id of ids) await untilOver(id);
    for (const id of ids) {
      const lines = (await world.output(id)).trim().split("\n");
      expect(lines).toEqual(lines.map((_, index) => `LINE ${index + 1}`));
    }
  });

  it("[R3] an agent whose row no longer runs is stopped by the next server", async () => {
    const id = await dispatch(COUNTER);
    const pid = await world.agentPid(id);
    await engine.kill();
    await world.sql`update sessions set status = 'failed', phase = null, finished_at = now() where id = ${id}`;
    engine = await world.startEngine();
    await waitFor(async () => !(await isAlive(pid)), "the stray agent to be stopped");
    sessions.clear();
  });

  it("[PRC-2][P17] a cancel that was under way goes on, also against an agent that ignores it", async () => {
    const limits = { termGraceMs: 700 };
    await engine.stop();
    engine = await world.startEngine(process.env, limits);
    const id = await dispatch(`trap '' TERM INT HUP; ${COUNTER}`);
    const pid = await world.agentPid(id);
    expect(await engine.cancel(id, "a")).toEqual({ kind: "stopping" });
    expect(await engine.cancel(id, "a")).toEqual({ kind: "stopping" });
    expect((await world.session(id)).phase).toBe("stopping");
    await engine.kill();
    engine = await world.startEngine(process.env, limits);
    expect((await engine.live()).every(({ phase }) => phase !== "working")).toBe(true);
    expect(await untilOver(id)).toMatchObject({ status: "cancelled" });
    expect(await isAlive(pid)).toBe(false);
    expect((await untilOver(await dispatch("true"))).status).toBe("succeeded");
  });
});

describe("when the database goes away", () => {
  it("[R10] the ending is written when it is back, with the agent's own end", async () => {
    const go = join(world.folder, "go-database");
    const id = await dispatch(untilFile(go));
    await untilWorking(id);
    const back = await world.takeDatabaseAway();
    await writeFile(go, "");
    const ending = await waitFor(async () => {
      const probe = await world.runner.probe({ sessionId: id, attempt: 1 });
      return probe.kind === "exited" && probe.ending;
    }, "the ending");
    await back();
    const row = await untilOver(id);
    expect(row).toMatchObject({ status: "succeeded", exitCode: 0 });
    expect(row.finishedAt?.getTime()).toBe(ending.endedAt);
    expect((await untilOver(await dispatch("true"))).status).toBe("succeeded");
  });
});
