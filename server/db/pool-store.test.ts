/** The pool’s one statement, row by row (P19, R10). In one file, as every test commits to the same kind of rows. */
import postgres from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ChangeWrite, InsertWrite, LiveRow, PoolWrites, QueuedRow, RunningRow } from "../core/pool/rows";
import { type Ended, NOTHING_LEFT } from "../core/session/lifecycle";
import { CommitRefused, type LeaseStore, type PoolStore } from "../ports/pool-store";
import { type TestDatabase, testDatabase } from "../testing/postgres";
import { arrayLiteral } from "./array-literal";
import { createLeaseStore } from "./lease-store";
import { COMMIT, commitParameters } from "./pool-commit";
import { createPoolStore } from "./pool-store";

/** A change of which only the row itself is told. */
const UNTOLD = { lastAction: null, outputBytes: null, lastOutputAt: null, adoptedAt: null, question: null };

const NOTHING: PoolWrites = { ends: [], inserts: [], changes: [], users: [], caps: null };

let database: TestDatabase;
let sql: postgres.Sql;
let store: PoolStore;
let lease: LeaseStore;
let epoch: number;

beforeEach(async () => {
  database = await testDatabase();
  sql = postgres(database.url, { max: 2, onnotice: () => {} });
  store = createPoolStore(database.url);
  lease = createLeaseStore(database.url);
  await sql`insert into users (id, name, email) values ('ann', 'Ann', 'ann@example.org')`;
  await sql`insert into projects (id, name, repository, path, base_branch) values ('p', 'P', 'sample', 'sample', 'main')`;
  await sql`insert into tasks (id, project_id, number, title, prompt, order_key)
    select 't' || n, 'p', n, 'T', 'T', 'a' from generate_series(1, 1200) n`;
  await store.ensureSettings({ globalMax: 20, perUserMax: 2, paused: false });
  const taken = await lease.take("test", 60_000, null);
  epoch = taken.kind === "taken" ? taken.epoch : 0;
});

afterEach(async () => {
  await Promise.all([store.close(), lease.close(), sql.end()]);
  await database.drop();
});

const queued = (n: number, rest: Partial<QueuedRow> = {}): QueuedRow => ({
  id: `s${n}`,
  taskId: `t${n}`,
  projectId: "p",
  userId: "ann",
  agentId: "a",
  attempt: 1,
  seq: 0,
  place: null,
  queuedAt: 1_700_000_000_123,
  status: "queued",
  hold: null,
  ...rest,
});
const running = (n: number, rest: Partial<RunningRow> = {}): RunningRow => {
  const { hold: _, ...facts } = queued(n);
  const slot = { epoch, grantSeq: n, seat: n, startedAt: 1_700_000_001_456, cancelledBy: null } as const;
  return { ...facts, ...slot, status: "running", phase: "starting", ...rest };
};
const insert = (row: LiveRow, message: string | null = null): InsertWrite => ({ row, mode: "work", message });

test("[P5] one statement numbers its new rows in the order of arrival", async () => {
  const inserts = Array.from({ length: 1_000 }, (_, i) => insert(queued(((i * 7) % 1_000) + 1)));
  const committed = await store.commit(epoch, { ...NOTHING, inserts });
  if (committed.kind !== "done") throw new Error("fenced");
  const numbers = inserts.map(({ row }) => committed.inserted.get(row.id) ?? 0);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(new Set(numbers).size).toBe(1_000);
});

test("[P18] what is read back is what was written", async () => {
  const hold = { reason: "budget", detail: 'until "later", \\o/ {1,2} ünï 🏰\n', until: 1_800_000_000_789 } as const;
  const rows = [queued(1), queued(2, { hold }), running(3), running(4, { phase: "asking" })];
  const users = [{ userId: "ann", max: 7, lastGrantSeq: 4 }];
  const caps = { globalMax: 3, perUserMax: 1, paused: true };
  const committed = await store.commit(epoch, { ...NOTHING, inserts: rows.map((row) => insert(row)), users, caps });
  if (committed.kind !== "done") throw new Error("fenced");
  const written = rows.map((row) => ({ ...row, seq: committed.inserted.get(row.id) ?? 0 }));
  const bySeq = (a: LiveRow, b: LiveRow) => a.seq - b.seq;
  const read = await store.load();
  expect({ ...read, live: read.live.toSorted(bySeq) }).toEqual({ caps, users, live: written, newcomers: [] });
  const numbered = (n: number) => ({ seq: written[n - 1]?.seq ?? 0 });
  const told = { ...UNTOLD, lastAction: "ls", outputBytes: 12, fromAttempt: 1 };
  const changes: ChangeWrite[] = [
    { ...told, from: "queued", row: queued(1, { ...numbered(1), place: -5 }) },
    { ...told, from: "running", row: queued(3, { ...numbered(3), attempt: 2 }) },
    { ...told, from: "running", row: running(4, { ...numbered(4), phase: "stopping", cancelledBy: "ann" }) },
  ];
  expect(await store.commit(epoch, { ...NOTHING, changes })).toMatchObject({ changed: new Set(["s1", "s3", "s4"]) });
  const { rows: again } = await store.loadUsers([], ["t1"]);
  const [first, third, fourth] = changes.map((change) => change.row);
  expect(again.live.toSorted(bySeq)).toEqual([first, written[1], third, fourth]);
});

