/** Members, administrators and invitations by API (S2, S4, S6). */
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
