/** How projects are made by API, and what is no repository for one (W1, GIT-1). */
import { describe, expect, test } from "vitest";
import type { ApiWorld } from "../testing/api-world";
import { type Somebody, withPeopleWorld } from "../testing/people-world";

let world: ApiWorld;
let somebody: Somebody;
withPeopleWorld((made, maker) => {
  world = made;
  somebody = maker;
});
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
    const message = "There is nothing at /none.";
    expect([status, body]).toEqual([409, { code: "REPOSITORY_UNUSABLE", message, field: "repository" }]);
  });

  test("[W1][W3] a base branch that does not exist is 409 when it is given, at the start and later; nothing is left", async () => {
    const anna = await somebody();
    const message = "There is no branch “nope” in this repository. It has: main, dev.";
    const refused = { kind: "refused", code: "REPOSITORY_UNUSABLE", message } as const;
    for (const path of ["/based", "https://example.test/based.git"])
      world.workspace.refusals.set(`${path}#nope`, refused);
    const give = (repository: string, baseBranch: string) =>
      world.ask(anna, "POST", "/projects", { body: { name: "New", repository, baseBranch } });
    const expected = [409, { code: "REPOSITORY_UNUSABLE", message, field: "baseBranch" }];
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
