/** What is common to all conversations with agents, by small programs that speak Claude Code's stream, Codex's or ACP. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunOrder } from "../../ports/runner";
import { readToEnd, untilProbe } from "../../testing/runner.suite";
import { waitFor } from "../../testing/wait-for";
import { listProcesses } from "../host/process-table";
import { type ProcessHarness, withProcessHarness } from "./process-harness";
import { ACP, beginTalk, CLAUDE, CODEX } from "./talking-harness";

let harness: ProcessHarness;
withProcessHarness((fresh) => {
  harness = fresh;
});

const ended = async (order: RunOrder) => (await untilProbe(harness.runner, order, "exited")).ending;
const outputOf = async (order: RunOrder) => (await readToEnd(harness.runner, order)).toString();

async function asked(order: RunOrder) {
  return waitFor(async () => {
    const probe = await harness.runner.probe(order);
    return probe.kind === "present" ? probe.question : null;
  }, "a question");
}
const answer = (order: RunOrder, questionId: string, option: string) =>
  harness.runner.tell(order, { kind: "answer", questionId, option });

describe("a conversation with an agent", () => {
  it("[R6] output is the lines as they came, what it says beside them on lines of their own, and unknown ones do no harm", async () => {
    const body = `
      hear((message) => {
        raw('{"type":"news","odd":[1,');
        process.stderr.write("beside, without an end");
        setTimeout(() => {
          raw('2]}\\nnot json\\n{"type":"result"\\n{}\\n[]\\nnull\\n');
          say({ got: message });
          result();
        }, 200);
      });`;
    const order = await beginTalk(harness, CLAUDE, body);
    expect(await ended(order)).toMatchObject({ cause: "exited", exitCode: 0, result: "success" });
    const lines = (await outputOf(order)).split("\n");
    expect(lines).toContain('{"type":"news","odd":[1,2]}');
    expect(lines).toContain("beside, without an end");
    expect(lines).toContain('{"got":{"type":"user","message":{"role":"user","content":"the prompt"}}}');
    expect(lines).toContain('{"camelot":"begin","conversation":null}');
    expect(lines).toEqual(expect.arrayContaining(["not json", '{"type":"result"', "{}", "[]", "null"]));
  });

  it("[R6] a line of 20 MB comes whole, and what follows it is understood", async () => {
    const body = `hear(() => { raw("x".repeat(20_000_000) + "\\n"); result(); });`;
    const order = await beginTalk(harness, CLAUDE, body);
    expect(await ended(order)).toMatchObject({ result: "success" });
    const { bytes } = await harness.runner.read(order, 0, 30_000_000);
    const output = Buffer.from(bytes).toString();
    expect(output.split("\n").find((line) => line.startsWith("xx"))?.length).toBe(20_000_000);
  });

  it("[A3] secrets are masked in the output, in questions and in the agent's own words of an error", async () => {
    const body = `
      hear((message) => {
        const input = { command: "deploy --token s3cret-of-ours" };
        if (message.type === "user") say({ type: "control_request", request_id: "r", request: { subtype: "can_use_tool", tool_name: "Bash", input } });
        else say({ type: "result", subtype: "success", is_error: true, result: "s3cret-of-ours is wrong: " + message.response.response.updatedInput.command.length });
      });`;
    const order = await beginTalk(harness, CLAUDE, body, { secrets: ["s3cret-of-ours"] });
    const question = await asked(order);
    expect(question).toMatchObject({ text: "Bash: deploy --token ***", options: ["Allow", "Deny"] });
    expect(await answer(order, question.id, "Allow")).toBe("told");
    // The agent itself gets its own words back, not the masked ones.
    expect(await ended(order)).toMatchObject({ result: "error", message: "*** is wrong: 29" });
    expect(await outputOf(order)).not.toContain("s3cret");
  });

  it("[R12] questions are asked one at a time, each is answered once, and one that is taken back disappears", async () => {
    const body = `
      const ask = (id, command) => say({ type: "control_request", request_id: id, request: { subtype: "can_use_tool", tool_name: "Bash", input: { command } } });
      const got = [];
      hear((message) => {
        if (message.type === "user") { ask("a", "one"); ask("b", "two"); ask("c", "three"); }
        else got.push(message.response.request_id + ":" + message.response.response.behavior);
        if (got.length === 1) say({ type: "control_cancel_request", request_id: "b" });
        if (got.length === 2) { say({ got }); result(); }
      });`;
    const order = await beginTalk(harness, CLAUDE, body);
    const first = await asked(order);
    expect(first.text).toBe("Bash: one");
    expect(await answer(order, first.id, "Allow")).toBe("told");
    expect(await answer(order, first.id, "Deny")).toBe("answered-before");
    const last = await waitFor(async () => {
      const question = await asked(order);
      return question.text === "Bash: three" ? question : null;
    }, "the third question");
    expect(await answer(order, last.id, "Deny")).toBe("told");
    expect(await ended(order)).toMatchObject({ result: "success" });
    expect(await outputOf(order)).toContain('{"got":["a:allow","c:deny"]}');
  });

  it("[R12] an agent's own questions to people are asked with their options, and answered by the question", async () => {
    const body = `
      const questions = [{ question: "Which?", options: [{ label: "Red" }, { label: "Blue" }] }, { question: "Sure?", options: [] }];
      hear((message) => {
        if (message.type === "user") say({ type: "control_request", request_id: "q", request: { subtype: "can_use_tool", tool_name: "AskUserQuestion", input: { questions } } });
        else { say({ answers: message.response.response.updatedInput.answers }); result(); }
      });`;
    const order = await beginTalk(harness, CLAUDE, body);
    const which = await asked(order);
    expect(which).toMatchObject({ text: "Which?", options: ["Red", "Blue"] });
    await answer(order, which.id, "Blue");
    const sure = await waitFor(
      async () => ((await asked(order)).text === "Sure?" ? asked(order) : null),
      "the next one",
    );
    await answer(order, sure.id, "quite");
    expect(await ended(order)).toMatchObject({ result: "success" });
    expect(await outputOf(order)).toContain('{"answers":{"Which?":"Blue","Sure?":"quite"}}');
  });

  it("[R12] Codex: approvals and questions are answered in its own words, and what a person says is put into its turn", async () => {
    const body = `
      let turn = 0;
      hear((message) => {
        const { id, method, params } = message;
        if (method === "initialize") say({ id, result: {} });
        else if (method === "thread/start") say({ id, result: { thread: { id: "t1" } } });
        else if (method === "turn/start") {
          say({ id, result: { turn: { id: "turn" + ++turn } } });
          say({ id: 7, method: "item/commandExecution/requestApproval", params: { command: "rm x" } });
        } else if (id === 7) { say({ decision: message.result.decision }); say({ id: 8, method: "some/newRequest" }); }
        else if (id === 8) say({ refused: message.error.code, ready: true });
        else if (method === "turn/steer") {
          say({ steered: params.input[0].text, expected: params.expectedTurnId });
          say({ id, result: {} });
          say({ method: "turn/completed", params: { threadId: "t1", turn: { status: "completed" } } });
        }
      });`;
    const order = await beginTalk(harness, CODEX, body);
    const question = await asked(order);
    expect(question).toMatchObject({ text: "Run: rm x", options: ["Allow", "Allow for this session", "Deny"] });
    await answer(order, question.id, "Allow for this session");
    await waitFor(async () => (await said(order)).includes('"ready":true'), "it to go on");
    expect(await harness.runner.tell(order, { kind: "message", text: "and tests" })).toBe("told");
    expect(await ended(order)).toMatchObject({ result: "success" });
    const output = await outputOf(order);
    expect(output).toContain('{"decision":"acceptForSession"}');
    expect(output).toContain('"refused":-32601');
    expect(output).toContain('{"steered":"and tests","expected":"turn1"}');
    expect(output).toContain('{"camelot":"begin","conversation":"t1"}');
  });

  it("[R12][A5] ACP: it is told its mode and its model first; what a person says meanwhile is the next prompt", async () => {
    const body = `
      const prompts = [];
      const told = [];
      hear((message) => {
        const { id, method, params } = message;
        if (method === "initialize") say({ jsonrpc: "2.0", id, result: { agentInfo: { name: "x" }, agentCapabilities: {} } });
        else if (method === "session/new") say({ jsonrpc: "2.0", id, result: { sessionId: "s1", modes: {} } });
        else if (method === "session/prompt") {
          prompts.push(params.prompt[0].text);
          if (prompts.length === 1) { say({ waiting: true }); setTimeout(() => say({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } }), 1500); }
          else { say({ prompts, told }); say({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } }); }
        } else if (id !== undefined) { told.push(params.modeId ?? params.modelId); say({ jsonrpc: "2.0", id, result: {} }); }
      });`;
    const order = await beginTalk(
      harness,
      { ...ACP, mode: "yolo", model: "m", resume: "gone", otherwise: "all of it" },
      body,
    );
    await waitFor(async () => (await said(order)).includes("waiting"), "its first turn");
    await harness.runner.tell(order, { kind: "message", text: "one more thing" });
    expect(await ended(order)).toMatchObject({ result: "success" });
    // It cannot go on with an earlier conversation, so it is told everything.
    expect(await outputOf(order)).toContain('{"prompts":["all of it","one more thing"],"told":["yolo","m"]}');
    expect(await outputOf(order)).toContain('{"camelot":"lost"}');
  });

  it("[R7] an agent that has reported and does not leave is ended, and its result counts", async () => {
    const order = await beginTalk(
      harness,
      CLAUDE,
      "leaves = false; setInterval(() => {}, 1000); hear(() => result());",
    );
    expect(await ended(order)).toMatchObject({ cause: "exited", result: "success", lingered: true });
    await expectNothingLeft(order);
  });

  it("[R7] a stop is asked for by the protocol first; an agent that obeys is not signalled, one that does not is", async () => {
    const body = (obeys: boolean) => `
      process.on("SIGTERM", () => { require("fs").appendFileSync("signals", "TERM"); process.exit(1); });
      hear((message) => {
        if (message.type === "user") say({ ready: true });
        else if (message.type === "control_request" && ${obeys}) say({ type: "result", subtype: "error_during_execution", terminal_reason: "aborted_streaming" });
      });`;
    for (const obeys of [true, false]) {
      const order = await beginTalk(harness, CLAUDE, body(obeys));
      await waitFor(async () => (await said(order)).includes("ready"), "it to work");
      await harness.runner.stop(order);
      expect(await ended(order)).toMatchObject({ cause: "stopped", exitCode: obeys ? 0 : 1 });
      const signals = await readFile(join(harness.cwd, "signals"), "utf8").catch(() => "");
      expect(signals).toBe(obeys ? "" : "TERM");
      await expectNothingLeft(order);
    }
  });

  it("[R3] an agent that breaks off without a result has none, whatever its exit code", async () => {
    for (const code of [0, 3]) {
      const order = await beginTalk(harness, CLAUDE, `hear(() => process.exit(${code}));`);
      expect(await ended(order)).toMatchObject({ cause: "exited", exitCode: code, result: "none" });
    }
  });
});

async function said(order: RunOrder): Promise<string> {
  return Buffer.from((await harness.runner.read(order, 0, 1_000_000)).bytes).toString();
}

async function expectNothingLeft(order: RunOrder): Promise<void> {
  const mark = await harness.markOf(order);
  expect((await listProcesses()).filter((row) => row.mark === mark)).toEqual([]);
}
