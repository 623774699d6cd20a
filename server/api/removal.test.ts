import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startRightSweep } from "../engine/session/right-sweep";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { waitFor } from "../testing/wait-for";

vi.setConfig({ testTimeout: 60_000 });

let world: ApiWorld;
let people = 0;

beforeAll(async () => {
  world = await apiWorld({ perUserMax: 1 });
  await world.addUser("root", "admin");
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

interface Scene {
  readonly owner: string;
  readonly member: string;
  readonly project: string;
  /** Of `member`: one runs, two wait behind it. */
  readonly running: string;
  readonly waiting: string;
  readonly last: string;
}

async function scene(): Promise<Scene> {
  const [owner, member] = [`p${++people}`, `p${++people}`];
  for (const id of [owner, member]) await world.addUser(id);
  const project = await world.project(owner, [member]);
  const tasks = [];
  for (let index = 0; index < 3; index += 1) {
    const task = await world.task(member, project);
    expect((await world.ask(member, "POST", `/tasks/${task}/dispatch`)).body.position).toBe(index);
    tasks.push(task);
  }
  const [running = "", waiting = "", last = ""] = tasks;
  return { owner, member, project, running, waiting, last };
}

const counts = async (member: string) => {
  const { running, queued } = (await world.ask("root", "GET", `/users/${member}`)).body;
  return { running, queued };
};
const positionOf = async ({ member }: Scene, task: string) =>
  (await world.ask(member, "GET", `/tasks/${task}`)).body.session.position;
const liveRows = ({ project }: Scene) =>
  world.sql`select id from sessions where project_id = ${project} and status in ('queued', 'running')`;

/** Rows, profile, pool and board say the same; also after the pool was made anew from rows. */
async function allAgree(of: Scene, expected: { running: number; queued: number }): Promise<void> {
  await waitFor(async () => JSON.stringify(await counts(of.member)) === JSON.stringify(expected), "the counts");
  for (const round of ["as it is", "made anew"]) {
    if (round === "made anew") await world.ask("root", "POST", "/pool/rebuild", { body: {} });
    expect(await counts(of.member)).toEqual(expected);
    expect(await liveRows(of)).toHaveLength(expected.running + expected.queued);
    const pool = (await world.ask(of.member, "GET", "/pool")).body;
    const sessions = Object.values<{ projectId: string; status: string }>(pool.sessions);
    const ofScene = (status: string) =>
      sessions.filter((session) => session.projectId === of.project && session.status === status).length;
    expect({ running: ofScene("running"), queued: ofScene("queued") }).toEqual(expected);
    const cards = await world.board.board(of.project);
    const inColumn = (column: string) => cards.filter((card) => card.column === column).length;
    expect({ running: inColumn("running"), queued: inColumn("waiting") }).toEqual(expected);
  }
}

test("[S2][S6] who cannot leave anyhow is told so first, not asked to confirm what would be stopped", async () => {
  const owner = `p${++people}`;
  await world.addUser(owner);
  for (const person of [owner, "root"]) {
    const project = await world.project(person, []);
    const task = await world.task(person, project);
    expect((await world.ask(person, "POST", `/tasks/${task}/dispatch`)).status).toBe(201);
    const leave = () =>
      person === "root"
        ? world.ask(person, "PATCH", "/users/root", { body: { active: false } })
        : world.ask(person, "DELETE", `/projects/${project}/members/${owner}`);
    expect((await leave()).body.code).toBe(person === "root" ? "LAST_ADMIN" : "LAST_OWNER");
    expect((await world.ask(person, "GET", "/me")).body.running).toBe(1);
    expect((await world.ask(person, "DELETE", `/projects/${project}?confirm=true`)).status).toBe(200);
  }
});

describe("[BRD-3] a card under a running or a waiting agent", () => {
  test("[B3][BRD-3] to Done or Backlog while it runs: asks first, and nothing has changed; then it is stopped", async () => {
    for (const column of ["done", "backlog"]) {
      const of = await scene();
      const move = (query: string) =>
        world.ask(of.member, "POST", `/tasks/${of.running}/move${query}`, { body: { column } });
      const asked = await move("");
      expect([asked.status, asked.body.code]).toEqual([409, "CONFIRM"]);
      await allAgree(of, { running: 1, queued: 2 });
      expect((await move("?confirm=true")).status).toBe(200);
      await allAgree(of, { running: 1, queued: 1 });
      expect((await world.ask(of.member, "GET", `/tasks/${of.running}`)).body.column).toBe(column);
      expect([await positionOf(of, of.waiting), await positionOf(of, of.last)]).toEqual([0, 1]);
    }
  });

  test("[B3][BRD-3] to Done while it waits: it leaves the line, and the others move up", async () => {
    const of = await scene();
    const moved = await world.ask(of.member, "POST", `/tasks/${of.waiting}/move`, { body: { column: "done" } });
    expect([moved.status, moved.body.column]).toEqual([200, "done"]);
    await allAgree(of, { running: 1, queued: 1 });
    expect(await positionOf(of, of.last)).toBe(1);
  });

  test("[S6][BRD-3] deleted while it runs or waits: asks first, naming the session; then nothing of it is left", async () => {
    const of = await scene();
    const remove = (task: string, query = "") => world.ask(of.member, "DELETE", `/tasks/${task}${query}`);
    const session = (await world.ask(of.member, "GET", `/tasks/${of.waiting}`)).body.session.id;
    expect((await remove(of.waiting)).body).toMatchObject({ code: "CONFIRM", sessionId: session, stops: "waiting" });
    expect((await remove(of.running)).body).toMatchObject({ code: "CONFIRM", stops: "running" });
    await allAgree(of, { running: 1, queued: 2 });
    expect((await remove(of.waiting, "?confirm=true")).status).toBe(200);
    await allAgree(of, { running: 1, queued: 1 });
    expect(await positionOf(of, of.last)).toBe(1);
    expect((await remove(of.running, "?confirm=true")).status).toBe(200);
    await allAgree(of, { running: 1, queued: 0 });
    expect((await world.ask(of.member, "GET", `/sessions/${session}`)).body.status).toBe("cancelled");
    expect((await remove(of.running)).status).toBe(404);
  });
});

describe("[S6] removing people and projects", () => {
  const what = "stops 1 running session and withdraws 2 waiting sessions. Branches are kept.";
  const removals: Record<string, { by: (of: Scene) => string; call: (of: Scene) => readonly [string, string] }> = {
    "Taking this person off": {
      by: ({ owner }) => owner,
      call: ({ project, member }) => ["DELETE", `/projects/${project}/members/${member}`],
    },
    "Removing the project": { by: ({ owner }) => owner, call: ({ project }) => ["DELETE", `/projects/${project}`] },
    "Deactivating this person": { by: () => "root", call: ({ member }) => ["PATCH", `/users/${member}`] },
  };

  test.each(Object.keys(removals))("[S6] %s: says what ends and does nothing; then does it", async (doing) => {
    const removal = removals[doing];
    if (!removal) throw new Error("no such removal");
    const of = await scene();
    const [method, path] = removal.call(of);
    const remove = (query: string) =>
      world.ask(removal.by(of), method, `${path}${query}`, method === "PATCH" ? { body: { active: false } } : {});
    const asked = await remove("");
    expect([asked.status, asked.body.message]).toEqual([409, `${doing} ${what}`]);
    expect(asked.body).toMatchObject({ code: "CONFIRM", running: 1, waiting: 2 });
    expect(asked.body.sessions.map((session: { taskId: string }) => session.taskId)).toEqual([
      of.running,
      of.waiting,
      of.last,
    ]);
    await allAgree(of, { running: 1, queued: 2 });
    expect((await remove("?confirm=false")).status).toBe(409);
    expect((await remove("?confirm=true")).status).toBe(200);
    await waitFor(async () => (await liveRows(of)).length === 0, "everything to end");
    expect(await counts(of.member)).toEqual({ running: 0, queued: 0 });
    const ends = await world.sql`select status, cancelled_by from sessions where project_id = ${of.project}`;
    expect(new Set(ends.map((row) => `${row.status} ${row.cancelled_by}`))).toEqual(
      new Set([`cancelled ${removal.by(of)}`]),
    );
  });

  test("[S6] a dispatch that is under way as the right ends leaves nothing that lives, whichever was first", async () => {
    for (let round = 0; round < 12; round += 1) {
      const of = await scene();
      const [doing] = Object.keys(removals).slice(round % 3);
      const removal = removals[doing ?? ""];
      if (!removal) throw new Error("no such removal");
      const tasks = await Promise.all(Array.from({ length: 4 }, () => world.task(of.member, of.project)));
      const [method, path] = removal.call(of);
      const body = method === "PATCH" ? { body: { active: false } } : {};
      const answers = await Promise.all([
        ...tasks.slice(0, 2).map((task) => world.ask(of.member, "POST", `/tasks/${task}/dispatch`)),
        world.ask(removal.by(of), method, `${path}?confirm=true`, body),
        ...tasks
          .slice(2)
          .map((task) => world.ask(of.member, "POST", `/tasks/${task}/move`, { body: { column: "waiting" } })),
      ]);
      for (const { status } of answers) expect([200, 201, 404]).toContain(status);
      await waitFor(async () => (await liveRows(of)).length === 0, "everything to end");
    }
  });

  test("[S6] a card deleted in the moment of its dispatch leaves nothing that lives", async () => {
    const of = await scene();
    for (let round = 0; round < 12; round += 1) {
      const task = await world.task(of.member, of.project);
      await Promise.all([
        world.ask(of.member, "POST", `/tasks/${task}/dispatch`),
        world.ask(of.member, "DELETE", `/tasks/${task}?confirm=true`),
      ]);
      const live = () => world.sql`select from sessions where task_id = ${task} and status in ('queued', 'running')`;
      await waitFor(async () => (await live()).length === 0, "its session to end");
    }
    await allAgree(of, { running: 1, queued: 2 });
  });

  test.each([
    [
      "the membership",
      ({ project, member }: Scene) => world.sql`
      delete from project_members where project_id = ${project} and user_id = ${member}`,
    ],
    ["the project", ({ project }: Scene) => world.sql`update projects set deleted_at = now() where id = ${project}`],
    ["the task", ({ project }: Scene) => world.sql`update tasks set deleted_at = now() where project_id = ${project}`],
    ["the account", ({ member }: Scene) => world.sql`update users set active = false where id = ${member}`],
  ])(
    "[S6][BRD-3] a crash right after %s has ended: its sessions are found and ended, others not",
    async (_what, end) => {
      const [of, other] = [await scene(), await scene()];
      await end(of);
      const warnings: string[] = [];
      const { pool, sessions } = world;
      const sweep = startRightSweep({ pool, sessions, log: { warn: (line) => warnings.push(line) } });
      try {
        await waitFor(async () => (await liveRows(of)).length === 0, "its sessions to end");
        expect(warnings).toEqual(["ended 3 sessions whose right to run had ended before"]);
        expect(await sweep.sweep()).toBe(0);
        await allAgree(other, { running: 1, queued: 2 });
      } finally {
        sweep.stop();
      }
    },
  );
});
