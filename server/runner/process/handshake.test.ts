/** How agents with a protocol take it up, or do not; and answers that answer nothing. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLineReader } from "../../core/agent/lines";
import { NOTHING_SAID, summarize, verdictOf } from "../../core/agent/summary";
import { addToTranscript, EMPTY_TRANSCRIPT } from "../../core/agent/transcript";
import type { RunOrder } from "../../ports/runner";
import { readToEnd, untilProbe } from "../../testing/runner.suite";
import { waitFor } from "../../testing/wait-for";
import { type ProcessHarness, withProcessHarness } from "./process-harness";
import { ACP, beginTalk, CLAUDE, CODEX } from "./talking-harness";

let harness: ProcessHarness;
withProcessHarness((fresh) => {
  harness = fresh;
});

const within = (handshakeMs: number) => ({ limits: { longestRunMs: 60_000, termGraceMs: 5_000, handshakeMs } });
const ended = async (order: RunOrder) => (await untilProbe(harness.runner, order, "exited")).ending;
const outputOf = async (order: RunOrder) => (await readToEnd(harness.runner, order)).toString();
const present = async (order: RunOrder) => {
  const probe = await harness.runner.probe(order);
  return probe.kind === "present" ? probe : null;
};

/** Speaks ACP up to its prompt, which `prompted` answers; `hello`: how it greets. */
const acp = (prompted: string, hello = "{ protocolVersion: 1, agentCapabilities: {} }") => `
  const reply = (id, result) => say({ jsonrpc: "2.0", id, result });
  const tell = (text) => say({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
  hear(({ id, method }) => {
    if (method === "initialize") reply(id, ${hello});
    else if (method === "session/new") reply(id, { sessionId: "s1" });
    else if (method === "session/prompt") { ${prompted} }
  });`;

async function eventsOf(order: RunOrder) {
  const reader = createLineReader("acp");
  const bytes = new TextEncoder().encode(await outputOf(order));
  return [...reader.push(bytes, 0), ...reader.end()];
}

async function verdict(order: RunOrder) {
  const events = await eventsOf(order);
  return verdictOf(
    events.reduce((summary, { event }) => summarize(summary, event), NOTHING_SAID),
    0,
  );
}

describe("taking up a protocol", () => {
  it("[R9] an agent that never takes it up could not start, within its limit and in one sentence", async () => {
    for (const talk of [ACP, CODEX, CLAUDE]) {
      const order = await beginTalk(harness, talk, "hear(() => {});", within(1_000));
      expect(await ended(order)).toMatchObject({
        cause: "could-not-start",
        exitCode: null,
        message:
          "The agent's program was started and did not take up its protocol within 1 s: look at its command and arguments.",
      });
    }
  });

  it("[R9] a conversation that is never opened counts as well; the limit is over once the agent is up", async () => {
    const silent = `hear(({ id, method }) => method === "initialize" && say({ jsonrpc: "2.0", id, result: {} }));`;
    const unopened = await beginTalk(harness, ACP, silent, within(1_000));
    expect(await ended(unopened)).toMatchObject({ cause: "could-not-start" });
    const slow = acp(`setTimeout(() => reply(id, { stopReason: "end_turn" }), 7_000);`);
    expect(await ended(await beginTalk(harness, ACP, slow, within(6_000)))).toMatchObject({ result: "success" });
  });

  it("[R3] it is not up before: then nobody says that it works", async () => {
    const body = `
      const until = (file, then) => require("fs").existsSync(file) ? then() : setTimeout(until, 20, file, then);
      until("go", () => { ${acp(`until("end", () => reply(id, { stopReason: "end_turn" }));`)} });`;
    const order = await beginTalk(harness, ACP, body);
    const before = await waitFor(async () => {
      const probe = await present(order);
      return probe?.agentPid ? probe : null;
    }, "its process");
    expect(before.isUp).toBe(false);
    await writeFile(join(harness.cwd, "go"), "");
    await waitFor(async () => (await present(order))?.isUp, "it to be up");
    await writeFile(join(harness.cwd, "end"), "");
    expect(await ended(order)).toMatchObject({ cause: "exited", result: "success" });
  });

  it("[R3] one that closes its output before could not start, at once", async () => {
    const order = await beginTalk(harness, ACP, "process.stdout.end(); setInterval(() => {}, 1_000);");
    expect(await ended(order)).toMatchObject({
      cause: "could-not-start",
      message: "The agent's program closed its output before it took up its protocol.",
    });
  });

  it("[R3] one that closes it later and stays is ended: it can report nothing any more, and that is said", async () => {
    const order = await beginTalk(
      harness,
      ACP,
      acp(`tell("so far"); process.stdout.end(); setInterval(() => {}, 1_000);`),
    );
    expect(await ended(order)).toMatchObject({ cause: "exited", result: "none", lingered: true });
    expect(await verdict(order)).toMatchObject({
      kind: "trouble",
      trouble: { message: "The agent closed its output and reported no result.", isOurs: true },
    });
  });

  it("[R3] one that speaks another version of the protocol could not start, and says which", async () => {
    const order = await beginTalk(harness, ACP, acp("", "{ protocolVersion: 9, agentCapabilities: {} }"));
    const { cause, message } = await ended(order);
    expect(cause).toBe("could-not-start");
    expect(message).toMatch(/^The agent speaks version 9 of the Agent Client Protocol, and Camelot version 1: /);
  });
});

