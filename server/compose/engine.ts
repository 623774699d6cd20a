/** Stores, runner, workspace, pool and desks, made from each other in the one order that works, and left in reverse. */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config";
import { PROMPT_PREVIEW_CHARS } from "../contract/tasks";
import { type AttemptRef, isLive, type ProjectId } from "../core/words";
import { freeBytesIn } from "../data-dir";
import { createAgentStore } from "../db/agent-store";
import { createDispatchKeyStore } from "../db/dispatch-key-store";
import { createHoldStore } from "../db/hold-store";
import { DEFAULT_GLOBAL_MAX, DEFAULT_PER_USER_MAX } from "../db/installation";
import { createLeaseStore } from "../db/lease-store";
import { createPeopleStore } from "../db/people-store";
import { createPoolHistoryStore } from "../db/pool-history-store";
import { createPoolLink } from "../db/pool-link";
import { createPoolStore } from "../db/pool-store";
import { createAccess, createProjectStore } from "../db/project-store";
import { createRetentionStore } from "../db/retention-store";
import { createSeal } from "../db/sealed";
import { createSessionRecordStore } from "../db/session-record-store";
import { createSessionStore } from "../db/session-store";
import { createSettingsStore } from "../db/settings-store";
import { createTaskStore } from "../db/task-store";
import { createUsageStore } from "../db/usage-store";
import { createVariableStore } from "../db/variable-store";
import { createAgentDesk } from "../engine/desk/agent-desk";
import { createBoardViews } from "../engine/desk/card-views";
import { createHoldDesk } from "../engine/desk/hold-desk";
import { createPeopleDesk } from "../engine/desk/people-desk";
import { createProjectDesk } from "../engine/desk/project-desk";
import { createRunningDesk } from "../engine/desk/running-desk";
import { createSessionDesk } from "../engine/desk/session-desk";
import { createSettingsDesk } from "../engine/desk/settings-desk";
import { createTaskDesk } from "../engine/desk/task-desk";
import { createTranscriptDesk } from "../engine/desk/transcript-desk";
import { createUsageDesk } from "../engine/desk/usage-desk";
import { createVariableDesk } from "../engine/desk/variable-desk";
import { startPoolHistory } from "../engine/pool/beside/history";
import { createPool } from "../engine/pool/runner-pool";
import { DISK_LEAST_BYTES, watchDisk } from "../engine/session/disk-watch";
import { type Holds, startHolds } from "../engine/session/holds";
import { startReconciler } from "../engine/session/reconciler";
import { startRetention } from "../engine/session/retention";
import { startRightSweep } from "../engine/session/right-sweep";
import { createSessionSupervisor } from "../engine/session/session-supervisor";
import type { Log } from "../log";
import type { Programs } from "../ports/agent-store";
import type { Clock } from "../ports/clock";
import type { Feed } from "../ports/feed";
import type { Machine } from "../ports/runner";
import type { SessionPlaces } from "../ports/views";
import type { Workspace } from "../ports/workspace";
import { createMachine } from "../runner/process/machine";
import { createProcessRunner } from "../runner/process/process-runner";
import { createPrograms } from "../runner/programs";
import { createWorkspace } from "../workspace/workspace";
import type { OpenDatabase } from "./database";

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
  const stores = openStores(database, workspace);
  const { record } = stores;
  const programs = createPrograms(process.env);
  const machine = createMachine(process.env);
  const answerWithinMs = async () => (await stores.settings.read()).answerWithinMs;
  const supervisor = createSessionSupervisor({
    ...{
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
    },
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
    desks: createDesks(parts, stores, { pool, runner, workspace, holds, machine, programs }),
    standDown,
    /** Agents go on (R5). */
    async leave() {
      diskWatch.stop();
      holds.stop();
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

type Stores = ReturnType<typeof openStores>;

function openStores({ db, sql, secret }: OpenDatabase, workspace: Pick<Workspace, "loginSecrets">) {
  const variables = createVariableStore(sql, createSeal(secret));
  /** Agents do not get the login of their clone, but they may come upon it. */
  const open = async (projectId: ProjectId) => {
    const [opened, login] = await Promise.all([variables.open(projectId), workspace.loginSecrets(projectId)]);
    return { ...opened, secrets: [...opened.secrets, ...login] };
  };
  return {
    access: createAccess(db),
    agents: createAgentStore(db),
    history: createPoolHistoryStore(sql),
    holds: createHoldStore(sql),
    keys: createDispatchKeyStore(db),
    people: createPeopleStore(db),
    projects: createProjectStore(db),
    record: createSessionRecordStore(sql, { open }),
    retention: createRetentionStore(sql),
    sessions: createSessionStore(db),
    settings: createSettingsStore(db),
    tasks: createTaskStore(db),
    usage: createUsageStore(sql),
    variables,
  };
}

function createDesks(
  { clock, log, feed, config }: EngineParts,
  stores: Stores,
  machines: {
    readonly pool: RunningPool;
    readonly runner: ReturnType<typeof createProcessRunner>;
    readonly workspace: ReturnType<typeof createWorkspace>;
    readonly holds: Holds;
    readonly machine: Machine;
    readonly programs: Programs;
  },
) {
  const common = { ...stores, ...machines, standings: stores.access, clock, log, feed, newId: randomUUID };
  // Whoever watches the session is told, on whatever server it is.
  const declareLost = (run: AttemptRef) =>
    void machines.pool
      .declareLost(run)
      .catch((error) => log.warn(`session ${run.sessionId} was not declared lost: ${error}`));
  const limits = config.test.relaxedLimits ? { dispatchesPerMinute: Number.POSITIVE_INFINITY } : {};
  const sessions = createSessionDesk({ ...common, ...limits });
  const agents = createAgentDesk(common);
  return {
    sessions,
    tasks: createTaskDesk({ ...common, dispatch: sessions.dispatch, promptPreviewChars: PROMPT_PREVIEW_CHARS }),
    projects: createProjectDesk(common),
    running: createRunningDesk({ ...common, supervisor: { declareLost } }),
    settings: createSettingsDesk(stores.settings),
    variables: createVariableDesk(common),
    agents,
    holds: createHoldDesk({ ...common, agentView: agents.view }),
    transcripts: createTranscriptDesk(common),
    machine: common.machine,
    people: createPeopleDesk({ ...common, timeZone: config.timezone }),
    usage: createUsageDesk({ ...common, timeZone: config.timezone }),
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
