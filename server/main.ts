/**
 * The composition root: what is made from what, in this order, and left in reverse (R5). It also is the process: signals,
 * exit codes, and the two sentences a person starting the server reads. A refusal to start is one sentence and code 78.
 */
import { readFileSync } from "node:fs";
import { createAuth } from "./auth/auth";
import { addressFor, listen, probeAddress } from "./compose/address";
import { openDatabase } from "./compose/database";
import { startEngine } from "./compose/engine";
import { createLeaving, type Leavable } from "./compose/leaving";
import { openPages } from "./compose/pages";
import { openDoor, openServing } from "./compose/serving";
import { type Config, readConfig } from "./config";
import { lockDataDir, openDataDir } from "./data-dir";
import { SMALL_THINGS_S, within } from "./db/ask-within";
import { isLeaseHeld } from "./db/lease-store";
import { isFollowed } from "./db/pool-link";
import { createLog, type Log } from "./log";
import type { Clock } from "./ports/clock";
import type { Feed } from "./ports/feed";
import { START_REFUSED_EXIT_CODE, StartRefused } from "./ports/start-refused";
import { shareFeed } from "./realtime/shared-feed";
import { park } from "./registry";
import { countAgents, stopAllAgents } from "./runner/process/stop-all";

const CRASH_EXIT_CODE = 1;

const clock: Clock = { now: Date.now, monotonic: () => performance.now() };
const isDevelopment = process.env.NODE_ENV === "development";

interface House extends Leavable {
  readonly url: string;
}

await run();

async function run(): Promise<void> {
  const reading = readConfig(process.env, process.cwd());
  if (reading.kind === "mistakes") return refuse(reading.mistakes);
  const { config } = reading;
  const log = createLog(config.logLevel);
  guardProcess(log);
  const opening = openHouse(config, log);
  const signals = leaveOnSignals(config, log, opening);
  try {
    const { url } = await opening;
    if (!signals.isLeaving()) console.log(`Camelot is served at ${url}`);
  } catch (error) {
    if (error instanceof StartRefused) return refuse([error.message]);
    log.bug("The server could not start", error);
    process.exit(CRASH_EXIT_CODE);
  }
}

async function openHouse(config: Config, log: Log): Promise<House> {
  const leavings: (() => void | Promise<void>)[] = [];
  const leave = async () => {
    for (const step of leavings.splice(0).reverse()) await step();
  };
  try {
    openDataDir(config.dataDir);
    if (config.databaseUrl === null) leavings.push((await lockDataDir(config.dataDir)).release);
    await probeAddress(config);
    const database = await openDatabase(config, log);
    leavings.push(database.close);

    // Made before the live channel that hears it: what is told until then has no listener yet.
    const late = lateFeed();
    const feed = shareFeed(late.feed, database.gossip);
    const { secret, db } = database;
    const { registration, test } = config;
    const auth = createAuth({
      db,
      secret,
      registration,
      clock,
      baseUrl: config.baseUrl?.origin ?? `http://127.0.0.1:${config.port}`,
      relaxedLimits: test.relaxedLimits,
      loginEnded: feed.loginEnded,
      news: feed.news,
      warn: log.warn,
    });
    await within(database.url, SMALL_THINGS_S, auth.appointFirstAdmin());
    const engine = startEngine({ config, database, clock, log, feed, onFatal: (why) => crash(log, why) });
    leavings.push(engine.leave);
    const pages = await openPages(config, isDevelopment);
    leavings.push(pages.close);
    park(openDoor({ config, engine, auth }));
    const serving = openServing({
      config,
      database,
      engine,
      auth,
      pages,
      gossip: feed,
      clock,
      log,
      version: version(),
      isDevelopment,
    });
    late.tell(serving.feed);
    database.gossip.missed(serving.missed);
    leavings.push(serving.close);
    leavings.push(engine.endErrands);
    await listen(serving.server, config);
    return {
      url: addressFor(serving.server, config),
      follows: () => engine.pool.vitals().state === "following",
      standDown: engine.standDown,
      leave,
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** The engine is made before the live channel, which is what it tells. */
function lateFeed(): { feed: Feed; tell(feed: Feed): void } {
  const silent: Feed = {
    tasksChanged() {},
    tasksGone() {},
    projectGone() {},
    accessChanged() {},
    loginEnded() {},
    personDeactivated() {},
    news() {},
  };
  let current = silent;
  return {
    tell(feed) {
      current = feed;
    },
    feed: {
      tasksChanged: (projectId, taskIds) => current.tasksChanged(projectId, taskIds),
      tasksGone: (projectId, taskIds) => current.tasksGone(projectId, taskIds),
      projectGone: (projectId) => current.projectGone(projectId),
      accessChanged: (userId) => current.accessChanged(userId),
      loginEnded: (loginId) => current.loginEnded(loginId),
      personDeactivated: (userId) => current.personDeactivated(userId),
      news: (topic, audience) => current.news(topic, audience),
    },
  };
}

function leaveOnSignals(config: Config, log: Log, opening: Promise<House>): { isLeaving(): boolean } {
  /** An embedded database ends with its server, and nobody else has it. */
  const ofOthers = async (ask: (url: string) => Promise<boolean>) =>
    config.databaseUrl !== null && (await ask(config.databaseUrl).catch(() => false));
  const leaving = createLeaving({
    opening,
    countAgents: () => countAgents(config.dataDir),
    stopAgents: () => stopAllAgents(config.dataDir),
    hasFollower: () => ofOthers(isFollowed),
    hasSuccessor: () => ofOthers(isLeaseHeld),
    clock,
    say: console.log,
    log,
    exit: (code) => process.exit(code),
  });
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => leaving.signal(name));
  return leaving;
}

function refuse(sentences: readonly string[]): void {
  for (const sentence of sentences) console.error(sentence);
  process.exit(START_REFUSED_EXIT_CODE);
}

/** Out at once, so that the parent starts us again from rows (P18). */
function crash(log: Log, why: string): never {
  log.error(`The server cannot go on: ${why}`);
  process.exit(CRASH_EXIT_CODE);
}

function guardProcess(log: Log): void {
  // A terminal that was closed is no reason to end.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  process.on("unhandledRejection", (error) => log.bug("a promise failed that nobody waited for", error));
  process.on("uncaughtException", (error) => {
    log.bug("an error that nobody caught", error);
    process.exit(CRASH_EXIT_CODE);
  });
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync("package.json", "utf8"));
  return (manifest as { version: string }).version;
}
