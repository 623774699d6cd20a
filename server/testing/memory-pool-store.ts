/**
 * The pool's rows in memory: does in JavaScript what the one statement does in SQL, the conditions included. For tests and laws;
 * the suites of the pool prove that the pool cannot tell it from the real thing.
 */

import type { SlotTime } from "../core/pool/durations";
import type { NewSession } from "../core/pool/events";
import type { Caps } from "../core/pool/rows";
import { compareInLine, type LiveRow, type PoolRows, type PoolWrites, type UserRow } from "../core/pool/rows";
import type { Epoch, Millis, SessionId, TaskId, UserId } from "../core/words";
import type { PoolLink } from "../ports/pool-link";
import {
  CommitRefused,
  type Committed,
  type Inserted,
  type LeaseStore,
  type LeaseTaken,
  type PoolStore,
} from "../ports/pool-store";
import { type MemoryRow, memoryPoolLink } from "./memory-pool-link";

export interface MemoryDatabase {
  readonly store: PoolStore;
  readonly lease: LeaseStore;
  readonly link: PoolLink;
  /** The rows themselves, for a test to look at. */
  readonly rows: ReadonlyMap<SessionId, MemoryRow>;
  /** Called after every commit that changed something, with all rows. */
  onCommit: () => void;
  /** Tasks that the database does not know: inserting a session for one is refused. */
  readonly unknownTasks: Set<TaskId>;
}