test("[B1][R9] since when a session is in its phase, when its agent wrote last, and when it was adopted are kept with it", async () => {
  const moments = async () => {
    const [row] = await sql`select phase_since, last_output_at, adopted_at from sessions where id = 's1'`;
    return [row?.phase_since, row?.last_output_at, row?.adopted_at].map((at: Date | null) => at?.getTime() ?? null);
  };
  const at = (time: number, writes: Partial<PoolWrites>) =>
    sql.unsafe(COMMIT, commitParameters(epoch, { ...NOTHING, ...writes }, time) as string[]);
  const change = (row: LiveRow, told: Partial<ChangeWrite> = {}): Partial<PoolWrites> => ({
    changes: [{ ...UNTOLD, from: "running", fromAttempt: 1, row, ...told }],
  });
  await at(1_000, { inserts: [insert(queued(1))] });
  expect(await moments()).toEqual([null, null, null]);
  const started = running(1, { phase: "starting" });
  await at(2_000, { changes: [{ ...UNTOLD, from: "queued", fromAttempt: 1, row: started }] });
  expect(await moments()).toEqual([2_000, null, null]);
  await at(3_000, change(running(1, { phase: "working" }), { lastOutputAt: 2_900 }));
  expect(await moments()).toEqual([3_000, 2_900, null]);
  await at(4_000, change(running(1, { phase: "working" }), { adoptedAt: 3_900 }));
  expect(await moments()).toEqual([3_000, 2_900, 3_900]);
  await at(5_000, change(running(1, { phase: "stopping", cancelledBy: "ann" })));
  expect(await moments()).toEqual([5_000, 2_900, 3_900]);
});

test("[R12] a question is kept until another comes or it is taken away, whatever else is told", async () => {
  await store.commit(epoch, { ...NOTHING, inserts: [insert(running(1))] });
  const tell = async (question: ChangeWrite["question"], lastAction: string | null = null) => {
    const change: ChangeWrite = { ...UNTOLD, from: "running", fromAttempt: 1, row: running(1), lastAction, question };
    await store.commit(epoch, { ...NOTHING, changes: [change] });
    return (await sql`select question from sessions where id = 's1'`)[0]?.question;
  };
  const question = { id: "q1", text: 'May I "rm"?\n\u0000', options: ["yes", "no"], askedAt: 1_000 };
  expect(await tell(question)).toEqual({ ...question, text: 'May I "rm"?\n\ufffd' });
  expect(await tell(null, "ls")).toMatchObject({ id: "q1" });
  expect(await tell({ ...question, id: "q2" })).toMatchObject({ id: "q2" });
  expect(await tell("none")).toBeNull();
});

test("[P19] with another epoch nothing at all is changed", async () => {
  await store.commit(epoch, { ...NOTHING, inserts: [insert(queued(1)), insert(running(2))] });
  const before = await store.load();
  await lease.take("another", 60_000, "test");
  const ended: Ended = { ...NOTHING_LEFT, status: "succeeded", failure: null, endedAt: 1 };
  const writes: PoolWrites = {
    ends: [{ sessionId: "s2", attempt: 1, from: "running", ended, cancelledBy: null }],
    inserts: [insert(queued(3))],
    changes: [{ ...UNTOLD, from: "queued", fromAttempt: 1, row: running(1) }],
    users: [{ userId: "ann", max: 9, lastGrantSeq: 9 }],
    caps: { globalMax: 1, perUserMax: 1, paused: true },
  };
  expect(await store.commit(epoch, writes)).toEqual({ kind: "fenced" });
  expect(await store.load()).toEqual(before);
  expect(await store.commit(epoch + 1, writes)).toMatchObject({ kind: "done" });
});

test("[P19] a takeover waits for a commit under way", async () => {
  let hasTaken = false;
  const [taking] = await sql.begin(async (transaction) => {
    await transaction.unsafe(COMMIT, commitParameters(epoch, { ...NOTHING, inserts: [insert(queued(1))] }) as string[]);
    const takeover = lease.take("another", 60_000, "test").then((taken) => {
      hasTaken = true;
      return taken;
    });
    await expect.poll(() => waitsForLock(), { timeout: 10_000 }).toBe(true);
    expect(hasTaken).toBe(false);
    return [takeover];
  });
  expect(await taking).toEqual({ kind: "taken", epoch: epoch + 1 });
});

