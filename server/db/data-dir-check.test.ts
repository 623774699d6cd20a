import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/postgres";
import { checkDataDir, refuseOtherDataDir } from "./data-dir-check";
import { createLeaseStore } from "./lease-store";

const OURS = { id: "id-of-ours", place: "/srv/ours" };
const THEIRS = { id: "id-of-theirs", place: "/srv/theirs" };

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.drop());

test("[P19] a database belongs to the data directory it was first used with, wherever that stands; another is refused", async () => {
  expect(await checkDataDir(database.url, OURS, false)).toBe("first");
  expect(await checkDataDir(database.url, OURS, false)).toBe("same");
  expect(await checkDataDir(database.url, { ...OURS, place: "/mnt/moved" }, false)).toBe("same");
  await expect(checkDataDir(database.url, THEIRS, false)).rejects.toThrow(
    /^This database belongs to another data directory \(last at \/mnt\/moved, not \/srv\/theirs\): start with its CAMELOT_DATA_DIR,/,
  );
  expect(await checkDataDir(database.url, OURS, false)).toBe("same");
});

test("[P19] that it is another one is found without changing anything", async () => {
  await refuseOtherDataDir(database.url, THEIRS);
  expect(await checkDataDir(database.url, THEIRS, false)).toBe("first");
  await refuseOtherDataDir(database.url, THEIRS);
  await expect(refuseOtherDataDir(database.url, OURS)).rejects.toThrow(
    /^This database belongs to another data directory/,
  );
});

test("[P19] another data directory may take a database over when told to, but not from a server that writes", async () => {
  await checkDataDir(database.url, OURS, false);
  const lease = createLeaseStore(database.url);
  const taken = await lease.take("a server of ours", 60_000, null);
  await expect(checkDataDir(database.url, THEIRS, true)).rejects.toThrow(
    /^CAMELOT_ADOPT_DATABASE: a server with another data directory writes/,
  );
  // Its own servers are many and may say so too.
  expect(await checkDataDir(database.url, OURS, true)).toBe("same");
  await lease.giveUp("a server of ours", taken.kind === "taken" ? taken.epoch : 0);
  await lease.close();
  expect(await checkDataDir(database.url, THEIRS, true)).toBe("adopted");
  expect(await checkDataDir(database.url, THEIRS, false)).toBe("same");
  await expect(checkDataDir(database.url, OURS, false)).rejects.toThrow(/last at \/srv\/theirs/);
});
