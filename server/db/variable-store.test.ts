import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/postgres";
import { createSeal } from "./sealed";
import { createVariableStore } from "./variable-store";

const SECRET = "the installation's own secret, long enough";
const TOKEN = "ghp_abcdefghijklmnop";

let database: TestDatabase;
let sql: postgres.Sql;

beforeAll(async () => {
  database = await testDatabase();
  sql = postgres(database.url, { max: 2 });
  for (const id of ["p1", "p2"]) {
    await sql`insert into projects (id, name, repository, path, base_branch) values (${id}, ${id}, '/r', '/r', 'main')`;
  }
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

const storeWith = (secret: string) => createVariableStore(sql, createSeal(secret));

describe("variables in rows", () => {
  test("[A1][A3] a secret lies sealed in its row and comes out for an agent only", async () => {
    const store = storeWith(SECRET);
    await store.set("p1", { name: "TOKEN", value: TOKEN, isSecret: true }, 1_000);
    await store.set("p1", { name: "MODE", value: "fast", isSecret: false }, 2_000);
    expect(await store.list("p1")).toEqual([
      { name: "MODE", value: "fast", isSecret: false, isLost: false, bytes: 8, changedAt: 2_000 },
      { name: "TOKEN", value: null, isSecret: true, isLost: false, bytes: 25, changedAt: 1_000 },
    ]);
    expect(await store.open("p1")).toEqual({ environment: { MODE: "fast", TOKEN }, secrets: [TOKEN], lost: [] });
    const rows = JSON.stringify(await sql`select * from project_variables`);
    expect(rows).not.toContain(TOKEN);
    expect(rows).not.toContain(Buffer.from(TOKEN).toString("base64").slice(0, 12));
  });

  test("[A3] with another secret of the installation, project secrets are told as lost and everything else stays", async () => {
    const store = storeWith("some other secret of the installation, new");
    expect(await store.list("p1")).toMatchObject([
      { name: "MODE", value: "fast" },
      { name: "TOKEN", isLost: true },
    ]);
    expect(await store.open("p1")).toEqual({ environment: { MODE: "fast" }, secrets: [], lost: ["TOKEN"] });
    await store.set("p1", { name: "TOKEN", value: "entered again", isSecret: true }, 3_000);
    expect((await store.open("p1")).environment.TOKEN).toBe("entered again");
  });

  test("[A3] a sealed value opens only in its own row, as it was written", async () => {
    const store = storeWith(SECRET);
    await store.set("p1", { name: "KEY", value: "a secret value", isSecret: true }, 1);
    await sql`insert into project_variables (project_id, name, value, is_secret)
      select 'p2', name, value, true from project_variables where project_id = 'p1' and name = 'KEY'`;
    expect((await store.open("p2")).lost).toEqual(["KEY"]);
    const seal = createSeal(SECRET);
    const sealed = seal.close("a secret value", "here");
    expect(seal.open(sealed, "here")).toBe("a secret value");
    expect(sealed).not.toBe(seal.close("a secret value", "here"));
    for (const wrong of ["", "v1:", "v2:abc", sealed.slice(0, -4), `${sealed.slice(0, 20)}AAAA${sealed.slice(24)}`]) {
      expect(seal.open(wrong, "here")).toBeNull();
    }
  });

  test("[A1] a name that means something to JavaScript is a variable like any other", async () => {
    const store = storeWith(SECRET);
    await store.set("p2", { name: "__proto__", value: "x", isSecret: false }, 1);
    expect(Object.entries((await store.open("p2")).environment)).toContainEqual(["__proto__", "x"]);
    expect(await store.remove("p2", "__proto__")).toBe(true);
    expect(await store.remove("p2", "__proto__")).toBe(false);
  });
});
