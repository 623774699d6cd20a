import { expect, test } from "vitest";
import { testDatabase } from "../testing/postgres";
import { checkSecret } from "./secret-check";

test("another secret than the database was used with is refused; a lost one is replaced", async () => {
  const database = await testDatabase();
  const [ours, theirs] = ["a".repeat(32), "b".repeat(32)];
  expect(await checkSecret(database.url, ours, false)).toBe("first");
  expect(await checkSecret(database.url, ours, false)).toBe("same");
  await expect(checkSecret(database.url, theirs, false)).rejects.toThrow(/^The secret is not the one this database/);
  expect(await checkSecret(database.url, ours, false)).toBe("same");
  expect(await checkSecret(database.url, theirs, true)).toBe("replaced");
  expect(await checkSecret(database.url, theirs, false)).toBe("same");
  await database.drop();
});
