/** Profiles, caps and agents by API (B8, P13). */
import { describe, expect, test } from "vitest";
import type { ApiWorld } from "../testing/api-world";
import { type Somebody, withPeopleWorld } from "../testing/people-world";
import { waitFor } from "../testing/wait-for";

let world: ApiWorld;
let somebody: Somebody;
withPeopleWorld((made, maker) => {
  world = made;
  somebody = maker;
});

describe("[B8][P13] profiles and settings", () => {
  test("[B8] a profile has counts, waiting, agent time and history; team-mates see no foreign project in it", async () => {
    const [anna, ben] = [await somebody(), await somebody()];
    const project = await world.project(anna);
    const task = await world.task(anna, project, "Seen by members");
    const session = (await world.ask(anna, "POST", `/tasks/${task}/dispatch`)).body.session.id;
    world.endAgent(session);
    await waitFor(async () => (await world.ask(anna, "GET", "/me")).body.running === 0, "the agent to end");
    const own = await world.ask(anna, "GET", `/users/${anna}`);
    expect(own.headers.get("x-pool-version")).toMatch(/^\d+\.\d+$/);
    expect(own.body).toMatchObject({ running: 0, queued: 0, max: 2, email: `${anna}@example.test` });
    expect(own.body.wait.sessions).toBe(1);
    // Ten who did not wait and one who waited 8 s: nobody waited 4.
    await world.sql`insert into sessions (id, task_id, project_id, user_id, agent_id, attempt, status, queued_at, started_at, finished_at)
      select ${anna} || n, task_id, project_id, user_id, agent_id, attempt + n, status, queued_at, queued_at + make_interval(secs => case n when 1 then 8 else 0 end), queued_at + interval '9 seconds'
      from sessions, generate_series(1, 11) n where id = ${session}`;
    await world.sql`delete from sessions where id = ${session}`;
    // As on every other page: what cannot be is not believed.
    for (const [told, believed] of [
      [0.25, 0.25],
      [1e308, null],
    ]) {
      const usage = JSON.stringify({ input: 1, cachedInput: 0, output: 1, costUsd: told });
      await world.sql`update sessions set usage = ${usage}::text::jsonb where id = ${`${anna}11`}`;
      expect((await world.ask(anna, "GET", `/users/${anna}`)).body.history[0].usage.costUsd).toBe(believed);
    }
    const { wait, waitDays } = (await world.ask(anna, "GET", `/users/${anna}`)).body;
    expect(wait).toEqual({ p50: 0, p95: 8, sessions: 11 });
    expect(waitDays).toHaveLength(14);
    expect(waitDays.filter((day: { p50: number | null }) => day.p50 !== null)).toMatchObject([{ p50: 0, p95: 8 }]);
    expect(own.body.agentSeconds).toHaveLength(14);
    expect(own.body.history).toMatchObject([
      { sessionId: session, title: "Seen by members", status: "succeeded", agent: "Shell", usage: null },
    ]);
    const seen = await world.ask(ben, "GET", `/users/${anna}`);
    expect([seen.body.email, seen.body.history]).toEqual([null, []]);
    const all = await world.ask(ben, "GET", "/users");
    expect(all.body.items.find((person: { id: string }) => person.id === anna)).toMatchObject({ running: 0, max: 2 });
  });

  test("[B8] a history of more than fifty sessions goes on where the profile's ends, and says when it is at its end", async () => {
    const [anna, ben] = [await somebody(), await somebody()];
    const task = await world.task(anna, await world.project(anna), "Often");
    const session = (await world.ask(anna, "POST", `/tasks/${task}/dispatch`)).body.session.id;
    world.endAgent(session);
    await waitFor(async () => (await world.ask(anna, "GET", "/me")).body.running === 0, "the agent to end");
    const first = (await world.ask(anna, "GET", `/users/${anna}`)).body;
    expect([first.history.length, first.historyNext]).toEqual([1, null]);
    await world.sql`insert into sessions (id, task_id, project_id, user_id, agent_id, attempt, status, queued_at, started_at, finished_at)
      select ${anna} || '-past-' || n, task_id, project_id, user_id, agent_id, attempt + n, status, queued_at, started_at, finished_at
      from sessions, generate_series(1, 109) n where id = ${session}`;
    const seen = (await world.ask(anna, "GET", `/users/${anna}`)).body;
    const ids = seen.history.map(({ sessionId }: { sessionId: string }) => sessionId);
    for (let next = seen.historyNext; next !== null; ) {
      const { body } = await world.ask(anna, "GET", `/users/${anna}/history?after=${next}`);
      expect(body.items.length).toBeLessThanOrEqual(50);
      ids.push(...body.items.map(({ sessionId }: { sessionId: string }) => sessionId));
      next = body.next;
    }
    expect([ids.length, new Set(ids).size, ids.at(-1)]).toEqual([110, 110, session]);
    expect((await world.ask(ben, "GET", `/users/${anna}/history`)).body).toEqual({ items: [], next: null });
    expect((await world.ask(ben, "GET", "/users/nobody/history")).status).toBe(404);
  });

  test("[P4][QUE-3] caps are read by everybody and changed by administrators; a raised cap fills the room at once", async () => {
    const anna = await somebody();
    const project = await world.project(anna);
    for (let index = 0; index < 4; index += 1) {
      await world.ask(anna, "POST", `/tasks/${await world.task(anna, project)}/dispatch`);
    }
    expect((await world.ask(anna, "GET", "/pool/settings")).body).toEqual({
      globalMax: 20,
      perUserMax: 2,
      paused: false,
    });
    expect((await world.ask("root", "PUT", `/pool/users/${anna}`, { body: { max: 3 } })).body).toEqual({
      userId: anna,
      max: 3,
    });
    expect((await world.ask(anna, "GET", "/me")).body).toMatchObject({ running: 3, queued: 1, max: 3 });
    const idle = await somebody();
    await world.ask("root", "PUT", `/pool/users/${idle}`, { body: { max: 5 } });
    expect((await world.ask(idle, "GET", "/pool")).body).toMatchObject({
      perUserMax: 2,
      limits: { [anna]: 3, [idle]: 5 },
    });
    expect((await world.ask("root", "PUT", `/pool/users/${anna}`, { body: { max: null } })).body.max).toBe(2);
    const rebuilt = await world.ask("root", "POST", "/pool/rebuild");
    expect([rebuilt.status, rebuilt.body.users[anna]]).toEqual([200, { running: 3, queued: 1, max: 2 }]);
    expect((await world.ask("root", "PUT", "/pool/users/no-one", { body: { max: 1 } })).status).toBe(404);
  });

  test("[A2] agents: settings are checked by kind, a removed one cannot be used, the first one is Shell", async () => {
    const anna = await somebody();
    const project = await world.project(anna);
    const shell = (await world.ask(anna, "GET", "/agents")).body.items;
    expect(shell).toMatchObject([{ name: "Shell", kind: "shell", projectId: null }]);
    const settings = { argv: ["my-agent", "--prompt", "{{prompt}}"], promptVia: "argument" };
    const made = await world.ask(anna, "POST", "/agents", {
      body: { name: "Mine", kind: "command", settings, projectId: project },
    });
    expect([made.status, made.body.settings]).toEqual([201, settings]);
    const change = (body: unknown) => world.ask(anna, "PATCH", `/agents/${made.body.id}`, { body });
    expect((await change({ settings: { argv: ["a\u0000b"] } })).status).toBe(400);
    expect((await change({ name: "Other", settings: { argv: ["other"] } })).body).toMatchObject({
      name: "Other",
      settings: { argv: ["other"] },
    });
    const task = await world.ask(anna, "POST", `/projects/${project}/tasks`, {
      body: { title: "t", prompt: "p", agentId: made.body.id },
    });
    world.programs.missing.add("other");
    expect((await world.ask(anna, "POST", `/tasks/${task.body.id}/dispatch`)).body.message).toContain("not installed");
    world.programs.missing.clear();
    expect((await world.ask(anna, "DELETE", `/agents/${made.body.id}`)).status).toBe(200);
    const refused = await world.ask(anna, "POST", `/tasks/${task.body.id}/dispatch`);
    expect([refused.status, refused.body.code]).toEqual([409, "AGENT_UNUSABLE"]);
  });
});
