/** Stores, runner, workspace, pool and desks, made from each other in the one order that works, and left in reverse. */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config";
import { reasonOf } from "../core/text/reason";
import { isLive } from "../core/words";
import { freeBytesIn } from "../data-dir";
import { DEFAULT_GLOBAL_MAX, DEFAULT_PER_USER_MAX } from "../db/installation";
import { createLeaseStore } from "../db/lease-store";
import { createPoolLink } from "../db/pool-link";
import { createPoolStore } from "../db/pool-store";
import { createSeal } from "../db/sealed";
import { createBoardViews } from "../engine/desk/card-views";
import { startGitHubBeat } from "../engine/desk/github/github-beat";
import { startMoveBeat } from "../engine/desk/review/move-beat";
import { startPoolHistory } from "../engine/pool/beside/history";
import { createPool } from "../engine/pool/runner-pool";
import { DISK_LEAST_BYTES, watchDisk } from "../engine/session/disk-watch";
import { startHolds } from "../engine/session/holds";
import { startReconciler } from "../engine/session/reconciler";
import { startRetention } from "../engine/session/retention";
import { startRightSweep } from "../engine/session/right-sweep";
import { createSessionSupervisor } from "../engine/session/session-supervisor";
import type { Log } from "../log";
import type { Clock } from "../ports/clock";
import type { Feed } from "../ports/feed";
import type { SessionPlaces } from "../ports/views";
import { createMachine } from "../runner/process/machine";
import { createProcessRunner } from "../runner/process/process-runner";
import { createPrograms } from "../runner/programs";
import { createWorkspace } from "../workspace/workspace";
import type { OpenDatabase } from "./database";
import { createDesks } from "./desks";
import { openStores, type Stores } from "./stores";

/** Built by `scripts/build.mjs`; the server is always started at the root of the checkout. */
const HOST_BUNDLE = path.join(process.cwd(), "dist", "host.mjs");

/** How long a leave waits for a commit under way that may grant something, ms. */
const LAST_GRANTS_MS = 500;

export interface EngineParts {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly feed: Feed;
  readonly onFatal: (reason: string) => void;
}

type RunningPool = ReturnType<typeof createPool>;

export type Engine = ReturnType<typeof startEngine>;

export function startEngine(parts: EngineParts) {
  const { config, database, clock, log } = parts;
  const runner = createProcessRunner({ dataDir: config.dataDir, hostBundle: HOST_BUNDLE });
  const workspace = createWorkspace({
    dataDir: config.dataDir,
    seal: createSeal(database.secret),
    log: (line) => log.info(line),
  });
  void workspace
    .open()
    .catch((error: unknown) => log.warn(`the workspace could not be opened yet: ${reasonOf(error)}`));
  const stores = openStores(database, workspace);
  const { record } = stores;
  const programs = createPrograms(process.env);
  const machine = createMachine(process.env);
  const answerWithinMs = async () => (await stores.settings.read()).answerWithinMs;
  const supervisor = createSessionSupervisor({
    pool: () => pool,
    holds: () => holds,
    runner,
    workspace,
    record,
    machine,
    programs,
    clock,
    log,
    answerWithinMs,
    timeZone: config.timezone,
    mayDrive: () => pool.mayDrive(),
  });
  const poolStore = createPoolStore(database.url);
  const lease = createLeaseStore(database.url);
  const link = createPoolLink(database.url, database.gossip);
  const pool: RunningPool = createPool({
    store: poolStore,
    lease,
    link,
    waiter: supervisor,
    clock,
    log,
    firstCaps: {
      globalMax: config.globalMax ?? DEFAULT_GLOBAL_MAX,
      perUserMax: config.perUserMax ?? DEFAULT_PER_USER_MAX,
      paused: false,
    },
    onFatal: parts.onFatal,
    testHooks: config.test.hooks,
  });
  const counting = startPoolHistory({ pool, store: stores.history, clock, log, source: randomUUID() });
  const diskWatch = watchDisk({
    freeBytes: () => freeBytesIn(config.dataDir),
    leastBytes: config.test.diskLeastBytes ?? DISK_LEAST_BYTES,
    pool,
    log,
  });
  const holds = startHolds({ store: stores.holds, pool: () => pool, clock, log });
  pool.start();
  const reconciler = startReconciler({ runner, record, log });
  const rightSweep = startRightSweep({ sessions: stores.sessions, pool, log });
  const retention = startRetention({
    store: stores.retention,
    history: stores.history,
    settings: stores.settings,
    runner,
    workspace,
    clock,
    log,
  });
  const desks = createDesks(parts, stores, { pool, runner, workspace, holds, machine, programs });
  const gitHubBeat = startGitHubBeat({ ...stores, desks, pool, clock, log });
  const moveBeat = startMoveBeat({ workspace, pool, log });
  let stoodDown: Promise<void> | null = null;
  /** Nothing is started any more; what was being started is handed back. From then on the hosts that run are all there are. */
  const standDown = () => {
    stoodDown ??= Promise.race([pool.stopGranting(), sleep(LAST_GRANTS_MS, undefined, { ref: false })]).then(() =>
      supervisor.detach(),
    );
    return stoodDown;
  };
  return {
    ...stores,
    runner,
    pool,
    places: placesOf(stores.sessions),
    views: createBoardViews({ pool, tasks: stores.tasks }),
    desks,
    standDown,
    /** Calls that wait for another machine are answered now. */
    endErrands: workspace.endErrands,
    /** Agents go on (R5). */
    async leave() {
      diskWatch.stop();
      machine.stop();
      holds.stop();
      gitHubBeat.stop();
      moveBeat.stop();
      rightSweep.stop();
      await retention.stop();
      await reconciler.stop();
      await standDown();
      await pool.stop();
      await counting.stop();
      await Promise.all([poolStore.close(), lease.close(), link.close()]);
    },
  };
}

function placesOf(sessions: Stores["sessions"]): SessionPlaces {
  return {
    async placeOf(sessionId) {
      const row = await sessions.session(sessionId);
      if (row === null) return null;
      const { projectId, attempt, status } = row;
      return { projectId, run: { sessionId, attempt }, isOver: !isLive(status) };
    },
  };
}
