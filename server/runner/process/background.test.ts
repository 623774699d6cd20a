/** Agents whose turn is over while something that they started still runs, by small programs that speak as the real ones do. */
import { describe, expect, it } from "vitest";
import type { RunOrder } from "../../ports/runner";
import { readToEnd, untilProbe } from "../../testing/runner.suite";
import { waitFor } from "../../testing/wait-for";
import { type ProcessHarness, withProcessHarness } from "./process-harness";
import { beginTalk, CLAUDE, CODEX } from "./talking-harness";

let harness: ProcessHarness;
withProcessHarness((fresh) => {
  harness = fresh;
});

const ended = async (order: RunOrder) => (await untilProbe(harness.runner, order, "exited")).ending;
const outputOf = async (order: RunOrder) => (await readToEnd(harness.runner, order)).toString();
const saidBy = async (order: RunOrder) =>
  Buffer.from((await harness.runner.read(order, 0, 1_000_000)).bytes).toString();
const untilSaid = (order: RunOrder, words: string) =>
  waitFor(async () => (await saidBy(order)).includes(words), `it to say ${words}`);

/** What Claude Code says of its tasks. */
const TASKS = `
  const tasks = (...names) => say({ type: "system", subtype: "background_tasks_changed", tasks: names.map((description) => ({ task_id: description, description })) });
  const turn = () => say({ type: "system", subtype: "init" });
  const whenClosed = (then) => process.stdin.on("end", then);
`;
const claude = (body: string, backgroundMs = 60_000) =>
  beginTalk(harness, CLAUDE, `${TASKS}\n${body}`, {
    limits: { longestRunMs: 60_000, termGraceMs: 5_000, backgroundMs },
  });

const WAITING = '{"camelot":"waiting","running":["tests"]}';

