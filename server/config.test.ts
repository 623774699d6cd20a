import { expect, test } from "vitest";
import { type Config, readConfig } from "./config";

function config(environment: Record<string, string>): Config {
  const reading = readConfig(environment, "/srv/camelot");
  if (reading.kind === "mistakes") throw new Error(reading.mistakes.join("\n"));
  return reading.config;
}

function mistakes(environment: Record<string, string>): string[] {
  const reading = readConfig(environment, "/srv/camelot");
  return reading.kind === "mistakes" ? reading.mistakes : [];
}

test("[S4] with nothing configured it listens on loopback and registration is open", () => {
  expect(config({})).toMatchObject({
    host: "127.0.0.1",
    port: 3000,
    baseUrl: null,
    databaseUrl: null,
    dataDir: "/srv/camelot/.camelot",
    adoptDatabase: false,
    secret: null,
    globalMax: null,
    perUserMax: null,
    runner: "process",
    registration: "open",
    logLevel: "info",
    test: { hooks: false, relaxedLimits: false, diskLeastBytes: null },
  });
});

test("[S4] bound to anything but loopback, registration is by invitation unless told otherwise", () => {
  expect(config({ HOST: "0.0.0.0" }).registration).toBe("invitation");
  expect(config({ HOST: "camelot.example.org" }).registration).toBe("invitation");
  expect(config({ HOST: "::1" }).registration).toBe("open");
  expect(config({ HOST: "127.8.8.8" }).registration).toBe("open");
  expect(config({ HOST: "localhost" }).registration).toBe("open");
  expect(config({ HOST: "0.0.0.0", REGISTRATION: "closed" }).registration).toBe("closed");
});

test("every variable is read, and an empty one counts as absent", () => {
  const read = config({
    HOST: "[::1]",
    PORT: "0",
    BASE_URL: "https://camelot.example.org",
    DATABASE_URL: "postgresql://me:secret@db.example.org/camelot",
    CAMELOT_DATA_DIR: "../data of ours",
    CAMELOT_ADOPT_DATABASE: "1",
    CAMELOT_SECRET: "s".repeat(32),
    GLOBAL_MAX: "0",
    PER_USER_MAX: "7",
    TIMEZONE: "Asia/Kathmandu",
    LOG_LEVEL: "debug",
    RUNNER: "  ",
    CAMELOT_TEST_HOOKS: "1",
  });
  expect(read).toMatchObject({
    host: "::1",
    port: 0,
    databaseUrl: "postgresql://me:secret@db.example.org/camelot",
    dataDir: "/srv/data of ours",
    adoptDatabase: true,
    globalMax: 0,
    perUserMax: 7,
    timezone: expect.stringMatching(/Asia\/(Kathmandu|Katmandu)/),
    logLevel: "debug",
    runner: "process",
    test: { hooks: true, relaxedLimits: false, diskLeastBytes: null },
  });
  expect(read.baseUrl?.origin).toBe("https://camelot.example.org");
  expect(Object.isFrozen(read) && Object.isFrozen(read.test)).toBe(true);
});

test("every mistake is told at once, one sentence each, and none repeats a password", () => {
  const told = mistakes({
    HOST: "http://x",
    PORT: "70000",
    BASE_URL: "https://camelot.example.org/board",
    DATABASE_URL: "mysql://me:hunter2@db/camelot",
    CAMELOT_SECRET: "too short",
    GLOBAL_MAX: "-1",
    PER_USER_MAX: "2.5",
    RUNNER: "docker",
    REGISTRATION: "Open",
    TIMEZONE: "Middle/Earth",
    LOG_LEVEL: "loud",
  });
  expect(told.map((sentence) => sentence.split(":")[0])).toEqual([
    "HOST",
    "PORT",
    "BASE_URL",
    "DATABASE_URL",
    "CAMELOT_SECRET",
    "GLOBAL_MAX",
    "PER_USER_MAX",
    "RUNNER",
    "REGISTRATION",
    "TIMEZONE",
    "LOG_LEVEL",
  ]);
  for (const sentence of told) expect(sentence).toMatch(/^[A-Z_]+: [^\n]+\.$/);
  expect(told.join()).not.toMatch(/hunter2|too short/);
  expect(told[1]).toBe('PORT: "70000" is not a whole number from 0 to 65535.');
  expect(told[7]).toBe('RUNNER: "docker" is not "process", the only one there is.');
});

test("a secret of one letter is told in the singular", () => {
  const needed = "at least 32 are needed.";
  expect(mistakes({ CAMELOT_SECRET: "x" })).toEqual([`CAMELOT_SECRET: it has 1 letter, ${needed}`]);
  expect(mistakes({ CAMELOT_SECRET: "xy" })).toEqual([`CAMELOT_SECRET: it has 2 letters, ${needed}`]);
});

test.each(["3e3", "0x50", " 3 000", "٣", "1.0", "+1"])("PORT %s is not a number a person would mean", (given) => {
  expect(mistakes({ PORT: given })).toHaveLength(1);
});

test.each(["1.2.3", "300.1.1.1", "a b", "-x", "x:80", "*"])("HOST %s is refused", (given) => {
  expect(mistakes({ HOST: given })).toHaveLength(1);
});

test("test knobs are refused unless the server listens on loopback", () => {
  expect(mistakes({ HOST: "0.0.0.0", CAMELOT_TEST_HOOKS: "1" })).toEqual([
    'CAMELOT_TEST_HOOKS: it is for tests, and HOST ("0.0.0.0") is not a loopback address.',
  ]);
  expect(mistakes({ HOST: "0.0.0.0", CAMELOT_TEST_RELAXED_LIMITS: "0" })).toEqual([]);
  expect(mistakes({ CAMELOT_TEST_HOOKS: "yes" })).toHaveLength(1);
  expect(mistakes({ HOST: "0.0.0.0", CAMELOT_TEST_DISK_LEAST_BYTES: "1" })).toHaveLength(1);
  expect(mistakes({ CAMELOT_TEST_DISK_LEAST_BYTES: "1 GB" })).toHaveLength(1);
  expect(mistakes({ CAMELOT_TEST_DISK_LEAST_BYTES: "1000000000000" })).toEqual([]);
});