test("[R1][R10] an ending is written with all it left behind, and only once", async () => {
  await store.commit(epoch, { ...NOTHING, inserts: [insert(running(1))] });
  const ended: Ended = {
    status: "failed",
    failure: { kind: "agent-exited", detail: 'it said \0 and \\ and "' },
    endedAt: 1_700_000_009_001,
    exitCode: 137,
    signal: "SIGKILL",
    outputBytes: 5_000_000_000,
    workUnsaved: "full",
    leftOut: ['big "file".bin', "\0"],
    headCommit: "abc",
    files: 1,
    additions: 2,
    deletions: 3,
    usage: { input: 1, costUsd: 0.25 },
    agentSessionId: "c-1",
  };
  const end = { sessionId: "s1", attempt: 1, from: "running", ended, cancelledBy: null } as const;
  expect(await store.commit(epoch, { ...NOTHING, ends: [end] })).toMatchObject({ ended: new Set(["s1"]) });
  const later = { ...end, ended: { ...ended, exitCode: 0 } };
  expect(await store.commit(epoch, { ...NOTHING, ends: [later] })).toMatchObject({ ended: new Set() });
  const [told] = await sql`select usage, agent_session_id as conversation from sessions`;
  expect(told).toEqual({ usage: { input: 1, costUsd: 0.25 }, conversation: "c-1" });
  const [row] = await sql`select status, phase, seat, exit_code, signal, failure_kind, failure_detail, left_out,
    output_bytes::float8 as bytes, (extract(epoch from finished_at) * 1000)::float8 as at from sessions`;
  expect(row).toEqual({
    status: "failed",
    phase: null,
    seat: null,
    exit_code: 137,
    signal: "SIGKILL",
    failure_kind: "agent-exited",
    failure_detail: 'it said \uFFFD and \\ and "',
    left_out: ['big "file".bin', "\uFFFD"],
    bytes: 5_000_000_000,
    at: 1_700_000_009_001,
  });
});

test("[P3] a task that has a live session gets no second one; the rest of the batch is done", async () => {
  await store.commit(epoch, { ...NOTHING, inserts: [insert(queued(1))] });
  const twin = queued(2, { taskId: "t1" });
  const committed = await store.commit(epoch, { ...NOTHING, inserts: [insert(twin), insert(queued(3))] });
  expect(committed.kind === "done" && [...committed.inserted.keys()]).toEqual(["s3"]);
});

test("[P1] a row that somebody keeps locked refuses the statement for now, a task that is gone for good", async () => {
  const gone = store.commit(epoch, { ...NOTHING, inserts: [insert(queued(1, { taskId: "nowhere" }))] });
  await expect(gone).rejects.toMatchObject({ isPassing: false });
  await sql.begin(async (transaction) => {
    await transaction`select from tasks where id = 't1' for update`;
    const locked = store.commit(epoch, { ...NOTHING, inserts: [insert(queued(1))] });
    await expect(locked).rejects.toBeInstanceOf(CommitRefused);
    await expect(locked).rejects.toMatchObject({ isPassing: true });
  });
  expect(await store.commit(epoch, { ...NOTHING, inserts: [insert(queued(1))] })).toMatchObject({ kind: "done" });
});

test("[P11] after a connection was cut the next commit goes through", async () => {
  await store.commit(epoch, { ...NOTHING, inserts: [insert(queued(1))] });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'camelot writer'`;
  const outcomes = [];
  for (let i = 2; i < 5; i += 1) {
    const committed = await store.commit(epoch, { ...NOTHING, inserts: [insert(queued(i))] }).catch(() => null);
    outcomes.push(committed?.kind);
  }
  expect(outcomes.slice(-2)).toEqual(["done", "done"]);
});

test("[P20] neither the commit nor the boot reads finished rows", async () => {
  await sql`insert into sessions (id, task_id, project_id, user_id, agent_id, status, queued_at, finished_at)
    select 'old' || n, 't' || n % 1000 + 1, 'p', 'ann', 'a', 'succeeded', now(), now() from generate_series(1, 20000) n`;
  await sql`analyze sessions`;
  await sql.begin(async (transaction) => {
    await transaction`set local enable_seqscan = off`;
    await transaction`set local enable_hashjoin = off`;
    await transaction`set local enable_mergejoin = off`;
    const plan = await transaction.unsafe(`explain ${COMMIT}`, commitParameters(epoch, NOTHING) as string[]);
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).toContain("Index Scan using sessions_pkey");
    expect(text).not.toMatch(/Seq Scan on sessions/);
  });
  const boot = await sql`explain select id from sessions where status in ('queued', 'running')`;
  expect(boot.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(/(sessions_live|sessions_one_live_per_task)/);
});

test("arrays of values reach the database as they are", async () => {
  const values = ["", "null", "NULL", 'a "quoted" \\ one', "{a,b}", " , ", "line\nbreak", "🏰", null];
  const [row] = await sql.unsafe("select to_json($1::text[]) as texts", [arrayLiteral(values)]);
  expect(row?.texts).toEqual(values);
  const [numbers] = await sql.unsafe("select to_json($1::bigint[]::text[]) as numbers", [
    arrayLiteral([1, null, -9e15]),
  ]);
  expect(numbers?.numbers).toEqual(["1", null, "-9000000000000000"]);
});

async function waitsForLock(): Promise<boolean> {
  const [row] = await sql`select count(*)::int as n from pg_stat_activity
    where application_name = 'camelot lease' and wait_event_type = 'Lock'`;
  return row?.n === 1;
}
