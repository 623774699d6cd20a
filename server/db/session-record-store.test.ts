import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/postgres";
import { createSessionRecordStore } from "./session-record-store";

const NONE = { environment: {}, secrets: [], lost: [] };
let database: TestDatabase;
let sql: postgres.Sql;

beforeAll(async () => {
  database = await testDatabase();
  sql = postgres(database.url, { max: 2 });
  await sql`insert into users (id, name, email) values ('u1', 'Mira', 'mira@example.test')`;
  await sql`insert into projects (id, name, repository, path, base_branch, longest_run_ms)
    values ('p1', 'Shop', '/srv/shop', '/srv/shop', 'main', 3600000)`;
  await sql`insert into agents (id, name, kind, settings)
    values ('a1', 'Echo', 'command', ${sql.json({ argv: ["cat"], promptVia: "stdin" })})`;
  await sql`insert into tasks (id, project_id, number, title, prompt, order_key)
    values ('t1', 'p1', 7, 'Title', 'Do it', 'a0')`;
  await insertSession("s1", "t1", "running", 3);
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

it("[W1] a session's facts name its task, its agent and its repository, and its worktree once it was stored", async () => {
  const record = createSessionRecordStore(sql, { open: async () => NONE });
  const facts = await record.read("s1");
  expect(facts).toMatchObject({
    taskId: "t1",
    number: 7,
    prompt: "Do it",
    message: null,
    agent: { kind: "command", name: "Echo", settings: { argv: ["cat"], promptVia: "stdin" } },
    repository: "/srv/shop",
    baseBranch: "main",
    branch: null,
    longestRunMs: 3_600_000,
  });
  await record.storeWorktree("t1", { path: "/w/7", branch: "camelot/7-title", baseCommit: "abc" });
  expect(await record.read("s1")).toMatchObject({ worktree: "/w/7", branch: "camelot/7-title", baseCommit: "abc" });
});

it("[R3] only attempts that hold a slot count as running", async () => {
  await sql`insert into tasks (id, project_id, number, title, prompt, order_key)
    values ('t2', 'p1', 8, 'Other', '', 'a1'), ('t3', 'p1', 9, 'Third', '', 'a2')`;
  await insertSession("s2", "t2", "queued", 1);
  await insertSession("s3", "t3", "succeeded", 1);
  const record = createSessionRecordStore(sql, { open: async () => NONE });
  expect(await record.runningAttempts()).toEqual([{ sessionId: "s1", attempt: 3 }]);
  expect(await record.read("nobody")).toBeNull();
});

async function insertSession(id: string, taskId: string, status: string, attempt: number): Promise<void> {
  await sql`insert into sessions (id, task_id, project_id, user_id, agent_id, status, attempt, queued_at)
    values (${id}, ${taskId}, 'p1', 'u1', 'a1', ${status}, ${attempt}, now())`;
}
