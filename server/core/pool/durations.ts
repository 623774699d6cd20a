/**
 * How long slots were held lately: what estimates are drawn from (P15). Every ending of a session that held a slot counts,
 * whatever became of it: a cancelled one, one that failed at once and one that could not start all gave their slot back after
 * the time they did, and it is slots that whoever waits is waiting for. A session that never held one says nothing.
 */
import type { AgentId, Millis, ProjectId, SessionId } from "../words";

/** One ending: from the grant to the agent's own end, as the row keeps both. */
export interface SlotTime {
  readonly sessionId: SessionId;
  readonly projectId: ProjectId;
  readonly agentId: AgentId;
  readonly startedAt: Millis;
  readonly endedAt: Millis;
}

/** With fewer endings nothing is estimated. */
const LEAST_ENDINGS = 20;
/** Endings that are remembered, newest first; older ones are forgotten. */
export const ENDINGS_MAX = 2_000;
/** Older endings say little about the agents of today. */
export const ENDINGS_MAX_AGE_MS = 30 * 86_400_000;
/** Endings of one agent, one project or all that are drawn from: the newest. */
const DRAWN_FROM_MAX = 200;

/** Sorted times (ms) of the endings that resemble a session most, then of ever wider circles; each of 20 at least. */
export type Circles = readonly (readonly number[])[];

export class Durations {
  readonly #sorted = new Map<string, readonly number[]>();
  readonly #circles = new Map<string, Circles>();

  constructor(endings: Iterable<SlotTime>, now: Millis) {
    const recent = Array.from(endings).filter(({ endedAt }) => endedAt > now - ENDINGS_MAX_AGE_MS);
    recent.sort((a, b) => b.endedAt - a.endedAt);
    const times = new Map<string, number[]>();
    for (const { projectId, agentId, startedAt, endedAt } of recent.slice(0, ENDINGS_MAX)) {
      for (const key of keysOf(projectId, agentId)) {
        const ofKey = times.get(key) ?? [];
        if (ofKey.length === DRAWN_FROM_MAX) continue;
        // Clocks of two machines may differ: nothing ends before it starts.
        ofKey.push(Math.max(0, endedAt - startedAt));
        times.set(key, ofKey);
      }
    }
    for (const [key, ofKey] of times) {
      ofKey.sort((a, b) => a - b);
      if (ofKey.length >= LEAST_ENDINGS) this.#sorted.set(key, ofKey);
    }
  }

  /** False with fewer than 20 endings in all: then no number may be told. */
  get isEnough(): boolean {
    return this.#sorted.has(OF_ALL);
  }

  /** The agent in this project, the agent anywhere, the project, all: as far as there are endings enough. */
  of(projectId: ProjectId, agentId: AgentId): Circles {
    const pair = `${agentId} in ${projectId}`;
    const known = this.#circles.get(pair);
    if (known) return known;
    const circles = keysOf(projectId, agentId).flatMap((key) => {
      const sorted = this.#sorted.get(key);
      return sorted ? [sorted] : [];
    });
    this.#circles.set(pair, circles);
    return circles;
  }
}

/**
 * How much longer something goes on that has gone on for `age` ms: drawn by `chance` (0 ≤ chance < 1) from the times longer than
 * that, of the nearest circle that has one. Infinity when nothing ever took so long: then nobody knows.
 */
export function drawRest(circles: Circles, age: number, chance: number): number {
  for (const sorted of circles) {
    const from = firstLonger(sorted, age);
    const drawn = sorted[from + Math.floor(chance * (sorted.length - from))];
    if (drawn !== undefined) return drawn - age;
  }
  return Number.POSITIVE_INFINITY;
}

/** Index of the first time that is longer than `age`; its length when there is none. For what only starts, all are. */
function firstLonger(sorted: readonly number[], age: number): number {
  if (age <= 0) return 0;
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] as number) > age) to = middle;
    else from = middle + 1;
  }
  return from;
}

const OF_ALL = "all";

function keysOf(projectId: ProjectId, agentId: AgentId): readonly string[] {
  return [`${agentId} in ${projectId}`, `agent ${agentId}`, `project ${projectId}`, OF_ALL];
}
