import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiWorld, apiWorld } from "../testing/api-world";

let world: ApiWorld;
let project: string;

beforeAll(async () => {
  world = await apiWorld();
  await world.addUser("owner");
  await world.addUser("member");
  project = await world.project("owner", ["member"]);
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

const put = (who: string, name: string, body: unknown) =>
  world.ask(who, "PUT", `/projects/${project}/variables/${name}`, { body });
const list = async (who: string) => (await world.ask(who, "GET", `/projects/${project}/variables`)).body;

describe("a project's variables", () => {
  test("[A1][A3] owners write them, members see names, and no secret ever comes back", async () => {
    const made = await put("owner", "TOKEN", { value: "hunter2-hunter2", secret: true });
    expect(made.status).toBe(200);
    expect(JSON.stringify(made.body)).not.toContain("hunter2");
    await put("owner", "MODE", { value: "fast" });
    const seen = await list("member");
    expect(seen).toMatchObject({
      items: [
        { name: "MODE", value: "fast", isSecret: false, isLost: false },
        { name: "TOKEN", value: null, isSecret: true, isLost: false },
      ],
      next: null,
    });
    expect((await put("member", "MODE", { value: "slow" })).status).toBe(403);
    expect((await put("owner", "MODE", { value: "slow" })).body.value).toBe("slow");
    const gone = await world.ask("owner", "DELETE", `/projects/${project}/variables/MODE`);
    expect([gone.status, (await list("owner")).items.length]).toEqual([200, 1]);
    expect((await world.ask("owner", "DELETE", `/projects/${project}/variables/MODE`)).status).toBe(404);
  });

  test.each([
    ["SHORT", { value: "1234567", secret: true }, "8 characters or more"],
    ["1A", { value: "v" }, "does not begin with a digit"],
    ["CAMELOT_RUN", { value: "v" }, "Camelot's own"],
    ["NUL", { value: "a\u0000b" }, "NUL"],
    ["BIG", { value: "x".repeat(100_001) }, "100 KB"],
    ["NONE", {}, "value"],
  ])("[A1][A3] 400 and one sentence without the value: %s %j", async (name, body, sentence) => {
    const { status, body: said } = await put("owner", name, body);
    expect([status, said.code]).toEqual([400, "BAD_REQUEST"]);
    expect(said.message).toContain(sentence);
    expect(JSON.stringify(said)).not.toContain("1234567");
  });

  test("[A1] all variables of a project together fit beside a command line", async () => {
    const value = "x".repeat(99_000);
    for (const name of ["A", "B", "C", "D", "E"]) expect((await put("owner", name, { value })).status).toBe(200);
    expect((await put("owner", "F", { value })).body.message).toContain("500 KB");
    // Replacing one counts only what it is then.
    expect((await put("owner", "A", { value })).status).toBe(200);
  });

  test("[W1] the setup script: kept by owners, in the line breaks that bash knows, empty for none", async () => {
    const change = async (setupScript: string | null) =>
      (await world.ask("owner", "PATCH", `/projects/${project}`, { body: { setupScript } })).body.setupScript;
    expect(await change("npm ci\r\nnpm run build\r\n")).toBe("npm ci\nnpm run build\n");
    expect((await world.ask("member", "GET", `/projects/${project}`)).body.setupScript).toContain("npm ci");
    expect(
      (await world.ask("owner", "PATCH", `/projects/${project}`, { body: { name: "P" } })).body.setupScript,
    ).toContain("npm ci");
    expect(await change(" \n")).toBeNull();
    expect((await world.ask("member", "PATCH", `/projects/${project}`, { body: { setupScript: "x" } })).status).toBe(
      403,
    );
  });
});
