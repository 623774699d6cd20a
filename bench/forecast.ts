/**
 * Whether the estimates hold (P15): days of made-up work over the real core, with times as agents take them (a mix of short and
 * long ones, log-normal, some over at once) and people who dispatch in bursts. After every burst the forecast is asked for each
 * of its sessions that waits, and later it is counted how often the real start came no later than it said: as it was, with
 * everybody who dispatched afterwards, and had nobody dispatched anything more, which is what the forecast supposes.
 *
 * By itself: `npx tsx bench/forecast.ts [seed]`; within `npm run bench` it is `foreseen.ts` that tells what came out.
 */
import type { SlotTime } from "../server/core/pool/durations";
import { Heap } from "../server/core/pool/heap";
import { decide } from "../server/core/pool/index";
import { stateFrom } from "../server/core/pool/load";
import type { StartsIn } from "../server/core/pool/picture";
import type { PoolState } from "../server/core/pool/state";
import { NOTHING_LEFT } from "../server/core/session/lifecycle";
import type { SessionId, UserId } from "../server/core/words";
import { inRound, Stopwatch, type Work } from "./forecast-cost";
import { AGENTS, bursts, chanceOf, timeOf } from "./forecast-work";

const CAPS = { globalMax: 20, perUserMax: 2, paused: false };
/** Sessions that were told much the same, and the per cent of them that started no later than they were told. */
export interface Coverage {
  /** In which range the told p50 lies. */
  readonly told: string;
  readonly sessions: number;
  readonly byP50: number;
  readonly byP80: number;
  /** The same had nobody dispatched anything more. */
  readonly aloneByP50: number;
  readonly aloneByP80: number;
}

export interface ForecastMeasured {
  readonly coverage: readonly Coverage[];
  readonly dispatched: number;
  readonly usual: Work;
  /** With 10,000 waiting in 500 lines. */
  readonly crowd: Work;
}

const RANGES = [
  { told: "under 1 min", belowS: 60 },
  { told: "1 to 5 min", belowS: 300 },
  { told: "5 to 15 min", belowS: 900 },
  { told: "15 to 60 min", belowS: 3_600 },
  { told: "an hour and more", belowS: Number.POSITIVE_INFINITY },
];

interface Promised extends StartsIn {
  readonly toldAt: number;
  readonly aloneMs: number;
}

interface World {
  state: PoolState;
  readonly ends: Heap<{ readonly at: number; readonly id: SessionId }>;
}

export function measureForecast(seed: number): ForecastMeasured {
  const chance = chanceOf(seed);
  const takes = new Map<SessionId, number>();
  const startedAt = new Map<SessionId, number>();
  const promises = new Map<SessionId, Promised>();
  const endings: SlotTime[] = [];
  const world: World = { state: stateFrom({ caps: CAPS, users: [], live: [] }, true), ends: soonest() };
  const usual = new Stopwatch();
  for (const { at, userId, size } of bursts(CAPS.globalMax, chance)) {
    run(world, at, takes, (id, when) => startedAt.set(id, when), endings);
    const ids = dispatch(world, at, userId, size, takes, chance);
    for (const [id, row] of world.state.running) {
      if (row.startedAt === at && !startedAt.has(id)) startedAt.set(id, at);
    }
    const waiting = ids.filter((id) => world.state.sessions.get(id)?.status === "queued");
    if (waiting.length === 0) continue;
    const foreseen = usual.foresee(world.state, at, endings);
    const alone = aloneFrom(world.state, at, takes);
    for (const id of waiting) {
      const told = foreseen.get(id);
      if (told) promises.set(id, { ...told, toldAt: at, aloneMs: (alone.get(id) ?? Number.POSITIVE_INFINITY) - at });
    }
  }
  run(world, Number.POSITIVE_INFINITY, takes, (id, when) => startedAt.set(id, when), endings);
  const kept = Array.from(promises, ([id, promised]) => {
    return { ...promised, waitMs: (startedAt.get(id) ?? Number.POSITIVE_INFINITY) - promised.toldAt };
  });
  return {
    coverage: coverageOf(kept),
    dispatched: takes.size,
    usual: usual.work(),
    crowd: crowd(endings),
  };
}

function coverageOf(kept: readonly (Promised & { readonly waitMs: number })[]): Coverage[] {
  return RANGES.map(({ told, belowS }, i) => {
    const fromS = RANGES[i - 1]?.belowS ?? 0;
    const those = kept.filter(({ p50 }) => p50 >= fromS && p50 < belowS);
    const percent = (isKept: (one: (typeof those)[number]) => boolean) =>
      (100 * those.filter(isKept).length) / Math.max(1, those.length);
    return {
      told,
      sessions: those.length,
      byP50: percent(({ waitMs, p50 }) => waitMs <= p50 * 1_000),
      byP80: percent(({ waitMs, p80 }) => waitMs <= p80 * 1_000),
      aloneByP50: percent(({ aloneMs, p50 }) => aloneMs <= p50 * 1_000),
      aloneByP80: percent(({ aloneMs, p80 }) => aloneMs <= p80 * 1_000),
    };
  });
}

