import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endedWith } from "../../testing/scripted-waiter";
import { Durations, ENDINGS_MAX_AGE_MS, type SlotTime } from "./durations";
import { forecast, forecasting, inSteps } from "./forecast";
import { decide } from "./index";
import { stateFrom } from "./load";
import type { Hold, LiveRow, QueuedRow, RunningRow } from "./rows";
import { pictureOf } from "./snapshot";
import type { PoolState } from "./state";

const RUNS = process.env.CAMELOT_TEST_ALL ? 1_000 : 120;
const NOW = 1_000_000_000;
const MINUTE = 60_000;

interface Pool {
  /** Whose session waits, in order. */
  readonly waiting: readonly string[];
  /** Whose session runs, and for how long already, ms. */
  readonly running: readonly { readonly userId: string; readonly age: number; readonly phase?: RunningRow["phase"] }[];
  readonly caps?: Partial<PoolState["caps"]>;
  readonly userCaps?: Readonly<Record<string, number>>;
  readonly agentOf?: (userId: string) => string;
  readonly hold?: Hold;
}

/** Running sessions are r1…, waiting ones w1…. */
function poolOf({ waiting, running, caps, userCaps = {}, agentOf = () => "agent", hold }: Pool): PoolState {
  const facts = (id: string, userId: string, seq: number) => ({
    id,
    userId,
    seq,
    taskId: `task of ${id}`,
    projectId: "project",
    agentId: agentOf(userId),
    attempt: 1,
    place: null,
    queuedAt: 0,
  });
  const sitting = running.map(({ userId, age, phase = "working" }, i): RunningRow => {
    const slot = { epoch: 1, grantSeq: i + 1, seat: i, startedAt: NOW - age, cancelledBy: null };
    return { ...facts(`r${i + 1}`, userId, i + 1), status: "running", phase, ...slot };
  });
  const queued = waiting.map((userId, i): QueuedRow => {
    const seq = running.length + i + 1;
    return { ...facts(`w${i + 1}`, userId, seq), status: "queued", hold: hold ?? null };
  });
  const live: LiveRow[] = [...sitting, ...queued];
  const users = [...new Set(live.map((row) => row.userId))].map((userId) => {
    const lastGrantSeq = Math.max(0, ...sitting.filter((row) => row.userId === userId).map((row) => row.grantSeq));
    return { userId, max: userCaps[userId] ?? null, lastGrantSeq: lastGrantSeq || null };
  });
  return stateFrom({ caps: { globalMax: 2, perUserMax: 2, paused: false, ...caps }, users, live }, true);
}

function endings(times: readonly number[], rest: Partial<SlotTime> = {}): SlotTime[] {
  return times.map((ms, i) => {
    const endedAt = NOW - 1_000 - i;
    const facts = { sessionId: `${rest.agentId ?? ""} ${i}`, projectId: "project", agentId: "agent", endedAt };
    return { ...facts, startedAt: endedAt - ms, ...rest };
  });
}

const always = (ms: number, count = 20) => new Durations(endings(new Array(count).fill(ms)), NOW);

const people = fc.nat({ max: 4 }).map((n) => `u${n}`);
const pools: fc.Arbitrary<Pool> = fc.record({
  waiting: fc.array(people, { maxLength: 24 }),
  running: fc.array(fc.record({ userId: people, age: fc.nat({ max: 400_000 }) }), { maxLength: 8 }),
  caps: fc.record({ globalMax: fc.nat({ max: 6 }), perUserMax: fc.nat({ max: 3 }) }),
  userCaps: fc.dictionary(people, fc.nat({ max: 3 })),
});
const times = fc.array(fc.nat({ max: 900_000 }), { minLength: 20, maxLength: 60 });

