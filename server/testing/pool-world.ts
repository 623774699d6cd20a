/**
 * What a test of the whole pool needs: people, tasks and rows in a database (memory or PostgreSQL), and servers that share it.
 * Caps are watched in the committed rows, not in what the pool says about itself.
 */
import { randomUUID } from "node:crypto";
import type { FailureKind, SessionId, SessionStatus, TaskId, UserId } from "../core/words";
import type { NewSession } from "../engine/pool";
import type { PoolOptions, RunningPool } from "../engine/pool/pool-options";
import { createPool } from "../engine/pool/runner-pool";
import type { PoolLink } from "../ports/pool-link";
import type { LeaseStore, PoolStore } from "../ports/pool-store";
import { FaultyPoolStore, faultyPoolLink } from "./faulty-pool-store";
import { ScriptedWaiter } from "./scripted-waiter";

export interface StoredSession {
  readonly id: SessionId;
  readonly seq: number;
  readonly place: number | null;
  readonly taskId: TaskId;
  readonly userId: UserId;
  readonly status: SessionStatus;
  readonly phase: string | null;
  readonly attempt: number;
  readonly grantSeq: number | null;
  readonly seat: number | null;
  readonly startedAt: number | null;
  readonly cancelledBy: UserId | null;
  readonly exitCode: number | null;
  readonly failureKind: FailureKind | null;
  readonly failureDetail: string | null;
}

export interface PoolDatabase {
  /** New connections for one more server. */
  connect(): { store: PoolStore; lease: LeaseStore; link: PoolLink };
  addPeople(userIds: readonly UserId[]): Promise<void>;
  addTasks(taskIds: readonly TaskId[]): Promise<void>;
  /** From now on inserting a session of this task is refused. */
  loseTask(taskId: TaskId): Promise<void>;
  sessions(): Promise<StoredSession[]>;
  /** From now on every commit is looked at: answers how often more ran than these caps allow. */
  watchCaps(caps: { globalMax: number; perUserMax: number }): Promise<() => Promise<number>>;
  close(): Promise<void>;
}

export interface Server {
  readonly pool: RunningPool;
  readonly waiter: ScriptedWaiter;
  readonly store: FaultyPoolStore;
  readonly link: PoolLink;
  readonly fatal: string[];
  readonly warnings: string[];
  /** As `kill -9`: nothing more of it reaches the database, and its death can be proved. */
  kill(): void;
}

export class PoolWorld {
  readonly database: PoolDatabase;
  readonly #servers: Server[] = [];
  readonly #dead = new Set<string>();
  #tasks = 0;

  constructor(database: PoolDatabase) {
    this.database = database;
  }

  /** A server on this database, started; grants are given once `pool.ready()` resolves. */
  serve(options: Partial<PoolOptions> & { before?: (waiter: ScriptedWaiter) => void } = {}): Server {
    const { store: real, lease, link: realLink } = this.database.connect();
    const store = new FaultyPoolStore(real);
    const link = faultyPoolLink(realLink, () => store.isAway);
    const holder = randomUUID();
    const fatal: string[] = [];
    const warnings: string[] = [];
    const waiter: ScriptedWaiter = new ScriptedWaiter(() => pool);
    options.before?.(waiter);
    const pool = createPool({
      store,
      lease,
      link,
      waiter,
      clock: { now: () => Date.now(), monotonic: () => performance.now() },
      log: { info: () => {}, warn: (message) => warnings.push(message), error: (message) => warnings.push(message) },
      firstCaps: { globalMax: 20, perUserMax: 2, paused: false },
      onFatal: (reason) => fatal.push(reason),
      testHooks: true,
      holder,
      isProvablyDead: (other) => this.#dead.has(other),
      ...options,
    });
    const kill = () => {
      store.isAway = true;
      this.#dead.add(holder);
      // A dead process holds no connections: the next lives of a long run need them.
      const left = pool.stop().catch(() => {});
      void left.then(() => Promise.all([store.close(), lease.close(), link.close()]));
    };
    const server = { pool, waiter, store, link, fatal, warnings, kill };
    this.#servers.push(server);
    pool.start();
    return server;
  }

  async ready(options: Parameters<PoolWorld["serve"]>[0] = {}): Promise<Server> {
    const server = this.serve(options);
    await server.pool.ready();
    return server;
  }

  async people(count: number): Promise<UserId[]> {
    const userIds = Array.from({ length: count }, (_, i) => `user-${i + 1}`);
    await this.database.addPeople(userIds);
    return userIds;
  }

  async tasks(count: number): Promise<TaskId[]> {
    const taskIds = Array.from({ length: count }, () => {
      this.#tasks += 1;
      return `task-${this.#tasks}`;
    });
    await this.database.addTasks(taskIds);
    return taskIds;
  }

  async session(userId: UserId, rest: Partial<NewSession> = {}): Promise<NewSession> {
    const [taskId = ""] = rest.taskId === undefined ? await this.tasks(1) : [rest.taskId];
    return sessionOf(userId, taskId, rest);
  }

  /** Dispatches `count` tasks of one user, one after the other, and answers the ids in that order. */
  async dispatch(pool: RunningPool, userId: UserId, count: number): Promise<SessionId[]> {
    const ids: SessionId[] = [];
    for (const taskId of await this.tasks(count)) ids.push((await pool.enqueue(sessionOf(userId, taskId))).sessionId);
    return ids;
  }

  async stored(sessionId: SessionId): Promise<StoredSession | undefined> {
    return (await this.database.sessions()).find((session) => session.id === sessionId);
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(({ pool }) => pool.stop()));
    await Promise.all(this.#servers.flatMap(({ store, link }) => [store.close(), link.close()]));
    await this.database.close();
  }
}

export function sessionOf(userId: UserId, taskId: TaskId, rest: Partial<NewSession> = {}): NewSession {
  return { taskId, projectId: "project-1", userId, agentId: "agent-1", mode: "work", message: null, ...rest };
}

/** The sessions of somebody's line that wait, in order. */
export function waitingIn(pool: Pick<RunningPool, "snapshot">, userId: string): string[] {
  const line = pool.snapshot().line(userId);
  return line.filter(({ position }) => position !== 0).map(({ id }) => id);
}