describe("a mode and a model", () => {
  /** Refuses what `refuses` names, and would do the work; `opened`: what it tells of its conversation. */
  const choosy = (
    refuses: string,
    opened: object = {},
    error = `{ code: -32603, message: "Not in " + "s3cret-of-ours." }`,
  ) => `
    const reply = (id, result) => say({ jsonrpc: "2.0", id, result });
    hear(({ id, method, params }) => {
      if (method === "initialize") reply(id, { protocolVersion: 1, agentCapabilities: {} });
      else if (method === "session/new") reply(id, { sessionId: "s1", ...${JSON.stringify(opened)} });
      else if (method === ${JSON.stringify(refuses)}) say({ jsonrpc: "2.0", id, error: ${error} });
      else if (method === "session/prompt") reply(id, { stopReason: "end_turn" });
      else reply(id, {});
    });`;
  const wrong = async (talk: object, body: string) => {
    const order = await beginTalk(harness, { ...ACP, ...talk }, body, { secrets: ["s3cret-of-ours"] });
    expect(await ended(order)).toMatchObject({ cause: "exited", result: "error" });
    expect(await outputOf(order)).not.toMatch(/"camelot":"begin"|s3cret/);
    const found = await verdict(order);
    return found.kind === "trouble" ? found.trouble : null;
  };
  const modes = { availableModes: [{ id: "default" }, { id: "yolo" }], currentModeId: "default" };

  it("[A8][R3] one that the agent refuses keeps the prompt from it, in one sentence with its own words", async () => {
    const mode = "The agent does not take the mode “yolo”: change it in the agent's settings. It said: “Not in ***.”";
    for (const opened of [{ modes }, {}])
      expect(await wrong({ mode: "yolo" }, choosy("session/set_mode", opened))).toMatchObject({
        error: "wrong-setting",
        message: mode,
      });
    const configOptions = [{ id: "m", category: "model" }];
    for (const [method, opened] of [
      ["session/set_model", {}],
      ["session/set_config_option", { configOptions }],
    ] as const)
      expect(await wrong({ mode: "yolo", model: "big" }, choosy(method, opened))).toMatchObject({
        error: "wrong-setting",
        message: "The agent does not take the model “big”: change it in the agent's settings. It said: “Not in ***.”",
      });
  });

  it("[A8][R3] a mode that is not among those the agent tells of is not asked for, and what it has is named", async () => {
    expect(await wrong({ mode: "yollo" }, choosy("none", { modes }))).toMatchObject({
      error: "wrong-setting",
      message: "The agent has no mode “yollo”: change it in the agent's settings. It offers default, yolo.",
    });
  });

  it("[A8] a login that is over is no wrong setting, whenever the agent says so", async () => {
    const error = `{ code: 1, message: "Invalid API key" }`;
    expect(await wrong({ model: "big" }, choosy("session/set_model", {}, error))).toMatchObject({
      error: "not-logged-in",
      message: "Invalid API key",
    });
  });

  it("[R12] what people say in that moment does not become its prompt", async () => {
    const body = `
      const until = (file, then) => require("fs").existsSync(file) ? then() : setTimeout(until, 20, file, then);
      hear(({ id, method }) => {
        const reply = (result) => say({ jsonrpc: "2.0", id, ...result });
        if (method === "session/set_mode") { say({ waiting: true }); until("go", () => reply({ error: { code: 1, message: "No." } })); }
        else if (method === "session/prompt") { say({ prompted: true }); reply({ result: { stopReason: "end_turn" } }); }
        else reply({ result: { sessionId: "s1" } });
      });`;
    const order = await beginTalk(harness, { ...ACP, mode: "yolo" }, body);
    const soFar = async () => Buffer.from((await harness.runner.read(order, 0, 100_000)).bytes).toString();
    await waitFor(async () => (await soFar()).includes("waiting"), "it to be asked for its mode");
    await harness.runner.tell(order, { kind: "message", text: "Begin with the door." });
    await waitFor(async () => (await soFar()).includes('"camelot":"message"'), "it to be said");
    await writeFile(join(harness.cwd, "go"), "");
    expect(await ended(order)).toMatchObject({ cause: "exited", result: "error" });
    expect(await outputOf(order)).not.toContain("prompted");
  });
});

