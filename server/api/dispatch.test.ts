import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { waitFor } from "../testing/wait-for";

let world: ApiWorld;
let project: string;
let people = 0;

beforeAll(async () => {
  world = await apiWorld();
  await world.addUser("admin", "admin");
  await world.addUser("olga");
  project = await world.project("olga");
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

/** Somebody with an empty line of their own. */
async function somebody(): Promise<string> {
  const id = `p${++people}`;
  await world.addUser(id);
  await world.ask("olga", "PUT", `/projects/${project}/members/${id}`, { body: { role: "member" } });
  return id;
}
const dispatch = (user: string, task: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  world.ask(user, "POST", `/tasks/${task}/dispatch`, { body, headers });

describe("[P1][P2][P3] dispatching", () => {
  test("[P2] the answer tells the place: 0 with a seat, else the place in one's own line", async () => {
    const anna = await somebody();
    const places = [];
    for (let index = 0; index < 4; index += 1) {
      const { status, body, headers } = await dispatch(anna, await world.task(anna, project));
      expect(status).toBe(201);
      expect(headers.get("x-pool-version")).toMatch(/^\d+\.\d+$/);
      expect(body.session.position).toBe(body.position);
      places.push(body.position);
    }
    expect(places).toEqual([0, 0, 1, 2]);
    const me = await world.ask(anna, "GET", "/me");
    expect(me.body).toMatchObject({ id: anna, running: 2, queued: 2, max: 2 });
  });

  test("[P3] thirty dispatches of one task at once make one session, and everybody gets it", async () => {
    const anna = await somebody();
    const task = await world.task(anna, project);
    const answers = await Promise.all(Array.from({ length: 30 }, () => dispatch(anna, task)));
    expect(new Set(answers.map((answer) => answer.body.session.id)).size).toBe(1);
    expect(answers.filter((answer) => answer.status === 201 && answer.body.existing === false)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 200 && answer.body.existing === true)).toHaveLength(29);
    const sessions = await world.ask(anna, "GET", `/tasks/${task}/sessions`);
    expect(sessions.body.items).toHaveLength(1);
  });

  test("[P3] a replay of a key answers the same session as it is now, also after it ended", async () => {
    const anna = await somebody();
    const task = await world.task(anna, project);
    const key = { "Idempotency-Key": randomUUID() };
    const first = await dispatch(anna, task, { message: "go" }, key);
    expect(first.status).toBe(201);
    const again = await dispatch(anna, task, { message: "go" }, key);
    expect([again.status, again.body.session.id, again.body.existing]).toEqual([200, first.body.session.id, true]);
    world.endAgent(first.body.session.id);
    await until(anna, first.body.session.id, "succeeded");
    const late = await dispatch(anna, task, { message: "go" }, key);
    expect([late.status, late.body.session.id, late.body.session.status]).toEqual([
      200,
      first.body.session.id,
      "succeeded",
    ]);
    const other = await dispatch(anna, task, { message: "stop" }, key);
    expect([other.status, other.body.code]).toEqual([409, "KEY_REUSED"]);
    const sessions = await world.ask(anna, "GET", `/tasks/${task}/sessions`);
    expect(sessions.body.items).toHaveLength(1);
  });

  test("[P3] thirty calls with one key make one session; the same key of somebody else is another key", async () => {
    const [anna, ben] = [await somebody(), await somebody()];
    const task = await world.task(anna, project);
    const key = { "Idempotency-Key": randomUUID() };
    const answers = await Promise.all(Array.from({ length: 30 }, () => dispatch(anna, task, {}, key)));
    expect(new Set(answers.map((answer) => answer.body.session.id)).size).toBe(1);
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    const theirs = await dispatch(ben, await world.task(ben, project), {}, key);
    expect([theirs.status, theirs.body.session.userId]).toEqual([201, ben]);
  });

  test("[P3] a key whose session was never made, because the process died, makes it once", async () => {
    const anna = await somebody();
    const task = await world.task(anna, project);
    const key = { "Idempotency-Key": randomUUID() };
    const first = await dispatch(anna, task, {}, key);
    await world.ask(anna, "POST", `/sessions/${first.body.session.id}/cancel`, { body: {} });
    await until(anna, first.body.session.id, "cancelled");
    // As if the process had died between the reservation and the session.
    await world.sql`update idempotency_keys set session_id = ${randomUUID()} where user_id = ${anna}`;
    const replayed = await dispatch(anna, task, {}, key);
    expect([replayed.status, replayed.body.existing]).toEqual([201, false]);
    const again = await dispatch(anna, task, {}, key);
    expect([again.status, again.body.session.id]).toEqual([200, replayed.body.session.id]);
  });

  test("[P3] a key is forgotten after 24 hours", async () => {
    const anna = await somebody();
    const task = await world.task(anna, project);
    const key = { "Idempotency-Key": randomUUID() };
    const first = await dispatch(anna, task, {}, key);
    world.endAgent(first.body.session.id);
    await until(anna, first.body.session.id, "succeeded");
    await world.sql`update idempotency_keys set created_at = now() - interval '25 hours' where user_id = ${anna}`;
    const second = await dispatch(anna, task, { message: "another body" }, key);
    expect(second.status).toBe(201);
    expect(second.body.session.id).not.toBe(first.body.session.id);
  });

  test("[P1] a paused pool accepts; a task in Done, an unusable repository or agent are 409 with a sentence", async () => {
    const anna = await somebody();
    const task = await world.task(anna, await world.project(anna, [], "/empty"));
    const refusal = async (code: string) => {
      const { status, body } = await dispatch(anna, task);
      expect([status, body.code]).toEqual([409, code]);
      expect(body.message).toMatch(/\.$/);
    };
    world.workspace.refusals.set("/empty", { kind: "refused", code: "NO_COMMIT", message: "There is no commit yet." });
    await refusal("REPOSITORY_UNUSABLE");
    world.workspace.refusals.clear();
    world.programs.missing.add("bash");
    await refusal("AGENT_UNUSABLE");
    world.programs.missing.clear();
    await world.ask(anna, "POST", `/tasks/${task}/move`, { body: { column: "done" } });
    await refusal("REOPEN_FIRST");
    await world.ask(anna, "POST", `/tasks/${task}/move`, { body: { column: "backlog" } });
    await world.ask("admin", "PATCH", "/pool", { body: { paused: true } });
    const paused = await dispatch(anna, task);
    expect([paused.status, paused.body.session.waitingFor.reason]).toEqual([201, "paused"]);
    await world.ask("admin", "PATCH", "/pool", { body: { paused: false } });
    await until(anna, paused.body.session.id, "running");
  });

  test("[P1] a person is slowed down only far above any honest use", async () => {
    const slow = await apiWorld({ dispatchesPerMinute: 3 });
    try {
      await slow.addUser("anna");
      await slow.addUser("ben");
      const own = await slow.project("anna", ["ben"]);
      const task = await slow.task("anna", own);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => slow.ask("anna", "POST", `/tasks/${task}/dispatch`, { body: {} })),
      );
      const limited = answers.filter((answer) => answer.status === 429);
      // The window is a whole minute of the clock; the eight may fall into two.
      expect(limited.length).toBeGreaterThanOrEqual(2);
      expect(limited[0]?.body.code).toBe("TOO_MANY_REQUESTS");
      expect((await slow.ask("ben", "POST", `/tasks/${task}/dispatch`, { body: {} })).status).toBe(200);
    } finally {
      await slow.close();
    }
  });

  test("[P17][B3] a withdrawn session sends its card home; the others move up; cancelling again is harmless", async () => {
    const anna = await somebody();
    const cards = [];
    for (let index = 0; index < 4; index += 1) {
      const task = await world.task(anna, project);
      cards.push({ task, session: (await dispatch(anna, task)).body.session.id });
    }
    const [, , third, fourth] = cards;
    for (let twice = 0; twice < 2; twice += 1) {
      const cancelled = await world.ask(anna, "POST", `/sessions/${third?.session}/cancel`);
      expect([cancelled.status, cancelled.body.status, cancelled.body.position]).toEqual([200, "cancelled", null]);
    }
    expect((await world.ask(anna, "GET", `/sessions/${fourth?.session}`)).body.position).toBe(1);
    expect((await world.ask(anna, "GET", `/tasks/${third?.task}`)).body.column).toBe("backlog");
  });

  test("[P5] one's own line is reordered, nobody else's", async () => {
    const [anna, ben] = [await somebody(), await somebody()];
    const sessions = [];
    for (let index = 0; index < 5; index += 1) {
      sessions.push((await dispatch(anna, await world.task(anna, project))).body.session.id);
    }
    const [running, , a, b, c] = sessions;
    const reorder = (user: string, id: string, before: string | null) =>
      world.ask(user, "POST", `/sessions/${id}/reorder`, { body: { before } });
    expect((await reorder(anna, c, a)).body.position).toBe(1);
    expect((await reorder(anna, a, null)).body.position).toBe(3);
    expect((await world.ask(anna, "GET", `/sessions/${b}`)).body.position).toBe(2);
    for (const refused of [await reorder(ben, c, null), await reorder(anna, running, null)]) {
      expect([refused.status, refused.body.code]).toEqual([409, "CONFLICT"]);
    }
    const sentence = "Only before a session that waits in one's own line can something be put.";
    for (const target of [running, "nobody"]) expect((await reorder(anna, c, target)).body.message).toBe(sentence);
  });
});

function until(user: string, session: string, status: string) {
  return waitFor(
    async () => (await world.ask(user, "GET", `/sessions/${session}`)).body.status === status,
    `session ${session} to be ${status}`,
  );
}