describe("an agent that waits for what it started", () => {
  it("[A9] Claude Code is not let go by a result while a task runs: its next turn's result is the session's", async () => {
    const body = (last: string) => `
      let closed = false;
      whenClosed(() => { closed = true; });
      hear((message) => {
        if (message.message.content !== "the prompt") { tasks(); setTimeout(() => { turn(); say({ closed }); ${last}; }, 300); }
        else { turn(); tasks("tests"); result(); }
      });`;
    const failure = `say({ type: "result", subtype: "success", is_error: true, result: "tests are red" })`;
    for (const [last, result] of [
      ["result()", "success"],
      [failure, "error"],
    ] as const) {
      const order = await claude(body(last));
      await untilSaid(order, WAITING);
      await harness.runner.tell(order, { kind: "message", text: "the tests are over" });
      expect(await ended(order)).toMatchObject({ cause: "exited", exitCode: 0, result });
      expect(await outputOf(order)).toContain('{"closed":false}');
    }
  });

  it("[A9] it goes on by itself when the task is over, and what runs then is told anew", async () => {
    const body = `hear(() => {
      turn(); tasks("tests", "build"); result();
      setTimeout(() => tasks("tests"), 200);
      setTimeout(() => { tasks(); turn(); result(); }, 500);
    });`;
    const order = await claude(body);
    expect(await ended(order)).toMatchObject({ cause: "exited", exitCode: 0, result: "success" });
    const notes = (await outputOf(order)).split("\n").filter((line) => line.startsWith('{"camelot":"waiting"'));
    expect(notes).toEqual(['{"camelot":"waiting","running":["tests","build"]}', WAITING]);
  });

  it("[A9] a turn that stands in line already is waited for", async () => {
    const body = `hear(() => {
      turn(); say({ type: "result", subtype: "success", is_error: false, queued_turn_count: 1 });
      setTimeout(() => { turn(); say({ second: true }); result(); }, 300);
    });`;
    const order = await claude(body);
    expect(await ended(order)).toMatchObject({ cause: "exited", exitCode: 0, result: "success" });
    expect(await outputOf(order)).toContain('{"second":true}');
  });

  it("[A9][A3] what never ends is ended after a while of silence, with its name, and the result counts", async () => {
    const body = `hear(() => { turn(); tasks("serve --token s3cret-of-ours"); result(); });`;
    const limits = { longestRunMs: 60_000, termGraceMs: 5_000, backgroundMs: 500 };
    const order = await beginTalk(harness, CLAUDE, `${TASKS}\n${body}`, { limits, secrets: ["s3cret-of-ours"] });
    expect(await ended(order)).toMatchObject({ cause: "exited", exitCode: 0, result: "success" });
    const output = await outputOf(order);
    expect(output).toContain('{"camelot":"waiting","running":["serve --token ***"]}');
    expect(output).toContain('{"camelot":"ended","running":["serve --token ***"]}');
  });

  it("[A9] a helper that tells of its work is waited for, and does not look like a turn", async () => {
    const body = `hear(() => {
      turn(); tasks("look around"); result();
      const helper = () => say({ type: "assistant", parent_tool_use_id: "p", message: { content: [] } });
      const timer = setInterval(helper, 50);
      setTimeout(() => { clearInterval(timer); tasks(); turn(); say({ second: true }); result(); }, 6000);
    });`;
    const order = await claude(body, 4_000);
    expect(await ended(order)).toMatchObject({ cause: "exited", exitCode: 0, result: "success" });
    expect(await outputOf(order)).toContain('{"second":true}');
    expect(await outputOf(order)).not.toContain('"camelot":"ended"');
  });

  it("[A9][R9] a ping is neither a turn nor a helper's work: what never ends is ended all the same", async () => {
    const body = `hear(() => {
      turn(); tasks("serve"); result();
      const ping = (helper) => say({ type: "stream_event", event: { type: "ping" }, parent_tool_use_id: helper });
      setInterval(() => { ping(null); ping("p"); }, 50);
    });`;
    const order = await claude(body, 500);
    expect(await ended(order)).toMatchObject({ cause: "exited", result: "success" });
    expect(await outputOf(order)).toContain('{"camelot":"ended","running":["serve"]}');
  });

  it("[A9][R12] a helper's question is waited for as long as any other", async () => {
    const body = `hear((message) => {
      if (message.type === "user") {
        turn(); tasks("look around"); result();
        say({ type: "control_request", request_id: "r", request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } } });
        setTimeout(() => say({ late: true }), 6000);
      } else { tasks(); turn(); result(); }
    });`;
    const order = await claude(body, 4_000);
    await untilSaid(order, '{"late":true}');
    const probe = await harness.runner.probe(order);
    const question = probe.kind === "present" ? probe.question : null;
    expect(question).toMatchObject({ text: "Bash: ls" });
    const answer = { kind: "answer", questionId: question?.id ?? "", option: "Allow" } as const;
    expect(await harness.runner.tell(order, answer)).toBe("told");
    expect(await ended(order)).toMatchObject({ cause: "exited", exitCode: 0, result: "success" });
    expect(await outputOf(order)).not.toContain('"camelot":"ended"');
  });

  it("[A9] tasks that are over and lead to no turn end the session well", async () => {
    const body = `hear(() => { turn(); tasks("tests"); result(); setTimeout(tasks, 100); });`;
    const order = await claude(body, 3_000);
    expect(await ended(order)).toMatchObject({ cause: "exited", exitCode: 0, result: "success" });
    expect(await outputOf(order)).not.toContain('"camelot":"ended"');
  });

  it("[A9][R7] a stop while it waits is obeyed politely, without a signal", async () => {
    const body = `
      process.on("SIGTERM", () => process.exit(1));
      hear((message) => { if (message.type === "user") { turn(); tasks("tests"); result(); } });`;
    const order = await claude(body);
    await untilSaid(order, WAITING);
    await harness.runner.stop(order);
    expect(await ended(order)).toMatchObject({ cause: "stopped", exitCode: 0 });
  });

  it("[A9][R9] the longest run ends it as well", async () => {
    const body = `hear((message) => { if (message.type === "user") { turn(); tasks("tests"); result(); } });`;
    const limits = { longestRunMs: 2_000, termGraceMs: 5_000 };
    const order = await beginTalk(harness, CLAUDE, `${TASKS}\n${body}`, { limits });
    expect(await ended(order)).toMatchObject({ cause: "timed-out" });
    expect(await outputOf(order)).toContain(WAITING);
  });

  it("[A9] Codex begins no turn by itself: what still runs at the end of its turn is told and ended", async () => {
    const body = `
      const item = (id, command) => ({ params: { item: { type: "commandExecution", id, command } } });
      hear(({ id, method }) => {
        if (method === "initialize") say({ id, result: {} });
        else if (method === "thread/start") say({ id, result: { thread: { id: "t" } } });
        else if (method === "turn/start") {
          say({ id, result: { turn: { id: "u" } } });
          for (const name of ["ls", "npm run dev"]) say({ method: "item/started", ...item(name, name) });
          say({ method: "item/completed", ...item("ls", "ls") });
          say({ method: "turn/completed", params: { threadId: "t", turn: { id: "u", status: "completed" } } });
        }
      });`;
    const order = await beginTalk(harness, CODEX, body);
    expect(await ended(order)).toMatchObject({ cause: "exited", exitCode: 0, result: "success" });
    expect(await outputOf(order)).toContain('{"camelot":"ended","running":["npm run dev"]}');
  });
});
