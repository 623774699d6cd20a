/**
 * One user's line while the lines are played (P15): what is granted of it and given back in one run, and the times at which
 * its sessions started in all runs. Reads the pool's state and never changes it.
 */
import type { SessionId, UserId } from "../words";
import { hashOf } from "./chance";
import type { Circles, Durations } from "./durations";
import { capOf, turnFrom } from "./fair-order";
import type { QueuedRow } from "./rows";
import { emptyLine, type PoolState, type Turn, type UserLine } from "./state";

export interface Waiting {
  readonly id: SessionId;
  readonly hash: number;
  readonly circles: Circles;
  /** One time (ms from now) for each run in which it started. */
  readonly starts: number[];
}

export interface Claim {
  readonly turn: Turn;
  readonly line: PlayedLine;
}

export class PlayedLine {
  readonly userId: UserId;
  /** What waits in it, from the front. */
  readonly line: { at(index: number): QueuedRow | undefined };
  /** As far as any run has come. */
  readonly waiting: Waiting[] = [];
  /** The claim that stands; older ones are of a moment that has passed. */
  claim: Claim | null = null;
  readonly #now: UserLine;
  readonly #cap: number;
  readonly #lastGrantNow: number;
  readonly #claimNow: Claim | null;
  readonly #durations: Durations;
  #running: number;
  #granted = 0;
  #lastGrant: number;

  constructor(state: PoolState, userId: UserId, durations: Durations) {
    this.userId = userId;
    this.#now = state.lines.get(userId) ?? emptyLine(userId);
    this.line = readAhead(this.#now.line);
    this.#cap = capOf(state, userId);
    this.#lastGrantNow = state.lastGrants.get(userId) ?? 0;
    this.#durations = durations;
    this.#running = this.#now.running.size;
    this.#lastGrant = this.#lastGrantNow;
    this.#renew();
    this.#claimNow = this.claim;
  }

  get size(): number {
    return this.#now.line.size;
  }

  /** As it is now, for the next run. */
  begin(): void {
    this.#running = this.#now.running.size;
    this.#granted = 0;
    this.#lastGrant = this.#lastGrantNow;
    this.claim = this.#claimNow;
  }

  grant(grantSeq: number): Waiting {
    const next = this.#next();
    this.#granted += 1;
    this.#running += 1;
    this.#lastGrant = grantSeq;
    this.#renew();
    return next;
  }

  release(): void {
    this.#running -= 1;
    this.#renew();
  }

  #renew(): void {
    const turn = turnFrom(this, this.#granted, this.#running, this.#cap, this.#lastGrant);
    this.claim = turn && { turn, line: this };
  }

  #next(): Waiting {
    const known = this.waiting[this.#granted];
    if (known) return known;
    const row = this.line.at(this.#granted);
    if (!row) throw new Error(`more was granted of the line of ${this.userId} than waits in it`);
    const circles = this.#durations.of(row.projectId, row.agentId);
    const waiting = { id: row.id, hash: hashOf(row.id), circles, starts: [] };
    this.waiting.push(waiting);
    return waiting;
  }
}

/** Each row is fetched from the line once, however often it is looked at. */
function readAhead(line: Iterable<QueuedRow>): PlayedLine["line"] {
  const rest = line[Symbol.iterator]();
  const rows: QueuedRow[] = [];
  return {
    at(index) {
      while (rows.length <= index) {
        const next = rest.next();
        if (next.done) return undefined;
        rows.push(next.value);
      }
      return rows[index];
    },
  };
}
