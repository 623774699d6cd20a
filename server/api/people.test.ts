import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { waitFor } from "../testing/wait-for";

let world: ApiWorld;
let people = 0;

beforeAll(async () => {
  world = await apiWorld();
  await world.addUser("root", "admin");
});
beforeEach(() => {
  world.told.length = 0;
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

async function somebody(role: "admin" | "member" = "member"): Promise<string> {
  const id = `p${++people}`;
  await world.addUser(id, role);
  return id;
}
const newProject = (user: string, repository: string) =>
  world.ask(user, "POST", "/projects", { body: { name: "New", repository } });

describe("[W1][GIT-1] projects are made", () => {
  test("[W1] from a path, an address or a sample; the maker owns it; others do not see it", async () => {
    const [anna, ben] = [await somebody(), await somebody()];
    for (const repository of [
      "/some/where",
      "https://user:secret@example.test/a.git",
      "git@example.test:a/b.git",
      "sample",
    ]) {
      const { status, body } = await newProject(anna, repository);
      expect([status, body.role, body.baseBranch]).toEqual([201, "owner", "main"]);
      expect(JSON.stringify(body)).not.toContain("secret");
      expect((await world.ask(ben, "GET", `/projects/${body.id}`)).status).toBe(404);
    }
    expect((await world.ask(anna, "GET", "/projects")).body.items).toHaveLength(4);
    expect((await world.ask(ben, "GET", "/projects")).body.items).toEqual([]);
    for (const given of ["relative/path", "~/x", "-oProxyCommand=x"])
      expect((await newProject(anna, given)).status).toBe(400);
  });

  test("[W1] what is no repository is 409 with the workspace's sentence", async () => {
    const anna = await somebody();
    world.workspace.refusals.set("/none", {
      kind: "refused",
      code: "REPOSITORY_UNUSABLE",
      message: "There is nothing at /none.",
    });
    const { status, body } = await newProject(anna, "/none");
    expect([status, body]).toEqual([409, { code: "REPOSITORY_UNUSABLE", message: "There is nothing at /none." }]);
  });

  test("[W1][W3] a base branch that does not exist is 409 when it is given, at the start and later; nothing is left", async () => {
    const anna = await somebody();
    const message = "There is no branch “nope” in this repository. It has: main, dev.";
    const refused = { kind: "refused", code: "REPOSITORY_UNUSABLE", message } as const;
    for (const path of ["/based", "https://example.test/based.git"])
      world.workspace.refusals.set(`${path}#nope`, refused);
    const give = (repository: string, baseBranch: string) =>
      world.ask(anna, "POST", "/projects", { body: { name: "New", repository, baseBranch } });
    const expected = [409, { code: "REPOSITORY_UNUSABLE", message }];
    for (const repository of ["/based", "https://example.test/based.git"]) {
      const { status, body } = await give(repository, "nope");
      expect([status, body]).toEqual(expected);
    }
    expect(world.workspace.discarded).toHaveLength(2);
    expect((await world.ask(anna, "GET", "/projects")).body.items).toEqual([]);

    const { id } = (await give("/based", "dev")).body;
    const change = (body: object) => world.ask(anna, "PATCH", `/projects/${id}`, { body });
    const changed = await change({ name: "Other", baseBranch: "nope" });
    expect([changed.status, changed.body]).toEqual(expected);
    const after = await world.ask(anna, "GET", `/projects/${id}`);
    expect(after.body).toMatchObject({ name: "New", baseBranch: "dev", note: null });
    expect((await change({ baseBranch: "main" })).body.baseBranch).toBe("main");
    // What a form sends back as it was is no new choice.
    world.workspace.refusals.set("/based#main", refused);
    expect((await change({ name: "Other", baseBranch: "main" })).status).toBe(200);
  });

  test("[GIT-1][W1] a repository before its first commit makes no project, and the form says what is missing", async () => {
    const anna = await somebody();
    const sentence = "/unborn has no commit yet. Make a first commit, then try again.";
    world.workspace.refusals.set("/unborn", { kind: "refused", code: "NO_COMMIT", message: sentence });
    const refused = await newProject(anna, "/unborn");
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([409, "REPOSITORY_UNUSABLE", sentence]);
    expect((await world.ask(anna, "GET", "/projects")).body.items).toEqual([]);
    world.workspace.refusals.delete("/unborn");
    expect((await newProject(anna, "/unborn")).status).toBe(201);
  });

  test("[GIT-1] where a project has none all the same, dispatching says so, and works once there is one", async () => {
    const anna = await somebody();
    const sentence = "/lost has no commit yet. Make a first commit, then try again.";
    const made = await newProject(anna, "/lost");
    await world.sql`update projects set base_branch = '' where id = ${made.body.id}`;
    world.workspace.refusals.set("/lost", { kind: "refused", code: "NO_COMMIT", message: sentence });
    expect((await world.ask(anna, "GET", `/projects/${made.body.id}`)).body.note).toBe(sentence);
    const task = await world.task(anna, made.body.id);
    const refused = await world.ask(anna, "POST", `/tasks/${task}/dispatch`);
    expect([refused.status, refused.body.message]).toEqual([409, sentence]);
    expect((await world.ask(anna, "GET", "/me")).body).toMatchObject({ running: 0, queued: 0 });
    world.workspace.refusals.delete("/lost");
    expect((await world.ask(anna, "POST", `/tasks/${task}/dispatch`)).status).toBe(201);
    const after = (await world.ask(anna, "GET", `/projects/${made.body.id}`)).body;
    expect([after.baseBranch, after.note]).toEqual(["main", null]);
  });
});

describe("[S2][S6] members", () => {
  test("[S2] the last owner stays; two who take each other off leave one", async () => {
    const [anna, ben] = [await somebody(), await somebody()];
    const project = await world.project(anna, [ben]);
    const role = (by: string, of: string, given: string) =>
      world.ask(by, "PUT", `/projects/${project}/members/${of}`, { body: { role: given } });
    expect((await role(anna, anna, "member")).body.code).toBe("LAST_OWNER");
    expect((await world.ask(anna, "DELETE", `/projects/${project}/members/${anna}`)).body.code).toBe("LAST_OWNER");
    expect((await role(anna, ben, "owner")).body).toMatchObject({ userId: ben, role: "owner" });
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([role(anna, ben, "member"), role(ben, anna, "member")]);
      const { body } = await world.ask(anna, "GET", `/projects/${project}/members`);
      const owners = body.items.filter((member: { role: string }) => member.role === "owner");
      expect(owners.length).toBeGreaterThan(0);
      for (const id of [anna, ben]) await role(owners[0].userId, id, "owner");
    }
  });

  test("[S6] taking a member off says what ends, then their line is left and their agents stop", async () => {
    const [anna, ben] = [await somebody(), await somebody()];
    const project = await world.project(anna, [ben]);
    for (let index = 0; index < 3; index += 1) {
      await world.ask(ben, "POST", `/tasks/${await world.task(ben, project)}/dispatch`);
    }
    const asked = await world.ask(anna, "DELETE", `/projects/${project}/members/${ben}`);
    expect([asked.status, asked.body.code, asked.body.running, asked.body.waiting]).toEqual([409, "CONFIRM", 2, 1]);
    expect((await world.ask(ben, "GET", `/projects/${project}`)).status).toBe(200);
    expect((await world.ask(anna, "DELETE", `/projects/${project}/members/${ben}?confirm=true`)).status).toBe(200);
    expect((await world.ask(ben, "GET", `/projects/${project}`)).status).toBe(404);
    expect(world.told).toContainEqual({ kind: "accessChanged", about: ben });
    await waitFor(async () => (await world.ask(ben, "GET", "/me")).body.running === 0, "their agents to stop");
    expect((await world.ask(ben, "GET", "/me")).body).toMatchObject({ running: 0, queued: 0 });
  });

  test("[S6] removing a project asks, then ends what lives in it; a member may leave by themselves", async () => {
    const [anna, ben] = [await somebody(), await somebody()];
    const project = await world.project(anna, [ben]);
    const task = await world.task(anna, project);
    await world.ask(anna, "POST", `/tasks/${task}/dispatch`);
    expect((await world.ask(ben, "DELETE", `/projects/${project}/members/${anna}`)).status).toBe(403);
    expect((await world.ask(ben, "DELETE", `/projects/${project}/members/${ben}`)).status).toBe(200);
    expect((await world.ask(anna, "DELETE", `/projects/${project}`)).body.code).toBe("CONFIRM");
    expect((await world.ask(anna, "DELETE", `/projects/${project}?confirm=true`)).status).toBe(200);
    expect((await world.ask(anna, "GET", `/tasks/${task}`)).status).toBe(404);
    await waitFor(async () => (await world.ask(anna, "GET", "/me")).body.running === 0, "the agent to stop");
  });
});

describe("[S2][SEC-3] administrators", () => {
  const change = (by: string, of: string, body: unknown, query = "") =>
    world.ask(by, "PATCH", `/users/${of}${query}`, { body });

  const demoted = { role: "member" };
  const admins = () => world.sql`select id from users where role = 'admin' and active`;

  test("[S2][SEC-3] the last administrator cannot demote or deactivate themself, and is told why", async () => {
    for (const body of [demoted, { active: false }, { role: "member", active: false }]) {
      for (const query of ["", "?confirm=true"]) {
        const refused = await change("root", "root", body, query);
        expect([refused.status, refused.body.code]).toEqual([409, "LAST_ADMIN"]);
        expect(refused.body.message).toMatch(/make somebody else one first\.$/);
      }
    }
    // There is no call that deletes an account, one's own or another's.
    expect((await world.ask("root", "DELETE", "/users/root")).status).toBe(404);
    expect(await admins()).toEqual([{ id: "root" }]);
  });

  test.each([["demote", demoted] as const, ["deactivate", { active: false }] as const])(
    "[S2][SEC-3] two administrators who %s each other at the same moment, 20 times: exactly one succeeds",
    async (_how, body) => {
      const second = await somebody("admin");
      for (let round = 0; round < 20; round += 1) {
        const answers = await Promise.all([change("root", second, body), change(second, "root", body)]);
        const told = answers.map(({ status, body: { code } }) => [status, code ?? "done"].join(" ")).toSorted();
        expect(told).toEqual(["200 done", "409 LAST_ADMIN"]);
        expect(await admins()).toHaveLength(1);
        await world.sql`update users set role = 'admin', active = true where id in ('root', ${second})`;
      }
      await world.sql`update users set role = 'member' where id = ${second}`;
    },
  );

  test("[S2][SEC-3] an administrator who was deactivated, or was only invited, does not count", async () => {
    const second = await somebody("admin");
    await world.sql`update users set active = false where id = ${second}`;
    expect((await change("root", "root", demoted)).body.code).toBe("LAST_ADMIN");
    await world.sql`update users set role = 'member' where id = ${second}`;
    expect((await world.ask("root", "POST", "/invitations", { body: { email: "next@example.test" } })).status).toBe(
      201,
    );
    expect((await change("root", "root", demoted)).body.code).toBe("LAST_ADMIN");
    expect(await admins()).toEqual([{ id: "root" }]);
  });

  test("[S6] deactivating somebody asks, ends their sessions, logins and tokens", async () => {
    const anna = await somebody();
    const project = await world.project(anna);
    await world.ask(anna, "POST", `/tasks/${await world.task(anna, project)}/dispatch`);
    await world.sql`insert into logins (id, user_id, token, expires_at) values (${`l-${anna}`}, ${anna}, ${anna}, now() + interval '1 day')`;
    expect((await change("root", anna, { active: false })).body.code).toBe("CONFIRM");
    const done = await change("root", anna, { active: false }, "?confirm=true");
    expect([done.status, done.body.active]).toEqual([200, false]);
    expect(world.told).toContainEqual({ kind: "personDeactivated", about: anna });
    expect(world.told).toContainEqual({ kind: "loginEnded", about: `l-${anna}` });
    expect(await world.sql`select from logins where user_id = ${anna}`).toHaveLength(0);
    await waitFor(
      async () => (await world.ask("root", "GET", `/users/${anna}`)).body.running === 0,
      "their agent to stop",
    );
  });
});

test("[S4][B10] an invitation's link lets somebody with an account in, once; others are told why it is not for them", async () => {
  const [olga, anna, ben] = [await somebody(), await somebody(), await somebody()];
  const project = await world.project(olga);
  const invite = (by: string, email: string, projectId?: string) =>
    world.ask(by, "POST", "/invitations", { body: { email: `${email}@example.test`, projectId } });
  const accept = (who: string, path: string) =>
    world.ask(who, "POST", "/invitations/accept", { body: { secret: path.replace("/invitation/", "") } });
  const first = await invite(olga, anna, project);
  const second = await invite(olga, anna, project);
  expect([first.body, second.body]).toMatchObject([
    { hasAccount: true, replaced: false },
    { hasAccount: true, replaced: true },
  ]);
  const { path } = second.body;
  const told = async (who: string, link: string) => {
    const { status, body } = await accept(who, link);
    return `${status} ${body.message}`;
  };
  expect(await told(anna, first.body.path)).toMatch(/^404 This invitation is not valid/);
  expect(await told(anna, path.slice(0, -3))).toMatch(/^404 This invitation is not valid/);
  expect(await told(ben, path)).toBe(
    `409 This invitation is for ${anna}@example.test, and you are ${ben}@example.test.`,
  );
  expect((await accept(anna, path)).body).toEqual({ projectId: project });
  expect(world.told).toContainEqual({ kind: "accessChanged", about: anna });
  expect((await world.ask(anna, "GET", `/projects/${project}`)).body.role).toBe("member");
  expect(await told(anna, path)).toMatch(/^404/);
  expect((await invite(olga, anna, project)).body.message).toMatch(/ is a member of the project already\.$/);
  expect((await invite("root", ben)).body.message).toBe(`${ben}@example.test has an account here already.`);
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
    const waits = (await world.ask(anna, "GET", `/users/${anna}`)).body.wait;
    expect(waits).toEqual({ p50: 0, p95: 8, sessions: 11 });
    expect(own.body.agentSeconds).toHaveLength(14);
    expect(own.body.history).toMatchObject([{ sessionId: session, title: "Seen by members", status: "succeeded" }]);
    const seen = await world.ask(ben, "GET", `/users/${anna}`);
    expect([seen.body.email, seen.body.history]).toEqual([null, []]);
    const all = await world.ask(ben, "GET", "/users");
    expect(all.body.items.find((person: { id: string }) => person.id === anna)).toMatchObject({ running: 0, max: 2 });
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
