/**
 * A start that something comes in between of: a cancel, a stop or a `kill -9` of the server, at every stage between the slot and
 * the agent. Real processes, real git, real rows.
 */
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isOver } from "../../testing/engine-rows";
import { type Engine, type EngineWorld, engineWorld, isAlive } from "../../testing/engine-world";
import { makeRepository } from "../../testing/git-repositories";
import { waitFor } from "../../testing/wait-for";

// Many real processes on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 120_000 });

let world: EngineWorld;
let engine: Engine;
let project: string;

beforeAll(async () => {
  world = await engineWorld();
  project = await world.addProject(await makeRepository(join(world.folder, "shop")));
  engine = await world.startEngine();
});
afterAll(() => world?.cleanUp());

const dispatch = async (prompt: string, inProject = project) =>
  (await world.dispatch(engine, inProject, prompt)).sessionId;
const untilOver = (id: string) => world.until(id, isOver, "over");

describe("while the worktree is made", () => {
  for (const isChildKilled of [false, true]) {
    const left = isChildKilled ? "killed too" : "left alive";
    it(`[RST-2][R2] the server dies while the worktree is made, git ${left}: waits again and starts once`, async () => {
      const slow = await slowProject(3);
      const proof = join(world.folder, `proof-${isChildKilled}`);
      const id = await dispatch(`echo ran >> '${proof}'; cat '${proof}'`, slow.project);
      const hook = await waitFor(() => slow.hookPid(), "the slow hook");
      await engine.kill();
      if (isChildKilled) process.kill(hook, "SIGKILL");
      engine = await world.startEngine();
      await world.until(id, ({ attempt }) => attempt === 2, "a second attempt");
      const row = await untilOver(id);
      expect(row).toMatchObject({ status: "succeeded", attempt: 2 });
      expect(await world.output(id)).toBe("ran\n");
    });
  }

  it("[R5][R2] an ordinary stop while the worktree is made takes git with it; the next server starts it once", async () => {
    const slow = await slowProject(3);
    const id = await dispatch("echo ran", slow.project);
    const hook = await waitFor(() => slow.hookPid(), "the slow hook");
    expect(await engine.stop()).toBe(0);
    expect(await isAlive(hook)).toBe(false);
    // Nothing was tried: a deploy costs nobody one of their tries.
    expect(await world.session(id)).toMatchObject({ status: "queued", attempt: 1 });
    engine = await world.startEngine();
    expect(await untilOver(id)).toMatchObject({ status: "succeeded", attempt: 1 });
    expect(await world.output(id)).toBe("ran\n");
  });
});

describe("when a cancel or a crash races a start", () => {
  /** How far a start has come, as seen from outside. */
  const STAGES = ["granted", "worktree", "spawned", "claimed", "up"] as const;
  const hasReached = async (id: string, stage: (typeof STAGES)[number]) => {
    if (stage === "granted") return true;
    if (stage === "worktree") return (await world.branchOf(id)).worktree !== null;
    const probe = await world.runner.probe({ sessionId: id, attempt: 1 });
    if (stage === "spawned") return probe.kind !== "unclaimed" || probe.hostPid !== null;
    return probe.kind === "present" && (stage === "claimed" || probe.agentPid !== null);
  };
  const untilReached = async (id: string, stage: (typeof STAGES)[number]) => {
    await waitFor(() => hasReached(id, stage), `${id} to be ${stage}`);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
  };

  it("[R2][P17] a cancel at whatever stage: cancelled, and nothing runs afterwards", async () => {
    await engine.setCaps({ perUserMax: 20 });
    for (const stage of STAGES) {
      const rounds = [1, 2, 3].map(async () => {
        const id = await dispatch("sleep 600");
        await untilReached(id, stage);
        await engine.cancel(id, "a");
        expect((await untilOver(id)).status).toBe("cancelled");
        const { kind } = await world.runner.probe({ sessionId: id, attempt: 1 });
        expect(stage === "up" ? ["exited"] : ["unclaimed", "exited"]).toContain(kind);
      });
      await Promise.all(rounds);
    }
    expect(await engine.counts("a")).toEqual({ running: 0, max: 20, queued: 0 });
    await engine.setCaps({ perUserMax: 2 });
    expect(await world.processesIn(join(world.dataDir, "worktrees"))).toEqual([]);
  });

  it("[R2][RST-2] the server is killed at whatever stage of two starts: each runs once in the end", async () => {
    for (const stage of STAGES) {
      const proofs = [1, 2].map((count) => join(world.folder, `once-${stage}-${count}`));
      const ids = await Promise.all(proofs.map((proof) => dispatch(`echo ran >> '${proof}'; sleep 0.3`)));
      await untilReached(ids[0] ?? "", stage);
      await engine.kill();
      engine = await world.startEngine();
      for (const id of ids) expect(await untilOver(id)).toMatchObject({ status: "succeeded", exitCode: 0 });
      expect(await Promise.all(proofs.map(world.readFile))).toEqual(["ran\n", "ran\n"]);
    }
  });
});

describe("when many dispatch the same task", () => {
  it("[RST-4][P3][R2] one session, one worktree and one agent, with room and in a full line; after its end a new one", async () => {
    const countWorktrees = async () => (await world.git(project, "worktree", "list")).split("\n").length;
    const before = await countWorktrees();
    await world.addUser("a");
    const proof = join(world.folder, "proof-once");
    const go = join(world.folder, "go-once");
    const taskId = await world.addTask(project, `echo ran >> '${proof}'; while [ ! -e '${go}' ]; do sleep 0.05; done`);
    const knock = () =>
      engine.enqueue({ taskId, projectId: project, userId: "a", agentId: "shell", mode: "work", message: null });
    const knockOften = () => Promise.all(Array.from({ length: 30 }, knock));
    const answers = await knockOften();
    expect(new Set(answers.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(answers.filter(({ existing }) => !existing)).toHaveLength(1);
    const [first = ""] = answers.map(({ sessionId }) => sessionId);
    await world.until(first, ({ phase }) => phase === "working", "working");
    expect((await knockOften()).every(({ sessionId, existing }) => existing && sessionId === first)).toBe(true);
    await writeFile(go, "");
    await untilOver(first);
    expect(await world.readFile(proof)).toBe("ran\n");

    await engine.setCaps({ globalMax: 0 });
    const waiting = await knockOften();
    expect(new Set(waiting.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(waiting.every(({ position }) => position === 1)).toBe(true);
    const [second = ""] = waiting.map(({ sessionId }) => sessionId);
    expect(second).not.toBe(first);
    await engine.setCaps({ globalMax: 20 });
    expect((await untilOver(second)).status).toBe("succeeded");
    expect(await world.readFile(proof)).toBe("ran\nran\n");
    expect(await countWorktrees()).toBe(before + 1);
  });
});

async function slowProject(seconds: number) {
  const path = await makeRepository(join(world.folder, `slow-${Math.random()}`));
  const hook = join(path, ".git", "hooks", "post-checkout");
  const pidFile = join(path, ".git", "hook.pid");
  await writeFile(hook, `#!/bin/sh\necho $$ > '${pidFile}'\nexec sleep ${seconds}\n`);
  await chmod(hook, 0o755);
  return {
    project: await world.addProject(path),
    async hookPid() {
      const pid = Number(await world.readFile(pidFile));
      return pid > 0 ? pid : null;
    },
  };
}
