import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { untilProbe } from "../testing/runner.suite";
import { waitFor } from "../testing/wait-for";

let world: ApiWorld;
let project: string;

const question = { id: "q1", text: "Delete the table?", options: ["yes", "no"], askedAt: Date.UTC(2026, 0, 1, 12) };

beforeAll(async () => {
  world = await apiWorld({ perUserMax: 100 });
  await world.addUser("anna");
  await world.addUser("ben");
  await world.addUser("admin", "admin");
  project = await world.project("anna", ["ben"]);
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

const post = (who: string, path: string, body: unknown = {}) => world.ask(who, "POST", path, { body });

async function end(id: string): Promise<void> {
  world.endAgent(id);
  const isOver = async () => (await world.ask("anna", "GET", `/sessions/${id}`)).body.status === "succeeded";
  await waitFor(isOver, "the session to be over");
}

/** A session that runs, with a runner of its own. */
async function running() {
  const task = await world.task("anna", project);
  const id = (await post("anna", `/tasks/${task}/dispatch`)).body.session.id;
  const run = { sessionId: id, attempt: 1 };
  const limits = { longestRunMs: 60_000, termGraceMs: 1_000 };
  const rest = { epoch: 1, cwd: "/", environment: {}, secrets: [], limits, sandbox: "none" } as const;
  await world.runner.start({ ...run, ...rest, command: { argv: ["wait"], stdin: null } });
  await untilProbe(world.runner, run, "present");
  return { id, run };
}

describe("talking to an agent that runs", () => {
  test("[R12] whoever may dispatch answers, once, and with one of the answers the agent takes", async () => {
    const { id, run } = await running();
    const answer = (who: string, option: string, questionId = "q1") =>
      post(who, `/sessions/${id}/answer`, { questionId, option });
    expect((await answer("ben", "yes")).body).toMatchObject({
      code: "CONFLICT",
      message: "The agent has not asked anything.",
    });
    await world.pool.progress(run, { phase: "asking", question });
    expect((await world.ask("ben", "GET", `/sessions/${id}`)).body).toMatchObject({
      phase: "asking",
      question: { ...question, askedAt: "2026-01-01T12:00:00.000Z" },
    });
    const wrong = await answer("ben", "maybe");
    expect([wrong.status, wrong.body.message]).toEqual([409, expect.stringContaining("yes, no")]);
    const right = await answer("ben", "yes");
    expect([right.status, right.body.id]).toEqual([200, id]);
    expect(world.runner.told(run)).toEqual([{ kind: "answer", questionId: "q1", option: "yes" }]);
    const late = await answer("anna", "no");
    expect([late.status, late.body.message]).toEqual([409, "Somebody else has answered already."]);
    await world.pool.progress(run, { phase: "working", question: null });
    expect((await world.ask("ben", "GET", `/sessions/${id}`)).body).toMatchObject({ phase: "working", question: null });
  });

  test("[R12] an answer is for the question it names: once the agent asks something else, 409 says what, and nothing is told", async () => {
    const { id, run } = await running();
    const second = { ...question, id: "q2", text: "Delete the\n\u001b[31mbackup?" };
    await world.pool.progress(run, { phase: "asking", question: second });
    const stale = await post("ben", `/sessions/${id}/answer`, { questionId: "q1", option: "yes" });
    expect([stale.status, stale.body]).toMatchObject([
      409,
      { code: "CONFLICT", message: "It asks something else by now: Delete the backup?" },
    ]);
    const unnamed = await post("ben", `/sessions/${id}/answer`, { option: "yes" });
    expect([unnamed.status, unnamed.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(world.runner.told(run)).toEqual([]);
    expect((await post("ben", `/sessions/${id}/answer`, { questionId: "q2", option: "no" })).status).toBe(200);
    expect(world.runner.told(run)).toEqual([{ kind: "answer", questionId: "q2", option: "no" }]);
    await world.pool.progress(run, { phase: "working", question: null });
  });

  test("[R12] a message reaches an agent that takes them, as text; otherwise 409 says in one sentence why not", async () => {
    const { id, run } = await running();
    const text = "$(id) --help\n'\"";
    expect((await post("anna", `/sessions/${id}/message`, { text })).status).toBe(200);
    expect(world.runner.told(run)).toEqual([{ kind: "message", text }]);
    const headers = { "idempotency-key": "k" };
    const again = (said: string) =>
      world.ask("anna", "POST", `/sessions/${id}/message`, { headers, body: { text: said } });
    expect([(await again("once")).status, (await again("once")).status]).toEqual([200, 200]);
    expect((await again("other")).body.code).toBe("KEY_REUSED");
    expect(world.runner.told(run)).toHaveLength(2);
    world.runner.end(run);
    const over = await post("anna", `/sessions/${id}/message`, { text });
    expect([over.status, over.body.message]).toEqual([409, "The agent is over, or not up yet."]);
    await end(id);
    const ended = await post("anna", `/sessions/${id}/message`, { text });
    expect([ended.status, ended.body.message]).toEqual([409, "The session does not run."]);
    expect((await post("anna", `/sessions/${id}/message`, { text: "a\u0000" })).status).toBe(400);
  });
});

describe("declaring a runner lost", () => {
  test("[R3] administrators may, without seeing anything of it, and only while it cannot be found out about", async () => {
    const { id, run } = await running();
    const path = `/sessions/${id}/declare-lost`;
    expect((await post("anna", path)).status).toBe(403);
    const reachable = await post("admin", path);
    expect([reachable.status, reachable.body.message]).toEqual([409, expect.stringContaining("can be reached")]);
    world.runner.pretend(run, { kind: "unknown", reason: "engine unreachable" });
    expect(await post("admin", path)).toMatchObject({ status: 200, body: { id } });
    expect(world.lost).toEqual([run]);
    await end(id);
    expect((await post("admin", path)).status).toBe(409);
    expect((await post("admin", "/sessions/nothing/declare-lost")).status).toBe(404);
  });
});
