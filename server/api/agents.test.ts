import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NumberedEvent } from "../core/agent/events";
import { addToTranscript, EMPTY_TRANSCRIPT } from "../core/agent/transcript";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { untilProbe } from "../testing/runner.suite";
import { waitFor } from "../testing/wait-for";

let world: ApiWorld;
let project: string;

beforeAll(async () => {
  world = await apiWorld({ globalMax: 100, perUserMax: 1 });
  await world.addUser("anna");
  await world.addUser("ben");
  await world.addUser("admin", "admin");
  project = await world.project("anna", ["ben"]);
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  world.holds.stop();
  await world.close();
});

const post = (who: string, path: string, body: unknown = {}) => world.ask(who, "POST", path, { body });
const get = (who: string, path: string) => world.ask(who, "GET", path);

let agentsMade = 0;
/** Of a name that no other one has. */
async function agent(wish: { name: string; kind: string; settings?: object }): Promise<string> {
  const made = await post("admin", "/agents", { ...wish, name: `${wish.name} ${++agentsMade}` });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}

const dispatch = async (who: string, agentId: string) => {
  const task = await world.task(who, project);
  return (await post(who, `/tasks/${task}/dispatch`, { agentId })).body;
};

describe("agents of every kind", () => {
  test("[A1] are given variables of agents and proxies only, never the server's own", async () => {
    const wish = (environment: string[]) => ({ name: "C", kind: "claude-code", settings: { environment } });
    for (const name of [
      "DATABASE_URL",
      "CAMELOT_SECRET",
      "PATH",
      "LD_PRELOAD",
      "anthropic_api_key",
      "X_ANTHROPIC_KEY",
    ]) {
      const refused = await post("admin", "/agents", wish(["OPENAI_API_KEY", name]));
      expect([refused.status, refused.body.code], name).toEqual([400, "BAD_REQUEST"]);
      expect(refused.body.message).toMatch(/^Line 2 is not passed on: only variables of agents and proxies are/);
    }
    const names = ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "HTTPS_PROXY", "AWS_REGION", "AWS_BEARER_TOKEN_BEDROCK"];
    const made = await post("admin", "/agents", wish(names));
    expect(made.status).toBe(201);
  });

  test("[A2] settings are checked by their kind, when one is made and when it is changed", async () => {
    expect(
      (await post("admin", "/agents", { name: "C", kind: "codex", settings: { permissionMode: "yolo" } })).status,
    ).toBe(400);
    expect((await post("admin", "/agents", { name: "C", kind: "acp", settings: {} })).status).toBe(400);
    expect(
      (await post("admin", "/agents", { name: "C", kind: "claude-code", settings: { arguments: ["a\u0000"] } })).status,
    ).toBe(400);
    const id = await agent({ name: "C", kind: "claude-code", settings: { permissionMode: "default", model: "opus" } });
    const wrong = await world.ask("admin", "PATCH", `/agents/${id}`, { body: { settings: { allowedTools: "Bash" } } });
    expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining("settings.allowedTools")]);
    const right = await world.ask("admin", "PATCH", `/agents/${id}`, {
      body: { settings: { allowedTools: ["Bash"] } },
    });
    expect(right.body).toMatchObject({ kind: "claude-code", settings: { allowedTools: ["Bash"] } });
  });

  test("[B10][A2] a command that has no place for its prompt is refused when it is saved, as at a dispatch", async () => {
    for (const [promptVia, placeholder] of [
      ["argument", "{{prompt}}"],
      ["file", "{{promptFile}}"],
    ] as const) {
      // The program's own name is never filled in.
      const settings = { argv: [placeholder, "--go"], promptVia };
      const refused = await post("admin", "/agents", { name: "Mute", kind: "command", settings });
      const sentence = `The command of the agent Mute has no ${placeholder} argument.`;
      expect([refused.status, refused.body.message]).toEqual([400, sentence]);
      const id = await agent({ name: "Talker", kind: "command", settings: { argv: ["talker"] } });
      const change = (body: object) => world.ask("admin", "PATCH", `/agents/${id}`, { body });
      const changed = await change({ name: "Mute", settings });
      expect([changed.status, changed.body.message]).toEqual([400, sentence]);
      expect((await change({ settings: { argv: ["talker", placeholder], promptVia } })).status).toBe(200);
    }
  });

  test("[B10] two agents of one home have two names, also when both are saved at once; a removed one leaves its name", async () => {
    const wish = (name: string, projectId: string | null = null) => ({ name, kind: "shell", projectId });
    const tries = Array.from({ length: 5 }, () => post("admin", "/agents", wish("Twin")));
    const answers = await Promise.all(tries);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
    const first = answers.find(({ status }) => status === 201)?.body.id;
    const refused = await post("admin", "/agents", wish("twin"));
    expect(refused.body.message).toBe("There is an agent “twin” for everybody already: choose another name.");
    expect((await post("anna", "/agents", wish("Twin", project))).status).toBe(201);
    expect((await post("anna", "/agents", wish("Twin", project))).body.message).toContain("in this project already");

    const other = (await post("admin", "/agents", wish("Other"))).body.id;
    const rename = (id: string, name: string) => world.ask("admin", "PATCH", `/agents/${id}`, { body: { name } });
    expect((await rename(other, "Twin")).status).toBe(409);
    expect((await rename(first, "TWIN")).body.name).toBe("TWIN");
    await world.ask("admin", "DELETE", `/agents/${first}`);
    expect((await rename(other, "Twin")).body.name).toBe("Twin");
  });

  test("[P1] a missing program is a 409 with the command that installs it, and stands on the agents page", async () => {
    const id = await agent({ name: "Claude", kind: "claude-code" });
    const there = (await get("anna", "/agents")).body.items.find((each: { id: string }) => each.id === id);
    expect(there).toMatchObject({
      problem: null,
      program: { name: "claude", isThere: true, version: "1.2.3", testedWith: "2.1.332" },
    });
    world.programs.missing.add("claude");
    const task = await world.task("anna", project);
    const refused = await post("anna", `/tasks/${task}/dispatch`, { agentId: id });
    expect([refused.status, refused.body.code]).toEqual([409, "AGENT_UNUSABLE"]);
    expect(refused.body.message).toContain("npm install -g @anthropic-ai/claude-code");
    const missing = (await get("anna", "/agents")).body.items.find((each: { id: string }) => each.id === id);
    expect(missing).toMatchObject({ problem: refused.body.message, program: { isThere: false, version: null } });
    world.programs.missing.delete("claude");
  });
});

