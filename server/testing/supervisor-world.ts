/**
 * Everything around a supervisor, in memory: a pool that notes what it is told, one task per session, a workspace that
 * makes and saves nothing, and the fake runner. Limits are short, so that what waits seconds in the product is quick here.
 */
import type { LiveSession } from "../core/pool/picture";
import type { Ended } from "../core/session/lifecycle";
import type { AttemptRef, SessionPhase } from "../core/words";
import { PoolUnavailable, type Progress } from "../engine/pool";
import {
  createSessionSupervisor,
  type SessionSupervisor,
  type SupervisorLimits,
} from "../engine/session/session-supervisor";
import type { StoredHold } from "../ports/hold-store";
import type { SessionFacts } from "../ports/session-record";
import type { Refused, Saved, SaveRequest, Worktree, WorktreeRequest } from "../ports/workspace";
import { createFakeRunner, type FakeRunner } from "./fake-runner";

const SHORT: SupervisorLimits = {
  beatMs: 20,
  lookGapMs: 1,
  probeWithinMs: 100,
  lastActionEveryMs: 1,
  writesEveryMs: 60_000,
  forceAfterMs: 100,
  startsAtOnce: 4,
  startTooSlowMs: 5_000,
  claimWithinMs: 300,
  termGraceMs: 10_000,
  saveWithinMs: 200,
  detachWithinMs: 500,
};

const SAVED: Saved = {
  kind: "saved",
  headCommit: "head",
  files: 1,
  additions: 2,
  deletions: 3,
  leftOut: [],
  isWorktreeGone: false,
};

export interface SupervisorWorld {
  readonly supervisor: SessionSupervisor;
  readonly runner: FakeRunner;
  readonly told: { readonly run: AttemptRef; readonly progress: Progress }[];
  readonly released: { readonly run: AttemptRef; readonly ended: Ended }[];
  readonly requeued: AttemptRef[];
  readonly handedBack: AttemptRef[];
  readonly prepared: WorktreeRequest[];
  readonly saved: SaveRequest[];
  readonly held: StoredHold[];
  readonly facts: Map<string, SessionFacts>;
  readonly warnings: string[];
  /** While true, whatever goes to rows fails. */
  isDatabaseAway: boolean;
  answerWithinMs: number;
  requeueAnswer: "requeued" | "stale" | "tried-too-often";
  prepare(request: WorktreeRequest, signal?: AbortSignal): Promise<Worktree | Refused>;
  save(request: SaveRequest): Promise<Saved>;
  /** Attends a new session from its grant. */
  grant(change?: Partial<LiveSession>): Granted;
  adopt(run: AttemptRef, phase: SessionPhase): Promise<void>;
  /** Another server process on the same machine and rows. */
  restarted(): SupervisorWorld;
}

export interface Granted {
  readonly run: AttemptRef;
  readonly over: Promise<void>;
}

let sessions = 0;

export function supervisorWorld(limits: Partial<SupervisorLimits> = {}, before?: SupervisorWorld): SupervisorWorld {
  const runner = before?.runner ?? createFakeRunner();
  const inRows = async <T>(act: () => T): Promise<T> => {
    if (world.isDatabaseAway) throw new PoolUnavailable("The database is away.");
    return act();
  };
  const world: SupervisorWorld = {
    runner,
    facts: before?.facts ?? new Map(),
    told: [],
    released: [],
    requeued: [],
    handedBack: [],
    prepared: [],
    saved: [],
    held: [],
    warnings: [],
    isDatabaseAway: false,
    answerWithinMs: 60_000,
    requeueAnswer: "requeued",
    prepare: async () => ({ kind: "ok", path: "/worktree", branch: "camelot/1-task", baseCommit: "base" }),
    save: async () => SAVED,
    supervisor: createSessionSupervisor({
      pool: () => ({
        progress: (run, progress) => inRows(() => void world.told.push({ run, progress })),
        release: (run, ended) => inRows(() => void world.released.push({ run, ended })),
        requeue: (run) =>
          inRows(() => {
            if (world.requeueAnswer === "requeued") world.requeued.push(run);
            return world.requeueAnswer;
          }),
        handBack: (run) => inRows(() => void world.handedBack.push(run)),
        snapshot: () => ({ epoch: 1 }),
      }),
      runner,
      workspace: {
        prepare: (request, signal) => {
          world.prepared.push(request);
          return world.prepare(request, signal);
        },
        inspect: async () => ({ kind: "ok", root: "/repository", defaultBranch: "main" }) as never,
        save: (request) => {
          world.saved.push(request);
          return world.save(request);
        },
      },
      record: {
        read: (sessionId) => inRows(() => world.facts.get(sessionId) ?? null),
        storeWorktree: (taskId, { branch, path, baseCommit }) =>
          inRows(() => {
            for (const [id, facts] of world.facts) {
              if (facts.taskId === taskId) world.facts.set(id, { ...facts, branch, worktree: path, baseCommit });
            }
          }),
      },
      clock: { now: Date.now, monotonic: () => performance.now() },
      log: { warn: (line) => void world.warnings.push(line) },
      answerWithinMs: async () => world.answerWithinMs,
      machine: { variables: () => ({}) },
      programs: { isThere: async () => true, notExecutable: async () => null },
      holds: () => ({ put: async (hold) => void world.held.push(hold) }),
      timeZone: "UTC",
      limits: { ...SHORT, ...limits },
    }),
    grant(change = {}) {
      const session = sessionOf(`s${++sessions}`, change);
      world.facts.set(session.id, factsOf(session));
      const run = { sessionId: session.id, attempt: session.attempt };
      return { run, over: world.supervisor.attend(session, "granted") };
    },
    adopt: (run, phase) =>
      world.supervisor.attend(sessionOf(run.sessionId, { attempt: run.attempt, phase }), "adopted"),
    restarted: () => supervisorWorld(limits, world),
  };
  return world;
}

function sessionOf(id: string, change: Partial<LiveSession>): LiveSession {
  return {
    id,
    taskId: `task of ${id}`,
    projectId: "p1",
    userId: "u1",
    agentId: "a1",
    attempt: 1,
    status: "running",
    phase: "starting",
    position: 0,
    ahead: null,
    waitingFor: null,
    startsIn: null,
    seat: 0,
    queuedAt: 0,
    startedAt: 0,
    ...change,
  };
}

function factsOf({ id, taskId, projectId }: LiveSession): SessionFacts {
  return {
    sessionId: id,
    projectId,
    taskId,
    number: 1,
    title: "Task",
    prompt: "true",
    message: null,
    agent: { id: "a1", kind: "shell", name: "Shell", settings: {} },
    earlier: null,
    repository: "/repository",
    baseBranch: "main",
    branch: null,
    worktree: null,
    baseCommit: null,
    longestRunMs: 60_000,
    quietNoticeMs: 300_000,
    setupScript: null,
    variables: { environment: {}, secrets: [], lost: [] },
  };
}
