/**
 * The pool again, as simple and slow as can be: plain lists, everything looked for anew. The laws compare the real index with
 * it, so it shares no code with it. It knows nothing of commits and memory: what it says is what the rows should say.
 */
import type { Order } from "../core/pool/events";
import type { SessionId, UserId } from "../core/words";

export interface ModelSession {
  readonly id: SessionId;
  readonly taskId: string;
  readonly userId: UserId;
  status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
  attempt: number;
  number: number;
  isHeld: boolean;
  isCancelled: boolean;
  phase: string | null;
  seat: number | null;
  grant: number;
}

const KINDS = "take-in release requeue hand-back progress cancel hold reorder set-caps set-user-cap enqueue open".split(
  " ",
);

export class PoolModel {
  sessions: ModelSession[] = [];
  caps = { globalMax: 20, perUserMax: 2, paused: false };
  isDiskShort = false;
  userCaps = new Map<UserId, number>();
  lastGrants = new Map<UserId, number>();
  grants = 0;
  #numbers = 0;

  /** A batch: the orders kind by kind, then every grant there is room for. */
  apply(orders: readonly Order[]): void {
    const endedTasks = new Set<string>();
    for (const kind of KINDS) {
      for (const order of orders) if (order.kind === kind) this.#one(order, endedTasks);
    }
    while (this.#grantOne());
  }

  find(id: SessionId): ModelSession | undefined {
    return this.sessions.find((session) => session.id === id);
  }

  line(userId: UserId): ModelSession[] {
    return this.#queued(userId).filter((session) => !session.isHeld);
  }

  live(): ModelSession[] {
    return this.sessions.filter((session) => session.status === "queued" || session.status === "running");
  }

  cap(userId: UserId): number {
    return this.userCaps.get(userId) ?? this.caps.perUserMax;
  }

  running(userId?: UserId): ModelSession[] {
    return this.sessions.filter((s) => s.status === "running" && (userId === undefined || s.userId === userId));
  }

  /** The session that goes next, were the global cap no matter; undefined when nobody is eligible. */
  next(): ModelSession | undefined {
    const users = [...new Set(this.sessions.map((session) => session.userId))];
    const heads = users.flatMap((userId) => {
      const isEligible = this.running(userId).length < this.cap(userId);
      return isEligible ? this.line(userId).slice(0, 1) : [];
    });
    return heads.sort((a, b) => this.#goesBefore(a, b))[0];
  }

  #goesBefore(a: ModelSession, b: ModelSession): number {
    // running ÷ cap, compared without dividing.
    const share =
      this.running(a.userId).length * this.cap(b.userId) - this.running(b.userId).length * this.cap(a.userId);
    const since = (this.lastGrants.get(a.userId) ?? 0) - (this.lastGrants.get(b.userId) ?? 0);
    return share || since || a.number - b.number;
  }

  #grantOne(): boolean {
    const next = this.next();
    if (!next || this.isDiskShort || this.caps.paused || this.running().length >= this.caps.globalMax) return false;
    const taken = this.running().map((session) => session.seat);
    let seat = 0;
    while (taken.includes(seat)) seat += 1;
    this.grants += 1;
    this.lastGrants.set(next.userId, this.grants);
    Object.assign(next, { status: "running", phase: "starting", seat, grant: this.grants });
    return true;
  }

  #queued(userId: UserId): ModelSession[] {
    const queued = this.sessions.filter((session) => session.userId === userId && session.status === "queued");
    return queued.sort((a, b) => a.number - b.number);
  }

  #held(run: { sessionId: SessionId; attempt: number }): ModelSession | undefined {
    const session = this.find(run.sessionId);
    return session?.status === "running" && session.attempt === run.attempt ? session : undefined;
  }

  #end(session: ModelSession, status: ModelSession["status"], endedTasks: Set<string>): void {
    Object.assign(session, { status: session.isCancelled ? "cancelled" : status, seat: null, phase: null });
    endedTasks.add(session.taskId);
  }

  #one(order: Order, endedTasks: Set<string>): void {
    switch (order.kind) {
      case "take-in": {
        const { id, taskId, userId } = order.row;
        this.#numbers += 1;
        const waits = { status: "queued", isHeld: false, isCancelled: false, phase: null, seat: null } as const;
        this.sessions.push({ id, taskId, userId, attempt: 1, number: this.#numbers, grant: 0, ...waits });
        return;
      }
      case "enqueue": {
        const { taskId, userId, hold } = order.session;
        if (endedTasks.has(taskId) || this.live().some((session) => session.taskId === taskId)) return;
        this.#numbers += 1;
        const facts = { id: order.sessionId, taskId, userId, attempt: 1, number: this.#numbers, grant: 0 };
        const waits = { status: "queued", isHeld: Boolean(hold), isCancelled: false, phase: null, seat: null } as const;
        this.sessions.push({ ...facts, ...waits });
        return;
      }
      case "cancel": {
        const session = this.find(order.sessionId);
        if (session?.status === "queued") this.#end(session, "cancelled", endedTasks);
        if (session?.status === "running" && !session.isCancelled) {
          Object.assign(session, { isCancelled: true, phase: "stopping" });
        }
        return;
      }
      case "release": {
        const session = this.#held(order.run);
        if (session) this.#end(session, order.ended.status, endedTasks);
        return;
      }
      case "requeue": {
        const session = this.#held(order.run);
        if (session?.isCancelled) this.#end(session, "cancelled", endedTasks);
        else if (session && session.attempt >= 4) this.#end(session, "failed", endedTasks);
        else if (session) {
          const attempt = session.attempt + 1;
          Object.assign(session, { status: "queued", attempt, phase: null, seat: null, isHeld: false });
        }
        return;
      }
      case "hand-back": {
        const session = this.#held(order.run);
        if (session?.isCancelled) this.#end(session, "cancelled", endedTasks);
        else if (session) Object.assign(session, { status: "queued", phase: null, seat: null, isHeld: false });
        return;
      }
      case "progress": {
        const session = this.#held(order.run);
        const { phase } = order.progress;
        if (session && phase && (!session.isCancelled || phase === "saving")) session.phase = phase;
        return;
      }
      case "hold": {
        const session = this.find(order.sessionId);
        if (session?.status === "queued") session.isHeld = order.hold !== null;
        return;
      }
      case "reorder":
        this.#reorder(order.sessionId, order.by, order.before);
        return;
      case "set-caps":
        Object.assign(this.caps, order.change);
        return;
      case "set-user-cap":
        if (order.max === null) this.userCaps.delete(order.userId);
        else this.userCaps.set(order.userId, order.max);
        return;
    }
  }

  #reorder(id: SessionId, by: UserId, before: SessionId | null): void {
    const line = this.#queued(by);
    const numbers = line.map((session) => session.number);
    const moved = line.find((session) => session.id === id);
    const isThere = before === null || line.some((session) => session.id === before);
    if (!moved || !isThere || before === id) return;
    const rest = line.filter((session) => session !== moved);
    const index = before === null ? rest.length : rest.findIndex((session) => session.id === before);
    rest.splice(index, 0, moved);
    rest.forEach((session, i) => {
      session.number = numbers[i] ?? session.number;
    });
  }
}
