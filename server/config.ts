/**
 * The environment in, a frozen Config out. Everything is optional; every mistake becomes one sentence, and all of them are
 * told at once. Reads nothing but the variables it is given and never touches the disk (see data-dir.ts for that).
 */
import net from "node:net";
import path from "node:path";

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const REGISTRATIONS = ["open", "invitation", "closed"] as const;
export type Registration = (typeof REGISTRATIONS)[number];

const RUNNERS = ["process"] as const;
export type RunnerKind = (typeof RUNNERS)[number];

export interface Config {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Where people reach it, without a path; null: wherever it listens. */
  readonly baseUrl: URL | null;
  /** Null: the embedded PostgreSQL below the data directory. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** Takes over a database that belongs to a data directory that is lost (P19). */
  readonly adoptDatabase: boolean;
  /** Null: made once and kept in the data directory. */
  readonly secret: string | null;
  /** Caps of the first start; null when not given. Later the database's settings count and these are ignored. */
  readonly globalMax: number | null;
  readonly perUserMax: number | null;
  readonly runner: RunnerKind;
  readonly registration: Registration;
  /** Of days and months in statistics. */
  readonly timezone: string;
  readonly logLevel: LogLevel;
  readonly test: TestKnobs;
}

/** For tests only, off by default, refused unless the server listens on loopback. All of them stand here. */
export interface TestKnobs {
  /** CAMELOT_TEST_HOOKS: verbs that break things on purpose (throw in the pool's loop, and the like). */
  readonly hooks: boolean;
  /** CAMELOT_TEST_RELAXED_LIMITS: no limits on failed logins and on requests per person. */
  readonly relaxedLimits: boolean;
  /** CAMELOT_TEST_DISK_LEAST_BYTES: below this much free space nothing is granted; null: the product's own limit (R14). */
  readonly diskLeastBytes: number | null;
}

export type ConfigReading = { kind: "config"; config: Config } | { kind: "mistakes"; mistakes: string[] };

const SECRET_LEAST_LETTERS = 32;
const CAP_MOST = 100_000;

type Environment = Record<string, string | undefined>;

/** `root` is what a relative data directory is relative to. */
export function readConfig(environment: Environment, root: string): ConfigReading {
  const mistakes: string[] = [];
  const read = <T>(name: string, parse: (given: string) => T, otherwise: T): T => {
    const given = environment[name]?.trim();
    if (!given) return otherwise;
    try {
      return parse(given);
    } catch (mistake) {
      mistakes.push(`${name}: ${(mistake as Error).message}`);
      return otherwise;
    }
  };
  const host = read("HOST", parseHost, "127.0.0.1");
  const config: Config = {
    host,
    port: read("PORT", wholeNumber(0, 65_535), 3000),
    baseUrl: read<URL | null>("BASE_URL", parseBaseUrl, null),
    databaseUrl: read<string | null>("DATABASE_URL", parseDatabaseUrl, null),
    dataDir: read("CAMELOT_DATA_DIR", (given) => parseFolder(given, root), path.join(root, ".camelot")),
    adoptDatabase: read("CAMELOT_ADOPT_DATABASE", parseSwitch, false),
    secret: read<string | null>("CAMELOT_SECRET", parseSecret, null),
    globalMax: read<number | null>("GLOBAL_MAX", wholeNumber(0, CAP_MOST), null),
    perUserMax: read<number | null>("PER_USER_MAX", wholeNumber(0, CAP_MOST), null),
    runner: read("RUNNER", oneOf(RUNNERS), "process"),
    registration: read("REGISTRATION", oneOf(REGISTRATIONS), isLoopback(host) ? "open" : "invitation"),
    timezone: read("TIMEZONE", parseTimezone, Intl.DateTimeFormat().resolvedOptions().timeZone),
    logLevel: read("LOG_LEVEL", oneOf(LOG_LEVELS), "info"),
    test: Object.freeze({
      hooks: read("CAMELOT_TEST_HOOKS", testSwitch(host), false),
      relaxedLimits: read("CAMELOT_TEST_RELAXED_LIMITS", testSwitch(host), false),
      diskLeastBytes: read<number | null>("CAMELOT_TEST_DISK_LEAST_BYTES", testBytes(host), null),
    }),
  };
  return mistakes.length > 0 ? { kind: "mistakes", mistakes } : { kind: "config", config: Object.freeze(config) };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (net.isIPv4(host) && host.startsWith("127."));
}

function wholeNumber(least: number, most: number): (given: string) => number {
  return (given) => {
    const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new Error(`"${given}" is not a whole number from ${least} to ${most}.`);
  };
}

function oneOf<T extends string>(allowed: readonly T[]): (given: string) => T {
  return (given) => {
    const found = allowed.find((candidate) => candidate === given);
    if (found !== undefined) return found;
    throw new Error(
      `"${given}" is not ${allowed.length === 1 ? `"${allowed[0]}", the only one there is` : `one of ${allowed.join(", ")}`}.`,
    );
  };
}

function parseHost(given: string): string {
  const host = given.replace(/^\[(.+)\]$/, "$1");
  const isName = /^(?=.{1,253}$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/i.test(host);
  if (net.isIP(host) !== 0 || (isName && !/^[\d.]+$/.test(host))) return host;
  throw new Error(`"${given}" is neither an IP address nor a host name.`);
}

function parseBaseUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : null;
  const isPlain =
    url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash && !url.username;
  if (isPlain) return url;
  throw new Error(`"${given}" is not an address like https://camelot.example.org (no path, no query).`);
}

/** Does not repeat what was given: it may hold a password. */
function parseDatabaseUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.hostname !== "") return given;
  throw new Error("it is not an address like postgres://user:password@host:5432/database.");
}

function parseFolder(given: string, root: string): string {
  if (given.includes("\0")) throw new Error("a path cannot hold a NUL.");
  return path.resolve(root, given);
}

function parseSecret(given: string): string {
  if (given.length >= SECRET_LEAST_LETTERS) return given;
  const has = given.length === 1 ? "1 letter" : `${given.length} letters`;
  throw new Error(`it has ${has}, at least ${SECRET_LEAST_LETTERS} are needed.`);
}

function parseTimezone(given: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: given }).resolvedOptions().timeZone;
  } catch {
    throw new Error(`"${given}" is not a time zone like Europe/Berlin.`);
  }
}

function parseSwitch(given: string): boolean {
  return oneOf(["0", "1"])(given) === "1";
}

function testSwitch(host: string): (given: string) => boolean {
  return (given) => {
    const isOn = parseSwitch(given);
    if (isOn) refuseUnlessLoopback(host);
    return isOn;
  };
}

function testBytes(host: string): (given: string) => number {
  return (given) => {
    refuseUnlessLoopback(host);
    if (/^\d{1,15}$/.test(given)) return Number(given);
    throw new Error(`"${given}" is not a number of bytes.`);
  };
}

function refuseUnlessLoopback(host: string): void {
  if (!isLoopback(host)) throw new Error(`it is for tests, and HOST ("${host}") is not a loopback address.`);
}