export function memoryDatabase(clock: { now(): number }): MemoryDatabase {
  const rows = new Map<SessionId, MemoryRow>();
  const users = new Map<UserId, UserRow>();
  const unknownTasks = new Set<TaskId>();
  const lease = { holder: "", epoch: 0, expiresAt: 0 };
  let caps: Caps | null = null;
  let lastSeq = 0;

  const live = () => Array.from(rows.values()).filter((row) => row.status === "queued" || row.status === "running");
  const liveOfTask = (taskId: TaskId) => live().find((row) => row.live.taskId === taskId);

  function insert(row: LiveRow, takenIn: boolean): number | null {
    if (rows.has(row.id) || liveOfTask(row.taskId)) return null;
    lastSeq += 1;
    const stored = { ...row, seq: lastSeq };
    const rest = { ended: null, cancelledBy: null, lastAction: null, takenIn };
    rows.set(row.id, { live: stored, status: row.status, ...rest });
    return lastSeq;
  }

  function refuseUnknown(taskIds: readonly TaskId[]): void {
    const unknown = taskIds.find((taskId) => unknownTasks.has(taskId));
    if (unknown !== undefined) throw new CommitRefused(`there is no task ${unknown}`, false);
  }

  function apply(writes: PoolWrites): Committed {
    refuseUnknown(writes.inserts.map(({ row }) => row.taskId));
    const ended = new Set<SessionId>();
    const changed = new Set<SessionId>();
    const inserted = new Map<SessionId, number>();
    // All conditions are looked at on the rows of before: parts of one statement do not see each other.
    const isAsBefore = (id: SessionId, from: string, attempt: number) => {
      const row = rows.get(id);
      return row !== undefined && row.status === from && row.live.attempt === attempt;
    };
    const ends = writes.ends.filter((end) => isAsBefore(end.sessionId, end.from, end.attempt));
    const changes = writes.changes.filter((change) => isAsBefore(change.row.id, change.from, change.fromAttempt));
    for (const { row } of writes.inserts) {
      const seq = insert(row, true);
      if (seq !== null) inserted.set(row.id, seq);
    }
    for (const end of ends) {
      const row = rows.get(end.sessionId);
      if (!row) continue;
      const before = row.live.status === "running" ? row.live.cancelledBy : null;
      Object.assign(row, { status: end.ended.status, ended: end.ended, cancelledBy: end.cancelledBy ?? before });
      ended.add(end.sessionId);
    }
    for (const change of changes) {
      const row = rows.get(change.row.id);
      if (!row) continue;
      const { status } = change.row;
      Object.assign(row, { live: { ...change.row }, status, takenIn: true });
      row.lastAction = change.lastAction ?? row.lastAction;
      changed.add(change.row.id);
    }
    for (const user of writes.users) users.set(user.userId, user);
    caps = writes.caps ?? caps;
    return { kind: "done", ended, changed, inserted };
  }

  function rowsOf(isWanted: (userId: UserId) => boolean): PoolRows {
    if (!caps) throw new Error("the pool has no settings yet");
    const wanted = live().filter((row) => isWanted(row.live.userId));
    return {
      caps,
      users: Array.from(users.values()).filter((user) => isWanted(user.userId)),
      live: wanted.map((row) => ({ ...row.live })),
      newcomers: wanted.filter((row) => !row.takenIn).map((row) => row.live.id),
    };
  }

  const store: PoolStore = {
    async ensureSettings(first) {
      caps ??= first;
    },
    async load() {
      return rowsOf(() => true);
    },
    async loadUsers(userIds, taskIds) {
      const owners = taskIds.flatMap((taskId) => liveOfTask(taskId)?.live.userId ?? []);
      const all = new Set([...userIds, ...owners]);
      return { rows: rowsOf((userId) => all.has(userId)), userIds: all };
    },
    async commit(epoch, writes, beside) {
      if (lease.epoch !== epoch) return { kind: "fenced" };
      const committed = apply(structuredClone(writes));
      if (beside) link.tell(epoch, beside);
      database.onCommit();
      return committed;
    },
    async insertQueued(sessionId: SessionId, session: NewSession, at: Millis): Promise<Inserted> {
      refuseUnknown([session.taskId]);
      const { taskId, projectId, userId, agentId, hold } = session;
      const facts = {
        id: sessionId,
        taskId,
        projectId,
        userId,
        agentId,
        attempt: 1,
        seq: 0,
        place: null,
        queuedAt: at,
      };
      insert({ ...facts, status: "queued", hold: hold ?? null }, false);
      const row = liveOfTask(taskId);
      if (!row) throw new Error("the session ended while it was being read");
      const position =
        row.status === "running"
          ? 0
          : positionOf(
              row.live,
              live().map((other) => other.live),
            );
      return { sessionId: row.live.id, existing: row.live.id !== sessionId, position };
    },
    async recentEndings({ since, limit }) {
      const endings = Array.from(rows.values(), endingOf).filter((ending) => ending !== null);
      const recent = endings.filter(({ endedAt }) => endedAt > since).sort((a, b) => b.endedAt - a.endedAt);
      return recent.slice(0, limit);
    },
    async close() {},
  };

  const leaseStore: LeaseStore = {
    async take(holder: string, ttlMs: number, deadHolder: string | null): Promise<LeaseTaken> {
      const isFree = lease.expiresAt < clock.now() || lease.holder === holder || lease.holder === deadHolder;
      if (!isFree) return { kind: "held", holder: lease.holder, expiresInMs: lease.expiresAt - clock.now() };
      Object.assign(lease, { holder, epoch: lease.epoch + 1, expiresAt: clock.now() + ttlMs });
      return { kind: "taken", epoch: lease.epoch };
    },
    async renew(holder: string, epoch: Epoch, ttlMs: number) {
      const isOurs = lease.holder === holder && lease.epoch === epoch;
      if (isOurs) lease.expiresAt = clock.now() + ttlMs;
      return isOurs;
    },
    async giveUp(holder, epoch) {
      if (lease.holder !== holder || lease.epoch !== epoch) return;
      lease.expiresAt = 0;
      link.say("resigned");
    },
    async close() {},
  };

  const link = memoryPoolLink({ rows, users, now: clock.now, epoch: () => lease.epoch, caps: () => caps });
  const database: MemoryDatabase = { store, lease: leaseStore, link, rows, unknownTasks, onCommit: () => {} };
  return database;
}

function endingOf({ live, ended }: MemoryRow): SlotTime | null {
  if (ended === null || live.status !== "running") return null;
  const { id: sessionId, projectId, agentId, startedAt } = live;
  return { sessionId, projectId, agentId, startedAt, endedAt: ended.endedAt };
}

function positionOf(row: LiveRow, live: readonly LiveRow[]): number | null {
  if (row.status !== "queued" || row.hold) return null;
  const isInLine = (other: LiveRow) => other.status === "queued" && !other.hold && other.userId === row.userId;
  return live.filter((other) => isInLine(other) && compareInLine(other, row) <= 0).length;
}
