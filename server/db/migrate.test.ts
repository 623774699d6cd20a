import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/postgres";
import { checkDatabase } from "./check-database";
import { migrate } from "./migrate";

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await testDatabase();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "camelot-migrations-"));
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  await sql.unsafe("drop schema if exists drizzle cascade");
  await sql.end();
});

afterEach(async () => {
  await database.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** One migration per statement, dated in order from `firstDay`. */
function writeMigrations(statements: string[], firstDay = 1): void {
  fs.mkdirSync(path.join(folder, "meta"), { recursive: true });
  const entries = statements.map((statement, idx) => {
    const tag = `000${idx}_step`;
    fs.writeFileSync(path.join(folder, `${tag}.sql`), statement);
    return { idx, version: "7", when: Date.UTC(2026, 0, firstDay + idx), tag, breakpoints: true };
  });
  fs.writeFileSync(
    path.join(folder, "meta", "_journal.json"),
    JSON.stringify({ version: "7", dialect: "postgresql", entries }),
  );
}

test("eight servers that start together migrate once", async () => {
  writeMigrations(["create table once (n int)", "insert into once values (1)"]);
  await Promise.all(Array.from({ length: 8 }, () => migrate(database.url, folder)));
  const sql = postgres(database.url, { max: 1 });
  expect([...(await sql`select n from once`)]).toEqual([{ n: 1 }]);
  await sql.end();
});

test("a database of a newer version is refused and left as it is", async () => {
  writeMigrations(["create table a (n int)", "create table b (n int)"]);
  await migrate(database.url, folder);
  writeMigrations(["create table a (n int)"]);
  await expect(migrate(database.url, folder)).rejects.toThrow(/used with a newer version of Camelot/);
});

test("a DATABASE_URL that cannot be used is one sentence without the password", async () => {
  await checkDatabase(database.url);
  const wrong = (change: (url: URL) => void) => {
    const url = new URL(database.url);
    change(url);
    return checkDatabase(url.href).then(
      () => "fine",
      (error: Error) => error.message,
    );
  };
  const messages = [
    await wrong((url) => {
      url.pathname = "/nowhere";
    }),
    await wrong((url) => {
      url.password = "guessed-wrong";
    }),
    await wrong((url) => {
      url.port = "1";
    }),
  ];
  expect(messages[0]).toMatch(/has no database "nowhere"/);
  expect(messages[1]).toMatch(/refuses user "camelot" or the password/);
  expect(messages[2]).toMatch(/nothing answers at 127\.0\.0\.1:1/);
  expect(messages.join()).not.toMatch(/guessed-wrong/);
});
