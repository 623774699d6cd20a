/** The pool's database in memory, as the suites of the pool want it. */
import type { UserId } from "../core/words";
import type { MemoryRow } from "./memory-pool-link";
import { memoryDatabase } from "./memory-pool-store";
import type { PoolDatabase, StoredSession } from "./pool-world";

export function memoryPoolDatabase(): PoolDatabase {
  const memory = memoryDatabase({ now: () => Date.now() });
  return {
    connect: () => ({ store: memory.store, lease: memory.lease, link: memory.link }),
    addPeople: async () => {},
    addTasks: async () => {},
    loseTask: async (taskId) => {
      memory.unknownTasks.add(taskId);
    },
    sessions: async () => Array.from(memory.rows.values(), storedSession),
    watchCaps: async (caps) => {
      let violations = 0;
      memory.onCommit = () => {
        const running = Array.from(memory.rows.values()).filter((row) => row.status === "running");
        const ofUser = new Map<UserId, number>();
        for (const { live } of running) ofUser.set(live.userId, (ofUser.get(live.userId) ?? 0) + 1);
        if (running.length > caps.globalMax) violations += 1;
        for (const count of ofUser.values()) if (count > caps.perUserMax) violations += 1;
      };
      return async () => violations;
    },
    close: async () => {},
  };
}

function storedSession({ live, status, ended, cancelledBy }: MemoryRow): StoredSession {
  const running = live.status === "running" ? live : null;
  const isOver = ended !== null;
  return {
    id: live.id,
    seq: live.seq,
    place: live.place,
    taskId: live.taskId,
    userId: live.userId,
    status,
    attempt: live.attempt,
    phase: isOver ? null : (running?.phase ?? null),
    grantSeq: running?.grantSeq ?? null,
    seat: isOver ? null : (running?.seat ?? null),
    startedAt: running?.startedAt ?? null,
    cancelledBy: cancelledBy ?? running?.cancelledBy ?? null,
    exitCode: ended?.exitCode ?? null,
    failureKind: ended?.failure?.kind ?? null,
    failureDetail: ended?.failure?.detail ?? null,
  };
}
