/** A deploy changes us, not the hosts that run (R13): sessions whose hosts the version before has started, taken over. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isOver } from "../../testing/engine-rows";
import { type Engine, type EngineWorld, engineWorld, isAlive } from "../../testing/engine-world";
import { makeRepository } from "../../testing/git-repositories";
import { startOldHost } from "../../testing/old-host";
import { waitFor } from "../../testing/wait-for";

vi.setConfig({ testTimeout: 120_000 });

const LINES = 400;

let world: EngineWorld;
let engine: Engine | null = null;
let project: string;

beforeAll(async () => {
  world = await engineWorld();
  project = await world.addProject(await makeRepository(join(world.folder, "shop")));
});
afterAll(() => world?.cleanUp());

/** A task with its worktree, and a session of it that runs in a host of the version before, with no server there. */
async function runningInOldHost(script: string): Promise<string> {
  engine ??= await world.startEngine();
  const { sessionId: first } = await world.dispatch(engine, project, "true");
  await world.until(first, isOver, "over");
  await engine.stop();
  engine = null;
  const { worktree } = await world.branchOf(first);
  const id = `old-${first}`;
  await world.sql`
    insert into sessions (id, task_id, project_id, user_id, agent_id, status, phase, attempt, epoch, grant_seq, seat,
      queued_at, started_at)
    select ${id}, task_id, project_id, user_id, agent_id, 'running', 'working', 1, epoch, grant_seq, 0, now(), now()
    from sessions where id = ${first}`;
  await startOldHost(world.dataDir, {
    sessionId: id,
    attempt: 1,
    epoch: 1,
    command: { argv: ["bash", "-c", script], stdin: null },
    cwd: worktree,
    environment: {},
    secrets: [],
    limits: { longestRunMs: 600_000, termGraceMs: 5_000 },
    sandbox: "none",
  });
  await world.agentPid(id);
  return id;
}

describe("hosts of the version before", () => {
  it("[R13][RST-3] one that works is taken over with its slot, finishes, and its output and its work are whole", async () => {
    const flag = join(world.folder, "go-on");
    const id = await runningInOldHost(
      `for i in $(seq ${LINES}); do echo line $i; done; echo work > made.txt
       until [ -e '${flag}' ]; do sleep 0.05; done
       for i in $(seq ${LINES}); do echo more $i; done; exit 3`,
    );
    const agent = await world.agentPid(id);
    engine = await world.startEngine();
    expect(await engine.counts("a")).toMatchObject({ running: 1 });
    await world.until(id, (row) => row.lastAction === `line ${LINES}`, "its last action");
    expect(await world.agentPid(id)).toBe(agent);
    await writeFile(flag, "");
    const row = await world.until(id, isOver, "over");
    expect(row).toMatchObject({ status: "failed", failureKind: "agent-exited", exitCode: 3, attempt: 1 });
    const numbers = Array.from({ length: LINES }, (_, i) => i + 1);
    const whole = [...numbers.map((n) => `line ${n}\n`), ...numbers.map((n) => `more ${n}\n`)].join("");
    expect(await world.output(id)).toBe(whole);
    expect(row.outputBytes).toBe(whole.length);
    const { branch } = await world.branchOf(id);
    expect(await world.git(project, "show", `${branch}:made.txt`)).toContain("work");
    expect(await engine.counts("a")).toMatchObject({ running: 0 });
  });

  it("[R13][P17] one that is to stop is stopped, and its slot comes back", async () => {
    const id = await runningInOldHost("sleep 600");
    const agent = await world.agentPid(id);
    engine = await world.startEngine();
    await engine.cancel(id, "a");
    expect(await world.until(id, isOver, "over")).toMatchObject({ status: "cancelled" });
    await waitFor(async () => !(await isAlive(agent)), "the agent's end");
    expect(await engine.counts("a")).toMatchObject({ running: 0 });
  });

  it("[R13][R3] one that ended while no server was there is finished from what it left", async () => {
    const flag = join(world.folder, "end");
    const id = await runningInOldHost(`until [ -e '${flag}' ]; do sleep 0.05; done; echo done`);
    await writeFile(flag, "");
    await waitFor(async () => (await world.runner.probe({ sessionId: id, attempt: 1 })).kind === "exited", "its end");
    engine = await world.startEngine();
    expect(await world.until(id, isOver, "over")).toMatchObject({ status: "succeeded", outputBytes: 5 });
    expect(await world.output(id)).toBe("done\n");
  });
});
