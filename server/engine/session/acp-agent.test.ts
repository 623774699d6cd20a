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

const dispatch = async (taskId: string, message: string | null = null) => {
  const session = { taskId, projectId: project, userId: "a", agentId: "small", mode: "work", message } as const;
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