describe("what cannot be used at the moment", () => {
  test("[A8][P14] holds the waiting and the new sessions of that agent, nobody else's, until somebody tries again", async () => {
    const [tired, fresh] = [
      await agent({ name: "Tired", kind: "codex" }),
      await agent({ name: "Fresh", kind: "codex" }),
    ];
    const running = await dispatch("anna", fresh);
    const waiting = await dispatch("anna", tired);
    const other = await dispatch("anna", fresh);
    const until = Date.now() + 3_600_000;
    await world.holds.put({ subject: "agent", subjectId: tired, detail: "Tired is not logged in.", until });
    const held = { reason: "agent-unusable", detail: "Tired is not logged in.", until: new Date(until).toISOString() };
    expect((await get("anna", `/sessions/${waiting.session.id}`)).body).toMatchObject({
      position: null,
      waitingFor: held,
    });
    // Found unusable once more, for another reason: those that wait say the same as the agents page.
    for (const [detail, end] of [
      ["The usage limit of Tired is reached.", null],
      [held.detail, until],
    ] as const) {
      await world.holds.put({ subject: "agent", subjectId: tired, detail, until: end });
      const { waitingFor } = (await get("anna", `/sessions/${waiting.session.id}`)).body;
      expect(waitingFor).toEqual({ ...held, detail, until: end === null ? undefined : held.until });
    }
    expect((await get("anna", `/sessions/${other.session.id}`)).body).toMatchObject({ position: 1 });
    const late = await dispatch("ben", tired);
    expect(late).toMatchObject({ position: null, session: { status: "queued", waitingFor: held } });
    const { body: pool } = await get("anna", "/pool");
    const { body: ben } = await get("ben", "/me");
    expect([pool.held[ben.id], pool.users[ben.id].queued]).toEqual([1, 1]);
    const listed = (await get("ben", "/agents")).body.items.find((each: { id: string }) => each.id === tired);
    expect(listed.hold).toEqual({ detail: held.detail, until: held.until });
    expect((await post("ben", `/agents/${tired}/try-again`)).body).toMatchObject({ id: tired, hold: null });
    expect((await get("anna", `/sessions/${waiting.session.id}`)).body).toMatchObject({ position: 1 });
    expect((await get("ben", `/sessions/${late.session.id}`)).body).toMatchObject({ status: "running", position: 0 });
    for (const { session } of [running, waiting, other, late]) await post("anna", `/sessions/${session.id}/cancel`);
  });

  test("[A8] other settings of a held agent try it again, another name does not", async () => {
    const id = await agent({ name: "Strict", kind: "acp", settings: { argv: ["gemini", "--acp"], mode: "yollo" } });
    const hold = { detail: "The agent has no mode “yollo”.", until: null };
    await world.holds.put({ subject: "agent", subjectId: id, ...hold });
    const change = (body: object) => world.ask("admin", "PATCH", `/agents/${id}`, { body });
    expect((await change({ name: `Stricter ${id}` })).body.hold).toEqual(hold);
    expect((await change({ settings: { argv: ["gemini", "--acp"], mode: "yolo" } })).body.hold).toBeNull();
    const { session } = await dispatch("ben", id);
    expect(session.waitingFor?.reason).not.toBe("agent-unusable");
    await post("ben", `/sessions/${session.id}/cancel`);
  });

  test("[A8] a limit that ends by itself needs nobody; a repository holds its project's sessions", async () => {
    const codex = await agent({ name: "Codex", kind: "codex" });
    await world.holds.put({
      subject: "agent",
      subjectId: codex,
      detail: "Until in a moment.",
      until: Date.now() + 500,
    });
    const { session } = await dispatch("ben", codex);
    expect(session.waitingFor.reason).toBe("agent-unusable");
    await waitFor(async () => (await get("ben", `/sessions/${session.id}`)).body.status === "running", "it to run");
    await post("ben", `/sessions/${session.id}/cancel`);
    await world.holds.put({
      subject: "repository",
      subjectId: project,
      detail: "There is nothing at /repo.",
      until: null,
    });
    const gone = await dispatch("ben", codex);
    expect(gone.session.waitingFor).toEqual({ reason: "repository-unusable", detail: "There is nothing at /repo." });
    const holdOf = async () => {
      const { body: list } = await get("ben", "/projects");
      const listed = list.items.find(({ id }: { id: string }) => id === project).hold;
      expect((await get("ben", `/projects/${project}`)).body.hold).toEqual(listed);
      return listed;
    };
    expect(await holdOf()).toEqual({ detail: "There is nothing at /repo.", until: null });
    expect((await post("ben", `/projects/${project}/try-again`)).body).toEqual({ id: project });
    expect(await holdOf()).toBeNull();
    expect((await get("ben", `/sessions/${gone.session.id}`)).body).toMatchObject({ status: "running" });
    await post("ben", `/sessions/${gone.session.id}/cancel`);
  });
});

