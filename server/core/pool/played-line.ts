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
  /** As far as any run has come. */
  readonly waiting: Waiting[] = [];
  /** The claim that stands; older ones are of a moment that has passed. */
  claim: Claim | null = null;
  readonly #line: UserLine;
  readonly #cap: number;
  readonly #lastGrantNow: number;
  readonly #durations: Durations;
  readonly #rows: Iterator<QueuedRow>;
  #running = 0;
  #granted = 0;
  #lastGrant = 0;

  constructor(state: PoolState, userId: UserId, durations: Durations) {
    this.#line = state.lines.get(userId) ?? emptyLine(userId);
    this.#cap = capOf(state, userId);
    this.#lastGrantNow = state.lastGrants.get(userId) ?? 0;
    this.#durations = durations;
    this.#rows = this.#line.line[Symbol.iterator]();
  }

  get size(): number {
    return this.#line.line.size;
  }

  /** As it is now, for the next run. */
  begin(): void {
    this.#running = this.#line.running.size;
    this.#granted = 0;
    this.#lastGrant = this.#lastGrantNow;
    this.#renew();
  }

  grant(grantSeq: number): Waiting {
    const next = this.#at(this.#granted);
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
    const turn = turnFrom(this.#line, this.#granted, this.#running, this.#cap, this.#lastGrant);
    this.claim = turn && { turn, line: this };
  }

  #at(index: number): Waiting {
    for (;;) {
      const known = this.waiting[index];
      if (known) return known;
      const { done, value: row } = this.#rows.next();
      if (done) throw new Error(`more was granted of the line of ${this.#line.userId} than waits in it`);
      const circles = this.#durations.of(row.projectId, row.agentId);
      this.waiting.push({ id: row.id, hash: hashOf(row.id), circles, starts: [] });
    }
  }
}
