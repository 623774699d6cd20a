/** What servers say to each other, in memory: the counterpart of `db/pool-link.ts` and `db/pool-news.ts`. */
import type { Caps, LiveRow, UserRow } from "../core/pool/rows";
import type { Ended } from "../core/session/lifecycle";
import type { Epoch, SessionId, SessionStatus, UserId } from "../core/words";
import type { Asked, Beside, GoneRow, News, PoolLink, PoolWord, Told, WishAnswer } from "../ports/pool-link";

const FOLLOWER_MS = 10_000;

export interface MemoryRow {
  live: LiveRow;
  status: SessionStatus;
  ended: Ended | null;
  cancelledBy: UserId | null;
  lastAction: string | null;
  /** False: inserted beside the writer, which has not read it yet. */
  takenIn: boolean;
}

export interface MemoryTables {
  readonly rows: ReadonlyMap<SessionId, MemoryRow>;
  readonly users: ReadonlyMap<UserId, UserRow>;
  readonly now: () => number;
  readonly epoch: () => Epoch;
  readonly caps: () => Caps | null;
}

export interface MemoryPoolLink extends PoolLink {
  /** The part of a commit that goes to others. */
  tell(epoch: Epoch, beside: Beside): void;
}

export function memoryPoolLink({ rows, users, now, epoch, caps }: MemoryTables): MemoryPoolLink {
  const listeners = new Set<(word: PoolWord) => void>();
  const asked = new Map<string, Asked>();
  const answered = new Map<string, WishAnswer>();
  const followers = new Map<string, number>();
  let changes: (Told & { readonly epoch: Epoch })[] = [];

  const say = (word: PoolWord) => {
    // Words come in a later turn, as over a network.
    setImmediate(() => {
      for (const listener of listeners) listener(word);
    });
  };
  const isLive = (row: MemoryRow) => row.status === "queued" || row.status === "running";

  function readChanges(since: { epoch: Epoch; version: number } | null): News {
    const told = changes.at(-1);
    const settings = caps();
    if (!told || told.epoch !== epoch() || !settings) return { kind: "untold" };
    if (since?.epoch === told.epoch && since.version === told.version) return { kind: "same" };
    const { version, at, isOpen, isDiskShort } = told;
    const common = { epoch: told.epoch, version, at, isOpen, isDiskShort };
    const unread = changes.filter((change) => change.epoch === since?.epoch && change.version > since.version);
    const isUnbroken = unread.every((change, i) => change.since === (unread[i - 1]?.version ?? since?.version));
    if (since?.epoch !== told.epoch || !isUnbroken) {
      const live = Array.from(rows.values(), (row) => row).filter((row) => isLive(row) && row.takenIn);
      const whole = { caps: settings, users: [...users.values()], live: live.map((row) => ({ ...row.live })) };
      return { kind: "whole", ...common, rows: whole };
    }
    const ids = new Set(unread.flatMap((change) => change.changes.sessions));
    const named = [...ids].flatMap((id) => rows.get(id) ?? []);
    const userIds = new Set(unread.flatMap((change) => change.changes.users));
    return {
      kind: "changes",
      ...common,
      caps: settings,
      live: named.filter(isLive).map((row): LiveRow => ({ ...row.live })),
      gone: named.filter((row) => !isLive(row)).map(goneRow),
      users: [...userIds].flatMap((userId) => users.get(userId) ?? []),
      moved: new Set(unread.flatMap((change) => change.changes.moved)),
      touched: unread.some((change) => change.changes.isAll)
        ? "all"
        : new Set(unread.flatMap((change) => change.changes.touched)),
    };
  }

  return {
    hear(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    say,
    tell(at, { takenIn, answers, told }) {
      for (const id of takenIn) {
        const row = rows.get(id);
        if (row) row.takenIn = true;
      }
      for (const { id, answer } of answers) answered.set(id, structuredClone(answer));
      if (told) changes = [...changes.slice(-100), structuredClone({ ...told, epoch: at })];
      say("told");
    },
    async look(holder) {
      const newcomers = Array.from(rows.values()).filter((row) => row.status === "queued" && !row.takenIn);
      const seen = [...followers].filter(([other, seenAt]) => other !== holder && seenAt > now() - FOLLOWER_MS);
      return {
        newcomers: newcomers.map((row) => ({ ...row.live })),
        asked: [...asked.values()].filter(({ id }) => !answered.has(id)),
        isFollowed: seen.length > 0,
      };
    },
    async answer(id, answer) {
      answered.set(id, answer);
      say("told");
    },
    async clear() {},
    async ask(one) {
      asked.set(one.id, structuredClone(one));
      say("asked");
    },
    async answers(ids) {
      return new Map(
        ids.flatMap((id) => {
          const answer = answered.get(id);
          return answer ? [[id, answer] as const] : [];
        }),
      );
    },
    async follow(holder) {
      followers.set(holder, now());
    },
    async unfollow(holder) {
      followers.delete(holder);
    },
    news: async (since) => readChanges(since),
    async close() {},
  };
}

function goneRow({ live, status, ended }: MemoryRow): GoneRow {
  const { id, taskId, projectId, userId, agentId } = live;
  const startedAt = live.status === "running" ? live.startedAt : null;
  const over = status === "queued" || status === "running" ? "cancelled" : status;
  return { id, taskId, projectId, userId, agentId, status: over, startedAt, endedAt: ended?.endedAt ?? 0 };
}
