/**
 * What sockets have been told about the pool, and what is new in it since. It is true for exactly one version: that of the
 * last `advance`, never of a snapshot that came later. Looks only at the users a change touched, and holds a bounded
 * number of sessions whatever the pool holds. Order not to break: seats are given up before they are taken.
 */

import type { PoolPicture, PoolSeat, PoolSession } from "../contract/pool";
import { type PoolHead, poolHead, poolSessionView, seatView } from "../contract/pool-view";
import type { LiveSession, PoolSnapshot } from "../core/pool/picture";
import type { ProjectId, SessionId, UserId } from "../core/words";
import { PeopleMirror, sameCounts, type Touched } from "./people-mirror";

/** Sessions held; running ones are held beyond it. */
const SESSIONS_MAX = 10_000;
/** Sessions whose place in the order of grants is told; further back it is not worked out. */
const ORDER_MAX = 2_000;
/** Sessions of one user that are looked at. */
const LINE_MAX = 2_000;

/** The whole or what changed of it, as everybody may see it. */
export interface SharedChange {
  readonly set: Partial<
    Pick<
      PoolPicture,
      "paused" | "isReady" | "isDiskShort" | "global" | "perUserMax" | "limits" | "users" | "held" | "seats"
    >
  >;
  readonly gone: { users?: string[]; held?: string[]; seats?: string[] };
  readonly isEmpty: boolean;
}

export interface SessionsChange {
  readonly set: ReadonlyMap<SessionId, PoolSession>;
  readonly gone: ReadonlyMap<SessionId, ProjectId>;
}

interface Held {
  readonly view: PoolSession;
  readonly text: string;
}

export class PoolMirror {
  snapshot: PoolSnapshot;
  readonly #sessions = new Map<SessionId, Held>();
  readonly #ofUser = new Map<UserId, Set<SessionId>>();
  readonly #ofProject = new Map<ProjectId, Map<SessionId, PoolSession>>();
  readonly #people = new PeopleMirror();
  readonly #seats = new Map<string, { sessionId: SessionId; seat: PoolSeat }>();
  #head: PoolHead;
  #limits: PoolPicture["limits"];

  constructor(snapshot: PoolSnapshot) {
    this.snapshot = snapshot;
    this.#head = poolHead(snapshot);
    this.#limits = Object.fromEntries(snapshot.limits);
    this.advance(snapshot, "all");
  }

  get head(): PoolHead {
    return this.#head;
  }

  /** False when the pool holds more than is held here. */
  get isWhole(): boolean {
    const { running, queued } = this.#head.global;
    return this.#sessions.size >= running + queued;
  }

  limits(): PoolPicture["limits"] {
    return this.#limits;
  }

  users(): PoolPicture["users"] {
    return this.#people.users();
  }

  held(): PoolPicture["held"] {
    return this.#people.held();
  }