describe("the transcript", () => {
  const recording = readFileSync(join(import.meta.dirname, "../core/agent/streams/claude-code.ok.jsonl"));

  async function events(id: string, after?: number) {
    const answer = await get("anna", `/sessions/${id}/events${after === undefined ? "" : `?after=${after}`}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    const lines = Buffer.from(answer.body).toString().split("\n").filter(Boolean);
    const next = Number(answer.headers.get("x-next-after"));
    return {
      events: lines.map((line): NumberedEvent => JSON.parse(line)),
      next,
      complete: answer.headers.get("x-complete"),
    };
  }

  async function running(kind: "claude-code" | "command") {
    const wish = kind === "command" ? { name: "X", kind, settings: { argv: ["x"] } } : { name: "C", kind };
    const { session } = await dispatch("anna", await agent(wish));
    const run = { sessionId: session.id, attempt: 1 };
    const limits = { longestRunMs: 60_000, termGraceMs: 1_000 };
    const rest = { epoch: 1, cwd: "/", environment: {}, secrets: [], limits, sandbox: "none" } as const;
    await world.runner.start({ ...run, ...rest, command: { argv: ["wait"], stdin: null } });
    await untilProbe(world.runner, run, "present");
    return { id: session.id as string, run };
  }

  test("[R6] comes as numbered events, from any number on, the same however the output came, and says when it is whole", async () => {
    const { id, run } = await running("claude-code");
    let transcript = EMPTY_TRANSCRIPT;
    let after: number | undefined;
    for (let at = 0; at < recording.length; at += 700) {
      world.runner.print(run, recording.subarray(at, at + 700));
      const found = await events(id, after);
      expect(found.complete).toBe("false");
      transcript = addToTranscript(transcript, found.events);
      after = found.next;
    }
    world.runner.end(run);
    world.endAgent(id);
    await waitFor(async () => (await get("anna", `/sessions/${id}`)).body.status === "succeeded", "its end");
    const whole = await events(id);
    expect(whole.complete).toBe("true");
    expect(transcript).toEqual(addToTranscript(EMPTY_TRANSCRIPT, whole.events));
    for (const { n } of whole.events) {
      expect((await events(id, n)).events).toEqual(whole.events.filter((other) => other.n > n));
    }
    expect(await events(id, whole.next)).toEqual({ events: [], next: whole.next, complete: "true" });
    expect((await get("anna", `/sessions/${id}/events?after=x`)).status).toBe(400);
  });

  test("[R6] of an agent without a protocol is its lines", async () => {
    const { id, run } = await running("command");
    world.runner.print(run, 'one\n{"type":"result"}\nthr');
    expect((await events(id)).events.map(({ event }) => event)).toEqual([
      { kind: "raw", text: "one" },
      { kind: "raw", text: '{"type":"result"}' },
    ]);
    world.runner.end(run);
    world.endAgent(id);
    await waitFor(async () => (await events(id)).complete === "true", "its end");
    expect((await events(id)).events.at(-1)).toEqual({ n: 23, event: { kind: "raw", text: "thr" } });
  });
});
