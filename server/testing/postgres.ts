/**
 * A migrated database of its own for a test, in the cluster of the test run (`postgres-cluster.ts`): a copy of the
 * template, made in some 20 ms.
 */
import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";

export interface TestDatabase {
  url: string;
  /** Drops it, whoever is still connected. */
  drop(): Promise<void>;
}

export async function testDatabase(): Promise<TestDatabase> {
  const answer = await fetch(inject("testPostgres"));
  const template = new URL(await answer.text());
  if (!answer.ok) throw new Error(`there is no test database: ${template}`);
  const name = `test_${randomBytes(8).toString("hex")}`;
  const own = new URL(template);
  own.pathname = `/${name}`;
  await administer(template, `create database ${name} template ${template.pathname.slice(1)} strategy file_copy`);
  return { url: own.href, drop: () => administer(template, `drop database if exists ${name} with (force)`) };
}

async function administer(template: URL, statement: string): Promise<void> {
  const maintenance = new URL(template);
  maintenance.pathname = "/postgres";
  const sql = postgres(maintenance.href, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}
