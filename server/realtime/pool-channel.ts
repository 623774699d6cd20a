/**
 * The pool told to sockets (L2, L4): a snapshot when one joins, then deltas. Sockets that may see the same projects form a
 * group; a delta is made and encoded once per group, so a thousand sockets cost little more than one. Every member of a
 * group has been told the same: the picture of the group's version.
 */
import { POOL_SESSIONS_MAX } from "../contract/common";
import type { PoolMessage } from "../contract/live";
import type { PoolSession } from "../contract/pool";
import type { PoolChange, PoolSnapshot } from "../core/pool/picture";
import type { ProjectId, SessionId, UserId } from "../core/words";
import { createPace } from "./pace";
import { PoolMirror, type SessionsChange, type SharedChange } from "./pool-mirror";
import type { LiveServer, LiveSocket } from "./wire";

/** Of the pool, what this channel needs. */
export interface PoolPictures {
  snapshot(): PoolSnapshot;
  subscribe(listener: (change: PoolChange) => void): () => void;
}

export interface PoolChannel {
  /** From now on the socket hears of the pool and of sessions in these projects; tells it the picture first. */
  join(socket: LiveSocket, projects: ReadonlySet<ProjectId>): void;
  /** The picture once more. */
  resync(socket: LiveSocket): void;
  leave(socket: LiveSocket): void;
  stop(): void;
}

/** At most ten messages a second and room (L2). */
const EVERY_MS = 100;
/** Places in the order of grants of sessions nothing else changed for are told at most this often (L2). */
const ORDER_EVERY_MS = 1_000;
/** A version in which nothing changed for a group is told this late at the latest (P13). */
const SAME_PICTURE_MS = 500;

interface Group {
  readonly key: string;
  readonly room: string;
  readonly projects: ReadonlySet<ProjectId>;
  readonly members: Set<string>;
  version: number;
  /** Which sessions its members were told of, while there are more than a picture holds; null: all of its projects. */
  shown: ReadonlySet<SessionId> | null;
  isTruncated: boolean;
}

