/**
 * The same load for the pool and for the queues it is measured beside. An engine is `{ enqueue, isDone, query, close }`,
 * made by `open(work)`; `work(user)` runs each session. Nothing here knows which engine it is.
 */

const SEC = 1_000;
const LOOK_MS = 5;
const DONE_LIMIT_MS = 120_000;

/**
 * @typedef {object} Engine
 * @property {(user: number) => Promise<unknown>} enqueue Resolves once the session's row is committed.
 * @property {() => Promise<boolean>} isDone Whether the rows say that nothing waits or runs.
 * @property {(text: string, values?: readonly (string | number)[]) => Promise<Record<string, unknown>[]>} query
 * @property {() => Promise<unknown>} close
 *
 * @typedef {(work: (user: number) => Promise<void>) => Promise<Engine>} Open
 *
 * @typedef {object} SteadyResult
 * @property {number} perSecond Whole lifecycles a second, from the first dispatch until the rows say that all are over.
 * @property {number} sessions
 * @property {number} p50Ms Dispatch to the end of the session.
 * @property {number} p99Ms
 *
 * @typedef {object} BurstResult
 * @property {number} mostOfOneUser Most sessions of one user that ran at once, by the marks in the database.
 * @property {number} mostInAll
 * @property {number} overCap Sessions that began while their user, or all together, had no room.
 * @property {number} sessions
 * @property {number} seconds
 */

/**
 * Durable lifecycles a second: enqueue → grant → finish. Every user keeps `outstanding` sessions going, each dispatched as
 * soon as the one before it has ended, so the lines neither run dry nor grow; after `seconds` no more is dispatched.
 * @param {Open} open
 * @param {{ users: number, outstanding: number, seconds: number }} size
 * @returns {Promise<SteadyResult>}
 */
export async function steadyLoad(open, { users, outstanding, seconds }) {
  const waiting = Array.from({ length: users }, () => /** @type {(() => void)[]} */ ([]));
  const engine = await open(async (user) => waiting[user]?.shift()?.());
  const from = performance.now();
  const until = from + seconds * SEC;
  const tookMs = /** @type {number[]} */ ([]);
  async function caller(user) {
    while (performance.now() < until) {
      const asked = performance.now();
      const over = new Promise((resolve) => waiting[user]?.push(() => resolve(undefined)));
      await engine.enqueue(user);
      await over;
      tookMs.push(performance.now() - asked);
    }
  }
  const callers = Array.from({ length: users * outstanding }, (_, i) => caller(i % users));
  await Promise.all(callers);
  await done(engine);
  const took = (performance.now() - from) / SEC;
  await engine.close();
  return {
    perSecond: tookMs.length / took,
    sessions: tookMs.length,
    p50Ms: part(tookMs, 0.5),
    p99Ms: part(tookMs, 0.99),
  };
}

/**
 * One user dispatches a crowd at once, others a few; each session marks in the database when it ran. What overlapped is
 * counted there, the same way for every engine, and can only be less than what really ran at once.
 * @param {Open} open
 * @param {{ crowd: number, others: number, each: number, sessionMs: number, globalMax: number, perUserMax: number }} size
 * @returns {Promise<BurstResult>}
 */
export async function burstLoad(open, { crowd, others, each, sessionMs, globalMax, perUserMax }) {
  let engine = /** @type {Engine | null} */ (null);
  const opened = await open(async (user) => {
    const [mark] = (await engine?.query(MARK_START, [user])) ?? [];
    await new Promise((resolve) => setTimeout(resolve, sessionMs));
    await engine?.query(MARK_END, [Number(mark?.id)]);
  });
  engine = opened;
  await opened.query(MARKS);
  const began = performance.now();
  const users = [...new Array(crowd).fill(0), ...Array.from({ length: others * each }, (_, i) => 1 + (i % others))];
  await Promise.all(users.map((user) => opened.enqueue(user)));
  await done(opened);
  const seconds = (performance.now() - began) / SEC;
  const [found] = await opened.query(OVERLAPS, [perUserMax, globalMax]);
  await opened.close();
  const { of_one, in_all, over_cap, sessions } = found ?? {};
  return {
    mostOfOneUser: Number(of_one),
    mostInAll: Number(in_all),
    overCap: Number(over_cap),
    sessions: Number(sessions),
    seconds,
  };
}

const MARKS = `create table marks (id bigint generated always as identity primary key, who int not null,
  from_at timestamptz not null, to_at timestamptz)`;
const MARK_START = "insert into marks (who, from_at) values ($1::text::int, clock_timestamp()) returning id";
const MARK_END = "update marks set to_at = clock_timestamp() where id = $1::text::bigint";
const OVERLAPS = `
  with at_start as (
    select m.who, (select count(*) from marks o where o.who = m.who and o.from_at <= m.from_at and o.to_at > m.from_at) as own,
      (select count(*) from marks o where o.from_at <= m.from_at and o.to_at > m.from_at) as everybodys
    from marks m)
  select max(own) as of_one, max(everybodys) as in_all, count(*) as sessions,
    count(*) filter (where own > $1::text::int or everybodys > $2::text::int) as over_cap
  from at_start`;

/** @param {Engine} engine */
async function done(engine) {
  const late = performance.now() + DONE_LIMIT_MS;
  while (!(await engine.isDone())) {
    if (performance.now() > late) throw new Error("the sessions do not come to an end");
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/**
 * @param {readonly number[]} values
 * @param {number} share
 */
function part(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
}