  seats(): PoolPicture["seats"] {
    return Object.fromEntries(Array.from(this.#seats, ([chair, { seat }]) => [chair, seat]));
  }

  ofProject(id: ProjectId): ReadonlyMap<SessionId, PoolSession> {
    return this.#ofProject.get(id) ?? NONE;
  }

  /** `withOrder`: also the places in the order of grants of sessions nothing else changed for, which are many (L2). */
  advance(
    snapshot: PoolSnapshot,
    touched: Touched,
    withOrder = true,
  ): { shared: SharedChange; sessions: SessionsChange } {
    const before = this.#head;
    const areLimitsSame = this.snapshot.limits === snapshot.limits;
    this.snapshot = snapshot;
    this.#head = poolHead(snapshot);
    if (!areLimitsSame) this.#limits = Object.fromEntries(snapshot.limits);
    const people = this.#people.advance(snapshot, touched);
    const { sessions, seats } = this.#advanceSessions(touched, withOrder);
    const set: SharedChange["set"] = { ...people.set };
    if (before.paused !== this.#head.paused) set.paused = this.#head.paused;
    if (before.isReady !== this.#head.isReady) set.isReady = this.#head.isReady;
    if (before.isDiskShort !== this.#head.isDiskShort) set.isDiskShort = this.#head.isDiskShort;
    if (!sameCounts(before.global, this.#head.global)) set.global = this.#head.global;
    if (before.perUserMax !== this.#head.perUserMax) set.perUserMax = this.#head.perUserMax;
    if (!areLimitsSame) set.limits = this.#limits;
    if (Object.keys(seats.set).length > 0) set.seats = seats.set;
    const gone: SharedChange["gone"] = { ...people.gone };
    if (seats.gone.length > 0) gone.seats = seats.gone;
    const isEmpty = Object.keys(set).length === 0 && Object.keys(gone).length === 0;
    return { shared: { set, gone, isEmpty }, sessions };
  }

  #advanceSessions(touched: Touched, withOrder: boolean) {
    const seen = new Map<SessionId, LiveSession>();
    const before = new Set<SessionId>(touched === "all" ? this.#sessions.keys() : []);
    if (touched === "all") for (const session of this.snapshot.sessions(SESSIONS_MAX)) seen.set(session.id, session);
    else {
      for (const userId of touched) {
        for (const id of this.#ofUser.get(userId) ?? []) before.add(id);
        for (const session of this.snapshot.line(userId).slice(0, LINE_MAX)) seen.set(session.id, session);
      }
    }
    const gone = new Map<SessionId, ProjectId>();
    const freed = new Set<string>();
    for (const id of before) {
      if (!seen.has(id)) this.#forget(id, gone, freed);
    }
    const set = new Map<SessionId, PoolSession>();
    const seats: Record<string, PoolSeat> = {};
    for (const session of seen.values()) {
      const chair = this.#sessions.get(session.id)?.view.seat ?? null;
      if (chair !== null && chair !== session.seat) this.#free(String(chair), session.id, freed);
    }
    for (const session of seen.values()) {
      const isRoom = this.#sessions.size < SESSIONS_MAX || session.status === "running";
      if (isRoom || this.#sessions.has(session.id)) this.#remember(session, set);
      this.#sit(session, seats, freed);
    }
    if (withOrder && touched !== "all") this.#reorder(set);
    return {
      sessions: { set, gone },
      seats: { set: seats, gone: [...freed].filter((chair) => !this.#seats.has(chair)) },
    };
  }

  #reorder(set: Map<SessionId, PoolSession>): void {
    const first = this.snapshot.sessions(this.#head.global.running + ORDER_MAX);
    const ids = new Set(first.map(({ id }) => id));
    for (const session of first) this.#replace(session, set);
    const rest = new Set(this.snapshot.foreseen());
    for (const [id, { view }] of this.#sessions) if (view.ahead !== null || view.startsIn !== null) rest.add(id);
    for (const id of rest) {
      const session = ids.has(id) ? undefined : this.snapshot.session(id);
      if (session) this.#replace(session, set);
    }
  }

  #replace(session: LiveSession, set: Map<SessionId, PoolSession>): void {
    const held = this.#sessions.get(session.id)?.view;
    if (held === undefined) return;
    const { ahead, startsIn } = held;
    const isSame = startsIn?.p50 === session.startsIn?.p50 && startsIn?.p80 === session.startsIn?.p80;
    if (ahead !== session.ahead || !isSame) this.#remember(session, set);
  }

  #forget(id: SessionId, gone: Map<SessionId, ProjectId>, freed: Set<string>): void {
    const view = this.#sessions.get(id)?.view;
    if (view === undefined) return;
    gone.set(id, view.projectId);
    this.#sessions.delete(id);
    removeFrom(this.#ofUser, view.userId, id);
    removeFrom(this.#ofProject, view.projectId, id);
    if (view.seat !== null) this.#free(String(view.seat), id, freed);
  }

  #remember(session: LiveSession, set: Map<SessionId, PoolSession>): void {
    const view = poolSessionView(session);
    const text = JSON.stringify(view);
    if (this.#sessions.get(session.id)?.text === text) return;
    this.#sessions.set(session.id, { view, text });
    const ofUser = this.#ofUser.get(view.userId) ?? new Set();
    this.#ofUser.set(view.userId, ofUser.add(session.id));
    const ofProject = this.#ofProject.get(view.projectId) ?? new Map();
    this.#ofProject.set(view.projectId, ofProject.set(session.id, view));
    set.set(session.id, view);
  }

  #sit(session: LiveSession, set: Record<string, PoolSeat>, freed: Set<string>): void {
    const seat = seatView(session);
    if (seat === null) return;
    const chair = String(session.seat);
    const known = this.#seats.get(chair);
    freed.delete(chair);
    if (known?.sessionId === session.id && known.seat.isStarting === seat.isStarting) return;
    this.#seats.set(chair, { sessionId: session.id, seat });
    set[chair] = seat;
  }

  #free(chair: string, id: SessionId, freed: Set<string>): void {
    if (this.#seats.get(chair)?.sessionId !== id) return;
    this.#seats.delete(chair);
    freed.add(chair);
  }
}

const NONE: ReadonlyMap<SessionId, PoolSession> = new Map();

function removeFrom<Key>(
  index: Map<Key, { delete(id: SessionId): boolean; readonly size: number }>,
  key: Key,
  id: SessionId,
) {
  const entries = index.get(key);
  entries?.delete(id);
  if (entries?.size === 0) index.delete(key);
}