/** Lets the real core go on to a moment: every ending gives its slot back, and what it grants starts. */
function run(
  world: World,
  until: number,
  takes: ReadonlyMap<SessionId, number>,
  started: (id: SessionId, at: number) => void,
  endings: SlotTime[] | null,
): void {
  for (let next = world.ends.first(); next && next.at <= until; next = world.ends.first()) {
    const { at, id } = next;
    world.ends.pop();
    const row = world.state.sessions.get(id);
    if (row?.status !== "running") throw new Error(`${id} ends and does not run`);
    const { projectId, agentId, startedAt } = row;
    endings?.push({ sessionId: id, projectId, agentId, startedAt, endedAt: at });
    const ended = { ...NOTHING_LEFT, status: "succeeded", failure: null, endedAt: at } as const;
    const decision = decide(world.state, [{ kind: "release", run: { sessionId: id, attempt: 1 }, ended }], {
      at,
      epoch: 1,
    });
    world.state = decision.state;
    for (const granted of decision.granted) {
      started(granted.id, at);
      world.ends.push({ at: at + (takes.get(granted.id) ?? 0), id: granted.id });
    }
  }
}

function dispatch(
  world: World,
  at: number,
  userId: UserId,
  size: number,
  takes: Map<SessionId, number>,
  chance: () => number,
): SessionId[] {
  const agent = AGENTS[Math.floor(chance() * AGENTS.length)] ?? { id: "quick", isLong: 0 };
  const ids = Array.from({ length: size }, () => {
    const id = `session ${takes.size}`;
    takes.set(id, timeOf(agent.isLong, chance));
    return id;
  });
  const orders = ids.map((id) => {
    const session = {
      taskId: `task of ${id}`,
      projectId: "project",
      userId,
      agentId: agent.id,
      mode: "work",
      message: null,
    } as const;
    return { kind: "enqueue", sessionId: id, session, at } as const;
  });
  const decision = decide(world.state, orders, { at, epoch: 1 });
  world.state = decision.state;
  for (const { id } of decision.granted) world.ends.push({ at: at + (takes.get(id) ?? 0), id });
  return ids;
}

/** When each starts if nobody dispatches anything more: the state is immutable, so this is another future of the same moment. */
function aloneFrom(state: PoolState, at: number, takes: ReadonlyMap<SessionId, number>): Map<SessionId, number> {
  const starts = new Map<SessionId, number>();
  const world: World = { state, ends: soonest() };
  for (const [id, row] of state.running) world.ends.push({ at: row.startedAt + (takes.get(id) ?? 0), id });
  run(world, Number.POSITIVE_INFINITY, takes, (id, when) => starts.set(id, when), null);
  if (starts.size > 0 && Math.min(...starts.values()) < at) throw new Error("something started before it was foreseen");
  return starts;
}

function crowd(endings: readonly SlotTime[]): Work {
  const world: World = { state: stateFrom({ caps: CAPS, users: [], live: [] }, true), ends: soonest() };
  const takes = new Map<SessionId, number>();
  const at = endings.at(-1)?.endedAt ?? 0;
  for (let i = 0; i < 500; i += 1) dispatch(world, at, `person ${i}`, 20, takes, chanceOf(i));
  const watch = new Stopwatch();
  for (let i = 0; i < 20; i += 1) watch.foresee(world.state, at, endings);
  return watch.work();
}

function soonest(): World["ends"] {
  return new Heap((a, b) => a.at - b.at);
}

if (process.argv[1]?.endsWith("bench/forecast.ts")) {
  const seed = Number(process.argv[2] ?? 1);
  if (!Number.isInteger(seed)) throw new Error("The seed is a whole number.");
  const { coverage, dispatched, usual, crowd } = measureForecast(seed);
  console.log(`seed ${seed}: ${dispatched} dispatches; processor time:`);
  console.table({ "as it was": inRound(usual), "10,000 waiting": inRound(crowd) });
  const percent = (value: number, sessions: number) => (sessions === 0 ? "–" : `${value.toFixed(0)} %`);
  console.table(
    Object.fromEntries(
      coverage.map(({ told, sessions, byP50, byP80, aloneByP50, aloneByP80 }) => [
        told,
        {
          sessions,
          "by p50": percent(byP50, sessions),
          "by p80": percent(byP80, sessions),
          "alone by p50": percent(aloneByP50, sessions),
          "alone by p80": percent(aloneByP80, sessions),
        },
      ]),
    ),
  );
}