describe("the forecast", () => {
  test("[P15] when all take the same time, what is foreseen is what the real pool then does", () => {
    fc.assert(
      fc.property(pools, fc.integer({ min: 1_000, max: 300_000 }), (pool, ms) => {
        const state = poolOf(pool);
        const foreseen = forecast(state, NOW, always(ms), 1);
        const started = playedByThePool(state, ms);
        const expected = Array.from(started, ([id, at]) => [id, { p50: inSteps(at), p80: inSteps(at) }] as const);
        expect(Object.fromEntries(foreseen)).toEqual(Object.fromEntries(expected));
      }),
      { numRuns: RUNS },
    );
  });

  test("[P15] never less than nothing, p50 never more than p80, and the same for the same seed", () => {
    fc.assert(
      fc.property(pools, times, fc.integer(), (pool, ms, seed) => {
        const state = poolOf(pool);
        const durations = new Durations(endings(ms), NOW);
        const foreseen = forecast(state, NOW, durations, seed);
        for (const { p50, p80 } of foreseen.values()) {
          expect(p50).toBeGreaterThanOrEqual(0);
          expect(p80).toBeGreaterThanOrEqual(p50);
          expect(Number.isInteger(p80)).toBe(true);
        }
        const again = forecast(poolOf(pool), NOW, new Durations(endings(ms), NOW), seed);
        expect(Object.fromEntries(again)).toEqual(Object.fromEntries(foreseen));
      }),
      { numRuns: RUNS },
    );
  });

  test("[P15] in one's own line nobody starts before those who stand in front", () => {
    fc.assert(
      fc.property(pools, times, (pool, ms) => {
        const state = poolOf(pool);
        const foreseen = forecast(state, NOW, new Durations(endings(ms), NOW), 7);
        for (const [, { line }] of state.lines) {
          const told = [...line].map(({ id }) => foreseen.get(id)?.p50 ?? Number.POSITIVE_INFINITY);
          expect(told).toEqual(told.toSorted((a, b) => a - b));
        }
      }),
      { numRuns: RUNS },
    );
  });

  test("[P15] under 20 endings nothing is told; endings of long ago and of sessions without a slot are none", () => {
    const state = poolOf({ waiting: ["ann"], running: [running("ben", 0), running("ben", 0)] });
    expect(forecast(state, NOW, always(MINUTE, 19), 1).size).toBe(0);
    expect(forecast(state, NOW, always(MINUTE, 20), 1).get("w1")).toEqual({ p50: 60, p80: 60 });
    const old = endings(new Array(20).fill(MINUTE), { endedAt: NOW - ENDINGS_MAX_AGE_MS, startedAt: 0 });
    expect(forecast(state, NOW, new Durations([...old, ...endings([MINUTE])], NOW), 1).size).toBe(0);
  });

  test("[P15] a range: half of the times below p50, four in five below p80", () => {
    const state = poolOf({ waiting: ["ann"], running: [running("ben", 0)], caps: { globalMax: 1 } });
    const hundred = Array.from({ length: 100 }, (_, i) => (i + 1) * MINUTE);
    const { p50 = 0, p80 = 0 } = forecast(state, NOW, new Durations(endings(hundred), NOW), 3).get("w1") ?? {};
    expect(Math.abs(p50 / 60 - 50)).toBeLessThan(12);
    expect(Math.abs(p80 / 60 - 80)).toBeLessThan(12);
    const another = forecast(state, NOW, new Durations(endings(hundred), NOW), 4).get("w1");
    expect(another).not.toEqual({ p50, p80 });
  });

  test("[P15] what already runs goes on for what is left of a time longer than its age", () => {
    const short = new Array(80).fill(MINUTE);
    const durations = new Durations(endings([...short, ...new Array(20).fill(60 * MINUTE)]), NOW);
    const told = (age: number) => {
      const state = poolOf({ waiting: ["ann"], running: [running("ben", age)], caps: { globalMax: 1 } });
      return forecast(state, NOW, durations, 1).get("w1");
    };
    expect(told(0)?.p50).toBe(60);
    expect(told(2 * MINUTE)).toEqual({ p50: 58 * 60, p80: 58 * 60 });
    // It has run for longer than anything ever did: nobody knows.
    expect(told(61 * MINUTE)).toBeUndefined();
  });

  test("[P15] a session that is stopping or saving gives its slot back soon, however long others took", () => {
    for (const phase of ["stopping", "saving"] as const) {
      const state = poolOf({
        waiting: ["ann"],
        running: [{ userId: "ben", age: MINUTE, phase }],
        caps: { globalMax: 1 },
      });
      expect(forecast(state, NOW, always(60 * MINUTE), 1).get("w1")).toEqual({ p50: 75, p80: 75 });
    }
  });

  test("[P15] whoever is behind their own limit is foreseen too: their own sessions end", () => {
    const pool = { waiting: ["ann", "ann", "ann"], running: [running("ann", 0), running("ann", 30_000)] };
    const state = poolOf({ ...pool, caps: { globalMax: 20 } });
    const foreseen = forecast(state, NOW, always(MINUTE), 1);
    expect(["w1", "w2", "w3"].map((id) => foreseen.get(id)?.p50)).toEqual([30, 60, 90]);
    const picture = pictureOf(state, 1, 1, NOW, foreseen);
    expect(picture.session("w1")).toMatchObject({ ahead: null, startsIn: { p50: 30, p80: 30 } });
  });

  test("[P15] an agent with endings enough is judged by its own, one without by those of all", () => {
    const slow = endings(new Array(20).fill(30 * MINUTE), { agentId: "slow" });
    const rare = endings(new Array(19).fill(MINUTE), { agentId: "rare", projectId: "another" });
    const durations = new Durations([...slow, ...rare], NOW);
    const told = (agentId: string) => {
      const pool = { waiting: ["ann"], running: [running("ben", 0)], caps: { globalMax: 1 } };
      return forecast(poolOf({ ...pool, agentOf: () => agentId }), NOW, durations, 1).get("w1");
    };
    expect(told("slow")).toEqual({ p50: 30 * 60, p80: 30 * 60 });
    expect(told("rare")?.p80).toBe(30 * 60);
    expect(durations.of("another", "rare").map((circle) => circle.length)).toEqual([39]);
  });

  test("[P15][P16] nobody knows while the pool is paused, short of disk, starting, at cap 0, or the session is held", () => {
    const pool = { waiting: ["ann"], running: [running("ben", 0), running("ben", 0)] };
    const state = poolOf(pool);
    const foreseen = forecast(state, NOW, always(MINUTE), 1);
    const inPicture = (changed: PoolState) => pictureOf(changed, 1, 1, NOW, foreseen).session("w1")?.startsIn;
    expect(inPicture(state)).toEqual({ p50: 60, p80: 60 });
    const blocked = [
      poolOf({ ...pool, caps: { paused: true } }),
      poolOf({ ...pool, caps: { globalMax: 0 } }),
      poolOf({ ...pool, caps: { perUserMax: 0 } }),
      poolOf({ ...pool, userCaps: { ann: 0 } }),
      poolOf({ ...pool, hold: { reason: "budget", detail: null, until: null } }),
      { ...state, isDiskShort: true },
      { ...state, isOpen: false },
    ];
    for (const changed of blocked) {
      expect(forecast(changed, NOW, always(MINUTE), 1).size).toBe(0);
      // Nor is what was foreseen before it came to that.
      expect(inPicture(changed)).toBeNull();
    }
  });

  test("[P15][P20] with 10,000 waiting the first 2,000 are told, in steps that are bounded each and together", () => {
    const waiting = Array.from({ length: 10_000 }, (_, i) => `u${i % 500}`);
    const state = poolOf({
      waiting,
      running: Array.from({ length: 20 }, (_, i) => running(`u${i}`, 0)),
      caps: { globalMax: 20 },
    });
    const steps = forecasting(state, NOW, always(MINUTE), 1);
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count += 1;
    // Thirty times 2,000 grants, at most 500 of them and a pause between two runs in each step.
    expect(count).toBe(150);
    expect(step.value.size).toBe(2_000);
    const ahead = pictureOf(state, 1, 1, NOW).sessions(2_000);
    const next = ahead.filter((session) => session.ahead !== null);
    expect(next).toHaveLength(980);
    expect(next.every(({ id }) => step.value?.has(id))).toBe(true);
  });
});

function running(userId: string, age: number) {
  return { userId, age };
}

/** When each session starts when the real pool is told of every ending; what is older than `ms` never ends. */
function playedByThePool(state: PoolState, ms: number): Map<string, number> {
  const started = new Map<string, number>();
  const never = new Set([...state.running].flatMap(([id, row]) => (NOW - row.startedAt >= ms ? [id] : [])));
  let now = state;
  let at = NOW;
  for (;;) {
    const over = [...now.running]
      .map(([, row]) => row)
      .filter((row) => !never.has(row.id) && row.startedAt + ms === at);
    const releases = over.map(({ id }) => {
      return { kind: "release", run: { sessionId: id, attempt: 1 }, ended: endedWith({ endedAt: at }) } as const;
    });
    const decision = decide(now, releases, { at, epoch: 1 });
    for (const row of decision.granted) started.set(row.id, at - NOW);
    now = decision.state;
    const next = [...now.running].flatMap(([id, row]) => (never.has(id) ? [] : [row.startedAt + ms]));
    if (next.length === 0) return started;
    at = Math.min(...next);
  }
}
