/** Real Claude Code and Codex through the whole engine: rows, worktrees, restarts, and what one failure means for others. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isOver } from "../../testing/engine-rows";
import { type Engine, type EngineWorld, engineWorld } from "../../testing/engine-world";
import { startFakeModel } from "../../testing/fake-model/server.mjs";
import { makeRepository } from "../../testing/git-repositories";
import { environmentOf, REAL_AGENTS, type RealAgent } from "../../testing/real-agents";
import { waitFor } from "../../testing/wait-for";

/** A real agent starts, works and leaves on a busy machine. */
const PATIENCE_MS = 60_000;

let model: Awaited<ReturnType<typeof startFakeModel>>;
let homes: string;

beforeAll(async () => {
  model = await startFakeModel();
  homes = await mkdtemp(join(tmpdir(), "camelot-homes-"));
});
afterAll(async () => {
  await model.close();
  await rm(homes, { recursive: true, force: true });
});

describe("real agents in the engine", { timeout: 120_000 }, () => {
  let world: EngineWorld;
  let project: string;
  beforeEach(async () => {
    world = await engineWorld();
    await world.addUser("a");
    project = await world.addProject(await makeRepository(join(world.folder, "repository")));
  });
  afterEach(() => world.cleanUp());

  const start = async (agent: RealAgent) => {
    const environment = { ...process.env, ...(await environmentOf(agent, model.url, join(homes, agent.name))) };
    const engine = await world.startEngine(environment);
    const names = Object.keys(environment).filter((name) => /^(ANTHROPIC|CLAUDE_CODE|FAKE_MODEL)_/.test(name));
    const settings = world.sql.json({ ...agent.free, environment: names } as never);
    await world.sql`insert into agents (id, name, kind, settings) values ('real', 'Real', ${agent.name}, ${settings})
      on conflict do nothing`;
    return { engine, environment };
  };
  const dispatch = async (engine: Engine, taskId: string, message: string | null = null, agentId = "real") => {
    const session = { taskId, projectId: project, userId: "a", agentId, mode: "work", message } as const;
    return (await engine.enqueue(session)).sessionId;
  };
  const ended = async (id: string) => {
    await world.until(id, isOver, "to be over", PATIENCE_MS);
    const [row] =
      await world.sql`select status, failure_kind, failure_detail, usage, agent_session_id, last_action, files
      from sessions where id = ${id}`;
    return row;
  };

  it.each(REAL_AGENTS.filter(({ resumes }) => resumes))(
    "[A4][A5] $name: what it used stands in the row, and after a restart a message goes on with its conversation in the same worktree",
    async (agent) => {
      const { engine, environment } = await start(agent);
      const task = await world.addTask(project, "@@write one.txt one\n@@say First done.");
      const first = await ended(await dispatch(engine, task));
      expect(first).toMatchObject({ status: "succeeded", lastAction: "First done.", files: 1 });
      expect(first?.usage).toMatchObject({ input: 2480, cachedInput: 600, output: 50, partial: false });
      await engine.kill();
      const next = await world.startEngine(environment);
      const second = await ended(await dispatch(next, task, "@@say Second done."));
      expect(second).toMatchObject({ status: "succeeded", lastAction: "Second done." });
      expect(second?.agentSessionId).toBe(first?.agentSessionId);
      expect(second?.usage).toMatchObject({ input: 1240, cachedInput: 300, output: 25, partial: false });
      if (agent.name === "claude-code") {
        expect(second?.usage.costUsd).toBeLessThan(first?.usage.costUsd);
        expect(second?.usage.conversationCostUsd).toBeCloseTo(first?.usage.costUsd + second?.usage.costUsd, 6);
      } else expect(second?.usage).toMatchObject({ costUsd: null, costSource: "unknown" });
    },
  );

  it("[A9][A4] while a command runs in the background the session waits, says so, and takes a message", async () => {
    const { engine } = await start(CLAUDE);
    const command = "until [ -e go ]; do sleep 0.1; done";
    const input = { command, description: "run tests", run_in_background: true };
    const id = await dispatch(
      engine,
      await world.addTask(project, `@@tool Bash ${JSON.stringify(input)}\n@@say Later.`),
    );
    const waits = async () => {
      const [row] = await world.sql`select status, last_action from sessions where id = ${id}`;
      return row?.status === "running" && row.lastAction === "Waits for what runs in the background: run tests";
    };
    await waitFor(waits, "it to wait", PATIENCE_MS);
    const message = { kind: "message", text: "@@bash touch go\n@@say Told to go." } as const;
    expect(await world.runner.tell({ sessionId: id, attempt: 1 }, message)).toBe("told");
    const row = await ended(id);
    expect(row).toMatchObject({ status: "succeeded", usage: { partial: false } });
    expect(row?.lastAction).not.toContain("background");
  });

  it("[A5] Claude Code says that it has lost a conversation; the next message begins a new one, with the whole task", async () => {
    const { engine } = await start(CLAUDE);
    const task = await world.addTask(project, "@@say Begun with the task.");
    const first = await dispatch(engine, task);
    await ended(first);
    await world.sql`update sessions set agent_session_id = ${crypto.randomUUID()} where id = ${first}`;
    expect(await ended(await dispatch(engine, task, "@@say Only the message."))).toMatchObject({
      status: "failed",
      failureKind: "no-result",
      failureDetail: "The agent's earlier conversation is not there any more. The next dispatch begins a new one.",
    });
    const anew = await ended(await dispatch(engine, task, "@@say Only the message."));
    expect(anew).toMatchObject({ status: "succeeded", lastAction: "Begun with the task." });
  });

  it("[R3] what a real agent says that gives up before it begins stands in the failure", async () => {
    const { engine } = await start(CLAUDE);
    await world.sql`update agents set settings = settings || ${world.sql.json({ arguments: ["--no-such-argument"] })}`;
    const row = await ended(await dispatch(engine, await world.addTask(project, "@@say x")));
    expect(row).toMatchObject({ status: "failed", failureKind: "agent-exited", usage: null });
    expect(row?.failureDetail).toMatch(/^The agent exited with code 1\. It said: “.*--no-such-argument.*”$/);
  });

  it("[R3][A4] a server that is killed while a real agent works loses nothing of what it tells", async () => {
    const { engine, environment } = await start(CLAUDE);
    const task = await world.addTask(project, "@@drip 30 100");
    const id = await dispatch(engine, task);
    await waitFor(async () => (await world.output(id).catch(() => "")).includes("chunk 3"), "it to work", PATIENCE_MS);
    await engine.kill();
    await world.startEngine(environment);
    expect(await ended(id)).toMatchObject({ status: "succeeded", usage: { input: 1240, output: 25, partial: false } });
  });

  it("[A8] a login that is over holds its agent's later sessions, with the reason, and nobody else's, until it is tried again", async () => {
    const { engine } = await start(CLAUDE);
    await engine.setCaps({ globalMax: 1, perUserMax: 1 });
    const tasks = await Promise.all(
      ["@@error 401", "@@say Second.", "true"].map((prompt) => world.addTask(project, prompt)),
    );
    const [first = "", second = "", other = ""] = tasks;
    const failing = await dispatch(engine, first);
    const waiting = await dispatch(engine, second);
    const shell = await dispatch(engine, other, null, "shell");
    expect(await ended(failing)).toMatchObject({
      status: "failed",
      failureKind: "no-result",
      failureDetail: expect.stringMatching(
        /^Real is not logged in on the machine that runs agents: run "claude" there/,
      ),
    });
    expect(await ended(shell)).toMatchObject({ status: "succeeded" });
    const [held] = await world.sql`select status, held, held_detail from sessions where id = ${waiting}`;
    expect(held).toMatchObject({
      status: "queued",
      held: "agent-unusable",
      heldDetail: expect.stringContaining("not logged in"),
    });
    await world.sql`delete from holds`;
    expect(await ended(waiting)).toMatchObject({ status: "succeeded", lastAction: "Second." });
  });

  it("[P17][A4] a cancel ends a real agent politely, and what it told before is kept", async () => {
    const { engine } = await start(CLAUDE);
    const task = await world.addTask(project, "@@write kept.txt kept\n@@drip 400 100");
    const id = await dispatch(engine, task);
    await waitFor(async () => (await world.output(id).catch(() => "")).includes("chunk 2"), "it to work", PATIENCE_MS);
    await engine.cancel(id, "a");
    expect(await ended(id)).toMatchObject({ status: "cancelled", files: 1, usage: { partial: true } });
  });
});

const CLAUDE = REAL_AGENTS.find(({ name }) => name === "claude-code") as RealAgent;
