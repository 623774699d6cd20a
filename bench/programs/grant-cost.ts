/** Two pools in the core, a small and a large one; at each step a session ends, one is dispatched and one is granted. */
import { decide, withRealNumbers } from "../../server/core/pool";
import { stateFrom } from "../../server/core/pool/load";
import type { QueuedRow } from "../../server/core/pool/rows";
import { pictureOf } from "../../server/core/pool/snapshot";
import { NOTHING_LEFT } from "../../server/core/session/lifecycle";
import { median } from "../figures";
import { sessionOf } from "../support/pool";
import { inputOf, tell } from "../support/program";
import { PROJECT, taskId, userId } from "../support/rows";

interface Crowd {
  readonly sessions: number;
  readonly users: number;
}

export interface Costs {
  readonly fewMs: number;
  readonly manyMs: number;
}

const CAPS = { globalMax: 20, perUserMax: 2, paused: false };
const ENDED = { ...NOTHING_LEFT, status: "succeeded", failure: null, exitCode: 0, endedAt: 0 } as const;

const { few, many, rounds } = inputOf<{ few: Crowd; many: Crowd; rounds: number }>();
const pools = { few: poolOf(few), many: poolOf(many) };
const took = { few: [] as number[], many: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  took.few.push(pools.few(round));
  took.many.push(pools.many(round));
}
const costs: Costs = { fewMs: median(took.few), manyMs: median(took.many) };
tell(costs);

/** Answers a step, which answers the milliseconds that it took. */
function poolOf({ sessions, users }: Crowd): (round: number) => number {
  const live = Array.from({ length: sessions }, (_, n) => queued(n, userId(n % users)));
  let state = stateFrom({ caps: CAPS, users: [], live }, true);
  state = decide(state, [], { at: 0, epoch: 1 }).state;
  return (round) => {
    const [first] = state.running;
    if (!first) throw new Error("nothing runs");
    const [, row] = first;
    const sessionId = `new-${round}`;
    const began = performance.now();
    const decision = decide(
      state,
      [
        { kind: "release", run: { sessionId: row.id, attempt: row.attempt }, ended: ENDED },
        { kind: "enqueue", sessionId, at: 0, session: sessionOf(row.userId, `of ${sessionId}`) },
      ],
      { at: 0, epoch: 1 },
    );
    state = withRealNumbers(decision, new Map([[sessionId, sessions + round + 1]]));
    pictureOf(state, 1, round, 0).user(row.userId);
    const tookMs = performance.now() - began;
    if (decision.granted.length !== 1) throw new Error(`${decision.granted.length} were granted instead of one`);
    return tookMs;
  };
}

function queued(n: number, user: string): QueuedRow {
  const facts = { id: `session-${n}`, taskId: taskId(n), projectId: PROJECT, userId: user, agentId: "agent-1" };
  return { ...facts, attempt: 1, seq: n + 1, place: null, queuedAt: 0, status: "queued", hold: null };
}
