import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { waitFor } from "../testing/wait-for";

let world: ApiWorld;
let people = 0;

beforeAll(async () => {
  world = await apiWorld();
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

/** A project of somebody's own, with an empty line. */
async function board(): Promise<{ user: string; project: string; task: () => Promise<string> }> {
  const user = `p${++people}`;
  await world.addUser(user);
  const project = await world.project(user);
  return { user, project, task: () => world.task(user, project) };
}
const move = (user: string, task: string, body: unknown, query = "") =>
  world.ask(user, "POST", `/tasks/${task}/move${query}`, { body });
const dispatch = async (user: string, task: string) =>
  (await world.ask(user, "POST", `/tasks/${task}/dispatch`)).body.session.id as string;
const columnOf = async (user: string, task: string) => (await world.ask(user, "GET", `/tasks/${task}`)).body.column;
const orderOf = async (user: string, project: string, column: string) => {
  const { body } = await world.ask(user, "GET", `/projects/${project}/tasks`);
  const cards = body.items.filter((task: { column: string }) => task.column === column);
  const byKey = (a: { orderKey: string }, b: { orderKey: string }) =>
    Buffer.compare(Buffer.from(a.orderKey), Buffer.from(b.orderKey));
  return cards.toSorted(byKey).map((task: { id: string }) => task.id) as string[];
};
const until = (user: string, task: string, column: string) =>
  waitFor(async () => (await columnOf(user, task)) === column, `the card to be in ${column}`);

describe("[B3] moving cards", () => {
  test("[B3] Waiting is dispatching; the session's end puts the card into Review; Done is a person's decision", async () => {
    const { user, task } = await board();
    const card = await task();
    const moved = await move(user, card, { column: "waiting", from: "backlog" });
    expect([moved.status, moved.body.column, moved.body.session.position]).toEqual([200, "running", 0]);
    world.endAgent(moved.body.session.id, "failed");
    await until(user, card, "review");
    expect((await move(user, card, { column: "done", from: "review" })).body.column).toBe("done");
    expect((await move(user, card, { column: "waiting" })).body.code).toBe("REOPEN_FIRST");
    expect((await move(user, card, { column: "backlog" })).body.column).toBe("backlog");
    const retried = await move(user, card, { column: "waiting" });
    expect([retried.body.column, retried.body.sessionCount]).toEqual(["running", 2]);
    world.endAgent(retried.body.session.id);
    await until(user, card, "review");
  });

  test("[B3] nobody puts a card into Running, or into Review when nothing has run", async () => {
    const { user, task } = await board();
    const card = await task();
    for (const column of ["running", "review"]) {
      const { status, body } = await move(user, card, { column });
      expect([status, body.code, body.column]).toEqual([409, "CONFLICT", "backlog"]);
    }
    expect((await move(user, card, { column: "nowhere" })).status).toBe(400);
  });

  test("[B3][BRD-3] Running to Done asks, then stops; nobody works unseen", async () => {
    const { user, task } = await board();
    const card = await task();
    const session = await dispatch(user, card);
    const asked = await move(user, card, { column: "done" });
    expect([asked.status, asked.body.code, asked.body.sessionId]).toEqual([409, "CONFIRM", session]);
    expect(await columnOf(user, card)).toBe("running");
    expect((await move(user, card, { column: "done" }, "?confirm=true")).status).toBe(200);
    await until(user, card, "done");
    expect((await world.ask(user, "GET", `/sessions/${session}`)).body).toMatchObject({
      status: "cancelled",
      cancelledBy: user,
    });
    expect((await world.ask(user, "GET", "/me")).body).toMatchObject({ running: 0, queued: 0 });
  });

  test("[B3][BRD-3] Waiting to elsewhere leaves the line, and the others move up", async () => {
    const { user, task } = await board();
    const cards = [await task(), await task(), await task(), await task()];
    const sessions = [];
    for (const card of cards) sessions.push(await dispatch(user, card));
    expect((await move(user, cards[2] ?? "", { column: "backlog", from: "waiting" })).body.column).toBe("backlog");
    expect((await world.ask(user, "GET", `/sessions/${sessions[3]}`)).body.position).toBe(1);
    for (const running of sessions.slice(0, 2)) world.endAgent(running);
    await until(user, cards[3] ?? "", "running");
    expect((await move(user, cards[2] ?? "", { column: "done" })).body.column).toBe("done");
  });

  test("[B3][P5] within Waiting one reorders one's own line", async () => {
    const { user, task } = await board();
    const cards = [await task(), await task(), await task(), await task()];
    for (const card of cards) await dispatch(user, card);
    const moved = await move(user, cards[3] ?? "", { column: "waiting", before: cards[2] });
    expect(moved.body.session.position).toBe(1);
    expect((await move(user, cards[3] ?? "", { column: "waiting", before: null })).body.session.position).toBe(2);
    expect((await move(user, cards[0] ?? "", { column: "waiting" })).body.code).toBe("CONFLICT");
    // The first one runs: nothing stands before it any more.
    const refused = await move(user, cards[3] ?? "", { column: "waiting", before: cards[0] });
    expect(refused.body.message).toBe("Only before a session that waits in one's own line can something be put.");
  });

  test("[B3][BRD-1] of two who move one card one wins, and the other is told where it is", async () => {
    const { user, project, task } = await board();
    await world.addUser(`${user}-mate`);
    await world.ask(user, "PUT", `/projects/${project}/members/${user}-mate`, { body: { role: "member" } });
    const winners = new Set<string>();
    for (let round = 0; round < 40; round += 1) {
      const card = await task();
      const both = [
        () => move(user, card, { column: "done", from: "backlog" }),
        () => move(`${user}-mate`, card, { column: "waiting", from: "backlog" }),
      ];
      const answers = await Promise.all((round % 2 === 0 ? both : both.toReversed()).map((send) => send()));
      const won = answers.filter((answer) => answer.status === 200);
      const lost = answers.filter((answer) => answer.status === 409);
      expect([won.length, lost.length]).toEqual([1, 1]);
      expect(["MOVED", "REOPEN_FIRST"]).toContain(lost[0]?.body.code);
      const column = won[0]?.body.column;
      winners.add(column === "done" ? "done" : "dispatched");
      // What began in that moment is over soon, and the card stays where the winner put it.
      if (column !== "done") await move(user, card, { column: "done" }, "?confirm=true");
      await until(user, card, "done");
    }
    expect([...winners].toSorted()).toEqual(["dispatched", "done"]);
  });

  test("[B3][BRD-1] ten rounds of twenty moves at once, while sessions start and end: no card lost, one order", async () => {
    const { user, project, task } = await board();
    const cards = await Promise.all(Array.from({ length: 20 }, task));
    const busy = [await task(), await task()];
    for (let round = 0; round < 10; round += 1) {
      const running = await Promise.all(busy.map((card) => dispatch(user, card)));
      const moves = cards.map((card, index) => {
        const before = cards[(index * 7 + round * 3 + 1) % cards.length];
        return move(user, card, { column: "backlog", before: before === card ? null : before });
      });
      for (const session of running) world.endAgent(session);
      for (const { status } of await Promise.all(moves)) expect(status).toBe(200);
      for (const card of busy) await until(user, card, "review");
    }
    const order = await orderOf(user, project, "backlog");
    expect(order.toSorted()).toEqual(cards.toSorted());
    const keys = await world.sql`select order_key from tasks where project_id = ${project}`;
    expect(new Set(keys.map((row) => row.order_key)).size).toBe(22);
    expect((await world.board.board(project)).filter((card) => card.column === "backlog")).toHaveLength(20);
    expect(await orderOf(user, project, "backlog")).toEqual(order);
  });

  test("[B3] a card goes before the one that is named, and to the end when none is", async () => {
    const { user, project, task } = await board();
    const [a, b, c] = [await task(), await task(), await task()];
    await move(user, c, { column: "backlog", before: a });
    expect(await orderOf(user, project, "backlog")).toEqual([c, a, b]);
    await move(user, a, { column: "backlog", before: null });
    expect(await orderOf(user, project, "backlog")).toEqual([c, b, a]);
    const foreign = await board();
    expect((await move(user, a, { column: "backlog", before: await foreign.task() })).status).toBe(404);
  });
});

describe("[P13] one picture", () => {
  test("[P13] card, session, profile and pool of one version agree, under load", async () => {
    const { user, project, task } = await board();
    const cards = await Promise.all(Array.from({ length: 12 }, task));
    const dispatches = cards.map((card) => dispatch(user, card));
    const looks = Array.from({ length: 40 }, async () => {
      const [list, pool] = await Promise.all([
        world.ask(user, "GET", `/projects/${project}/tasks`),
        world.ask(user, "GET", "/pool"),
      ]);
      return { list, pool };
    });
    for (const { list, pool } of await Promise.all(looks)) {
      const sums = Object.values(pool.body.users as Record<string, { running: number }>);
      expect(sums.reduce((sum, counts) => sum + counts.running, 0)).toBe(pool.body.global.running);
      expect(pool.headers.get("x-pool-version")).toBe(`${pool.body.epoch}.${pool.body.version}`);
      const waiting = list.body.items.filter((card: { column: string }) => card.column === "waiting");
      const places = waiting.map((card: { session: { position: number } }) => card.session.position);
      expect(places.toSorted((a: number, b: number) => a - b)).toEqual(
        places.map((_: number, index: number) => index + 1),
      );
      if (list.headers.get("x-pool-version") !== pool.headers.get("x-pool-version")) continue;
      for (const { session } of list.body.items) {
        expect(pool.body.sessions[session?.id]?.position ?? null).toBe(session?.position ?? null);
      }
    }
    const sessions = await Promise.all(dispatches);
    const pool = await world.ask(user, "GET", "/pool");
    expect(pool.body.users[user]).toEqual({ running: 2, queued: 10, max: 2 });
    const places = sessions.map((id) => pool.body.sessions[id].position);
    expect(places.toSorted((a, b) => a - b)).toEqual([0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test("[P13][B8] a deleted card takes its session out of the line; the branch is kept; it asks first", async () => {
    const { user, task } = await board();
    const [a, b] = [await task(), await task()];
    const running = await dispatch(user, a);
    const asked = await world.ask(user, "DELETE", `/tasks/${a}`);
    expect([asked.status, asked.body.code, asked.body.stops]).toEqual([409, "CONFIRM", "running"]);
    expect((await world.ask(user, "DELETE", `/tasks/${a}?confirm=true`)).status).toBe(200);
    await waitFor(async () => (await world.ask(user, "GET", "/me")).body.running === 0, "the agent to be stopped");
    expect((await world.ask(user, "GET", `/tasks/${a}`)).status).toBe(404);
    expect((await world.ask(user, "GET", `/sessions/${running}`)).body.status).toBe("cancelled");
    expect((await world.ask(user, "DELETE", `/tasks/${b}`)).status).toBe(200);
  });
});
