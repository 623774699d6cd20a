/** A small agent of our own that speaks ACP, through the whole engine: when it counts as up, and what follows its session. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { isOver } from "../../testing/engine-rows";
import { type Engine, type EngineWorld, engineWorld } from "../../testing/engine-world";
import { makeRepository } from "../../testing/git-repositories";

vi.setConfig({ testTimeout: 120_000 });

let world: EngineWorld;
let engine: Engine;
let project: string;

/** Greets once there is a file `go`, takes up no conversation again, and says what it was asked. */
const AGENT = `
const fs = require("node:fs");
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const until = (file, then) => fs.existsSync(file) ? then() : setTimeout(until, 20, file, then);
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") until(process.argv[2], () => say({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: false } } }));
  else if (method === "session/new") say({ id, result: { sessionId: "s1" } });
  else if (method === "session/set_mode") say({ id, error: { code: -32603, message: "Not in an untrusted folder." } });
  else if (method === "session/prompt") {
    const text = params.prompt[0].text.split("\\n").join(" / ");
    say({ method: "session/update", params: { sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
    say({ id, result: { stopReason: "end_turn" } });
  }
}).on("close", () => process.exit(0));
`;

beforeAll(async () => {
  world = await engineWorld();
  await world.addUser("a");
  project = await world.addProject(await makeRepository(join(world.folder, "shop")));
  engine = await world.startEngine();
  const program = join(world.folder, "agent.cjs");
  await writeFile(program, AGENT);
  const settings = world.sql.json({ argv: [process.execPath, program, join(world.folder, "go")] });
  await world.sql`insert into agents (id, name, kind, settings) values ('small', 'Small', 'acp', ${settings})`;
});
afterAll(() => world?.cleanUp());

const dispatch = async (taskId: string, message: string | null = null, agentId = "small") => {
  const session = { taskId, projectId: project, userId: "a", agentId, mode: "work", message } as const;
  return (await engine.enqueue(session)).sessionId;
};

it("[R3][A5] it is starting until it speaks its protocol; one that takes up no conversation begins its follow-up anew", async () => {
  const task = await world.addTask(project, "Mend the roof");
  const first = await dispatch(task);
  await world.agentPid(first);
  expect(await world.session(first)).toMatchObject({ status: "running", phase: "starting" });
  await writeFile(join(world.folder, "go"), "");
  const ended = await world.until(first, isOver, "over");
  expect(ended).toMatchObject({ status: "succeeded", lastAction: "Mend the roof" });
  const [row] = await world.sql`select agent_session_id from sessions where id = ${first}`;
  expect(row?.agentSessionId).toBe("");

  const second = await world.until(await dispatch(task, "And the door"), isOver, "over");
  expect(second.lastAction).toMatch(/^Mend the roof \/ .* \/ And the door$/);
  expect(await world.output(second.id)).not.toContain('"camelot":"lost"');
});

it("[A8][R3] a mode that its agent refuses ends the session before it works, says where to change it, and holds the next ones", async () => {
  await writeFile(join(world.folder, "go"), "");
  const settings = world.sql.json({
    argv: [process.execPath, join(world.folder, "agent.cjs"), join(world.folder, "go")],
    mode: "yolo",
  });
  await world.sql`insert into agents (id, name, kind, settings) values ('strict', 'Strict', 'acp', ${settings})`;
  const sentence =
    "The agent does not take the mode “yolo”: change it in the agent's settings. It said: “Not in an untrusted folder.”";
  const [first, next] = [await world.addTask(project, "Mend the roof"), await world.addTask(project, "And the door")];
  await engine.setCaps({ globalMax: 1, perUserMax: 1 });
  const failing = await dispatch(first, null, "strict");
  const waiting = await dispatch(next, null, "strict");
  expect(await world.until(failing, isOver, "over")).toMatchObject({
    status: "failed",
    failureKind: "no-result",
    failureDetail: sentence,
    lastAction: null,
  });
  const [held] = await world.sql`select status, held, held_detail from sessions where id = ${waiting}`;
  expect(held).toMatchObject({ status: "queued", held: "agent-unusable", heldDetail: sentence });
});