describe("a conversation that is loaded", () => {
  it("[A5][B7] what is told of it once more, before or after the answer, is not this session’s; what comes then is", async () => {
    const body = `
      const reply = (id, result) => say({ jsonrpc: "2.0", id, result });
      const update = (sessionUpdate, text) => say({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s0", update: { sessionUpdate, content: { type: "text", text } } } });
      hear(({ id, method }) => {
        if (method === "initialize") reply(id, { protocolVersion: 1, agentCapabilities: { loadSession: true } });
        else if (method === "session/load") {
          update("user_message_chunk", "Before the answer.");
          reply(id, null);
          for (let i = 1; i <= 5; i += 1) setTimeout(() => update(i % 2 ? "user_message_chunk" : "agent_message_chunk", "After the answer."), 200 * i);
        } else if (method === "session/prompt") { update("agent_message_chunk", "Now."); reply(id, { stopReason: "end_turn" }); }
      });`;
    const order = await beginTalk(harness, { ...ACP, resume: "s0", otherwise: "all of it" }, body);
    expect(await ended(order)).toMatchObject({ cause: "exited", result: "success" });
    const { items } = addToTranscript(EMPTY_TRANSCRIPT, await eventsOf(order));
    expect(items).toMatchObject([{ kind: "agent", text: "Now." }]);
  });
});

describe("answers", () => {
  it("[R3] the first answer to the prompt counts: what comes after it, or answers nothing, is a line like any other", async () => {
    const replies = `
      reply(99999, { stopReason: "refusal" });
      reply(null, { stopReason: "refusal" });
      tell("twice");
      reply(id, { stopReason: "end_turn" });
      reply(id, { stopReason: "refusal" });
      say({ jsonrpc: "2.0", id, error: { code: 1, message: "after all: " + "s3cret-of-ours" } });`;
    const order = await beginTalk(harness, ACP, acp(replies), { secrets: ["s3cret-of-ours"] });
    expect(await ended(order)).toMatchObject({ cause: "exited", result: "success" });
    expect(await verdict(order)).toEqual({ kind: "success" });
    const output = await outputOf(order);
    expect(output).toContain("after all: ***");
    expect(output).not.toContain("s3cret");
  });

  it("[R3] an answer that tells the request's number as text is an answer", async () => {
    const order = await beginTalk(harness, ACP, acp(`reply(String(id), { stopReason: "end_turn" });`));
    expect(await ended(order)).toMatchObject({ cause: "exited", exitCode: 0, result: "success" });
  });
});