export function createPoolChannel(io: LiveServer, pool: PoolPictures): PoolChannel {
  const mirror = new PoolMirror(pool.snapshot());
  const groups = new Map<string, Group>();
  const groupOf = new Map<string, Group>();
  let latest = mirror.snapshot;
  let touched: Set<UserId> | "all" = new Set();
  let nextRoom = 0;
  let orderRest: NodeJS.Timeout | null = null;
  let isOrderOld = false;

  function flush(): void {
    const from = mirror.head;
    const change = mirror.advance(latest, touched, orderRest === null);
    touched = new Set();
    isOrderOld = orderRest !== null && mirror.head.global.queued > 0;
    orderRest ??= setTimeout(orderRested, ORDER_EVERY_MS);
    const isAnotherTerm = mirror.head.epoch !== from.epoch || mirror.head.version < from.version;
    for (const group of groups.values()) {
      if (isAnotherTerm) startOver(group);
      else tell(group, change.shared, change.sessions);
    }
  }

  function orderRested(): void {
    orderRest = null;
    if (isOrderOld) pace.told();
  }

  function startOver(group: Group): void {
    group.version = mirror.head.version;
    reselect(group);
    io.to(group.room).emit("pool", snapshotFor(group));
  }

  function tell(group: Group, shared: SharedChange, sessions: SessionsChange): void {
    const own = ownChange(group, sessions);
    if (shared.isEmpty && own === null) return;
    io.to(group.room).emit("pool", delta(group, { ...shared.set, ...own?.set }, { ...shared.gone, ...own?.gone }));
  }

  function delta(group: Group, set: DeltaOf["set"], gone: DeltaOf["gone"]): PoolMessage {
    const { epoch, version, at } = mirror.head;
    const message: PoolMessage = { kind: "delta", epoch, from: group.version, to: version, at, set, gone };
    group.version = version;
    return message;
  }

  /** What changed among the sessions this group sees; null: nothing. */
  function ownChange(group: Group, { set, gone }: SessionsChange): Pick<DeltaOf, "set" | "gone"> | null {
    const wasShown = group.shown;
    const wasTruncated = group.isTruncated;
    reselect(group);
    const isShown = (id: SessionId, projectId: ProjectId) => group.shown?.has(id) ?? group.projects.has(projectId);
    const sessions: Record<SessionId, PoolSession> = {};
    for (const [id, view] of set) if (isShown(id, view.projectId)) sessions[id] = view;
    const left = Array.from(gone).flatMap(([id, projectId]) => (group.projects.has(projectId) ? [id] : []));
    if (wasShown !== null || group.shown !== null) {
      for (const [id, view] of visible(group))
        if (isShown(id, view.projectId) && wasShown?.has(id) === false) sessions[id] = view;
      for (const id of wasShown ?? []) if (group.shown?.has(id) === false) left.push(id);
    }
    const isSame = Object.keys(sessions).length === 0 && left.length === 0 && wasTruncated === group.isTruncated;
    if (isSame) return null;
    return {
      set: {
        ...(Object.keys(sessions).length > 0 ? { sessions } : {}),
        ...(wasTruncated === group.isTruncated ? {} : { truncated: group.isTruncated }),
      },
      gone: left.length > 0 ? { sessions: left } : {},
    };
  }

  /** Decides which sessions the group sees when there are too many: running ones, then as they lie. */
  function reselect(group: Group): void {
    let count = 0;
    for (const projectId of group.projects) count += mirror.ofProject(projectId).size;
    group.isTruncated = count > POOL_SESSIONS_MAX || !mirror.isWhole;
    if (count <= POOL_SESSIONS_MAX) {
      group.shown = null;
      return;
    }
    const running: SessionId[] = [];
    const queued: SessionId[] = [];
    for (const [id, view] of visible(group)) (view.status === "running" ? running : queued).push(id);
    group.shown = new Set([...running, ...queued].slice(0, POOL_SESSIONS_MAX));
  }

  function* visible(group: Group): Iterable<readonly [SessionId, PoolSession]> {
    for (const projectId of group.projects) yield* mirror.ofProject(projectId);
  }

  function snapshotFor(group: Group): PoolMessage {
    const sessions: Record<SessionId, PoolSession> = {};
    for (const [id, view] of visible(group)) if (group.shown?.has(id) ?? true) sessions[id] = view;
    const told = { limits: mirror.limits(), users: mirror.users(), held: mirror.held(), seats: mirror.seats() };
    const head = { ...mirror.head, version: group.version };
    return { kind: "snapshot", ...head, ...told, sessions, truncated: group.isTruncated };
  }

  function groupFor(projects: ReadonlySet<ProjectId>): Group {
    const key = JSON.stringify([...projects].sort());
    const known = groups.get(key);
    if (known) return known;
    nextRoom += 1;
    const group: Group = {
      key,
      room: `pool:${nextRoom}`,
      projects: new Set(projects),
      members: new Set(),
      version: mirror.head.version,
      shown: null,
      isTruncated: false,
    };
    reselect(group);
    groups.set(key, group);
    return group;
  }

  const pace = createPace(EVERY_MS, flush);
  const unsubscribe = pool.subscribe((change) => {
    latest = change.snapshot;
    if (change.touched === "all") touched = "all";
    else if (touched !== "all") for (const userId of change.touched) touched.add(userId);
    pace.told();
  });
  const samePicture = setInterval(() => {
    for (const group of groups.values()) {
      if (group.version !== mirror.head.version) io.to(group.room).emit("pool", delta(group, {}, {}));
    }
  }, SAME_PICTURE_MS);

  const channel: PoolChannel = {
    join(socket, projects) {
      channel.leave(socket);
      const group = groupFor(projects);
      group.members.add(socket.id);
      groupOf.set(socket.id, group);
      void socket.join(group.room);
      socket.emit("pool", snapshotFor(group));
    },
    resync(socket) {
      const group = groupOf.get(socket.id);
      if (group) socket.emit("pool", snapshotFor(group));
    },
    leave(socket) {
      const group = groupOf.get(socket.id);
      if (!group) return;
      groupOf.delete(socket.id);
      group.members.delete(socket.id);
      if (group.members.size === 0) groups.delete(group.key);
      void socket.leave(group.room);
    },
    stop() {
      pace.stop();
      if (orderRest) clearTimeout(orderRest);
      clearInterval(samePicture);
      unsubscribe();
    },
  };
  return channel;
}

type DeltaOf = Extract<PoolMessage, { kind: "delta" }>;
