/** A project's repository given anew, and what goes with the project. */
import { afterAll, beforeAll, expect, test } from "vitest";
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

async function somebody(): Promise<string> {
  const id = `p${++people}`;
  await world.addUser(id, "member");
  return id;
}
const newProject = (user: string, repository: string) =>
  world.ask(user, "POST", "/projects", { body: { name: "New", repository } });

test("[W1] owners change the repository: an address or login, a folder that moved; its kind stays; held sessions wait again", async () => {
  const [anna, ben] = [await somebody(), await somebody()];
  const { id } = (await newProject(anna, "https://example.test/a.git")).body;
  await world.ask(anna, "PUT", `/projects/${id}/members/${ben}`, { body: { role: "member" } });
  const change = (body: object, by = anna) => world.ask(by, "PATCH", `/projects/${id}`, { body });
  const address = "https://me:secret-word@example.test/b.git";
  expect((await change({ repository: address }, ben)).status).toBe(403);
  const task = await world.task(anna, id);
  const detail = "The repository could not be fetched.";
  await world.holds.put({ subject: "repository", subjectId: id, detail, until: null });
  const { session } = (await world.ask(anna, "POST", `/tasks/${task}/dispatch`)).body;
  expect(session.waitingFor.reason).toBe("repository-unusable");
  const changed = await change({ repository: address });
  expect([changed.status, changed.body.repository]).toEqual([200, "https://example.test/b.git"]);
  expect(JSON.stringify(changed.body)).not.toContain("me:");
  const status = async () => (await world.ask(anna, "GET", `/sessions/${session.id}`)).body.status;
  await waitFor(async () => (await status()) === "running", "the held session to start");

  const message = "There is no git repository at this address, or this login may not see it.";
  const gone = "https://example.test/gone.git";
  world.workspace.refusals.set(gone, { kind: "refused", code: "REPOSITORY_UNUSABLE", message });
  const refused = await change({ name: "Other", repository: gone });
  expect([refused.status, refused.body.message, refused.body.field]).toEqual([409, message, "repository"]);
  const other = await change({ repository: "/srv/shop" });
  expect([other.status, other.body.code]).toEqual([409, "CONFLICT"]);
  const neither = await change({ repository: "shop" });
  expect([neither.status, neither.body.field]).toEqual([400, "repository"]);
  expect(neither.body.message).toMatch(/^Give an address that begins with https/);
  expect((await world.ask(anna, "GET", `/projects/${id}`)).body).toMatchObject({
    name: "New",
    repository: "https://example.test/b.git",
  });
});

test("[W1] a folder is changed while nothing runs in it; what is no repository is refused", async () => {
  const anna = await somebody();
  const { id } = (await newProject(anna, "/srv/old")).body;
  const change = (repository: string) => world.ask(anna, "PATCH", `/projects/${id}`, { body: { repository } });
  world.workspace.refusals.set("/nothing", {
    kind: "refused",
    code: "REPOSITORY_UNUSABLE",
    message: "There is nothing at /nothing.",
  });
  expect((await change("/nothing")).body.message).toBe("There is nothing at /nothing.");
  const message = "The repository in this folder has another history than this project's.";
  world.workspace.refusals.set("/srv/other@history", { kind: "refused", code: "REPOSITORY_UNUSABLE", message });
  const other = await change("/srv/other");
  expect([other.status, other.body.code, other.body.message]).toEqual([409, "REPOSITORY_UNUSABLE", message]);
  const task = await world.task(anna, id);
  const { session } = (await world.ask(anna, "POST", `/tasks/${task}/dispatch`)).body;
  const status = async () => (await world.ask(anna, "GET", `/sessions/${session.id}`)).body.status;
  await waitFor(async () => (await status()) === "running", "the session to run");
  expect((await change("/srv/new")).body.code).toBe("CONFLICT");
  await world.ask(anna, "POST", `/sessions/${session.id}/cancel`);
  await waitFor(async () => (await status()) === "cancelled", "the session to end");
  await world.sql`update tasks set branch = 'camelot/1-t', base_commit = 'begun-here' where id = ${task}`;
  expect((await change("/srv/new")).body).toMatchObject({ repository: "/srv/new", path: "/srv/new" });
  expect(world.workspace.begun).toEqual(["begun-here"]);
});

test("[A3][W1] a removed project's login goes with it", async () => {
  const anna = await somebody();
  const { id } = (await newProject(anna, "https://me:secret-word@example.test/a.git")).body;
  expect((await world.ask(anna, "DELETE", `/projects/${id}`)).status).toBe(200);
  expect(world.workspace.forgotten).toEqual([id]);
  expect(world.workspace.discarded).toEqual([]);
});
