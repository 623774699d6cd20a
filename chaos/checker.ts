/**
 * The proof: from the marks of the agents, the rows and their transitions, and the output, whether anything was lost, done
 * twice, over a cap, out of order or torn. Pure. Every finding is one sentence; a run is clean when there is none.
 */
import { type Dispatch, type Evidence, isGrant, type Row, type Transition } from "./evidence";
import { groupsOf } from "./groups";
import type { Mark } from "./marks";
import { replay } from "./replay";

export const FINDINGS = [
  "lost",
  "twice",
  "over cap",
  "out of order",
  "unfair",
  "idle slots",
  "output broken",
  "endings unexplained",
  "refused",
  "starts given up",
  "slots missing",
  "left behind",
] as const;
export type Finding = (typeof FINDINGS)[number];

export interface Verdict {
  readonly findings: Readonly<Record<Finding, readonly string[]>>;
  readonly isClean: boolean;
  /** What was looked at, so that a clean verdict is not one about nothing. */
  readonly judged: {
    readonly grants: number;
    readonly pairs: number;
    readonly whole: number;
    readonly followed: number;
  };
}

/** By it a server tells its parent (scripts/supervise.mjs) that another start would be in vain. */
const START_REFUSED_EXIT_CODE = 78;
/** Attempts of a session: the first and three more (R2). */
const ATTEMPTS_MOST = 4;

export function check(evidence: Evidence): Verdict {
  const { dispatches, rows, marks, transitions, caps } = evidence;
  const replayed = replay(transitions, dispatches, caps);
  const output = brokenOutput(evidence);
  const missing = caps.globalMax - evidence.slotsSeen;
  const findings: Record<Finding, readonly string[]> = {
    lost: lost(evidence),
    twice: [...replayed.twice, ...twice(dispatches, rows, marks)],
    "over cap": [...replayed.overCap, ...agentsOverCap(evidence)],
    "out of order": replayed.outOfOrder,
    unfair: replayed.unfair,
    "idle slots": replayed.idle,
    "output broken": output.broken,
    "endings unexplained": rows.flatMap((row) => unexplained(row, evidence)),
    refused: evidence.refusals,
    "starts given up": evidence.ownEndings
      .filter((code) => code === START_REFUSED_EXIT_CODE)
      .map(() => "[P18] A server refused to start, which `npm start` would not have tried again."),
    "slots missing":
      missing === 0 ? [] : [`[P9] At the end ${evidence.slotsSeen} of ${caps.globalMax} slots were had at once.`],
    "left behind": evidence.leftBehind.map((pid) => `[R7] Process ${pid} of an agent is still there.`),
  };
  return {
    findings,
    isClean: Object.values(findings).every((sentences) => sentences.length === 0),
    judged: { grants: replayed.grants, pairs: replayed.pairs, whole: output.whole, followed: output.followed },
  };
}

function lost({ dispatches, rows, marks }: Evidence): string[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ofTask = new Map(rows.map((row) => [row.taskId, row]));
  const answered = dispatches.flatMap((dispatch) =>
    [...dispatch.sessionIds].filter((id) => !byId.has(id)).map((id) => `[P1] ${id} was answered and has no row.`),
  );
  const unanswered = dispatches.filter(({ answeredAt }) => answeredAt === null);
  const unended = rows.filter(({ status }) => status === "queued" || status === "running");
  const unmarked = rows.filter((row) => row.status === "succeeded" && !hasBothMarks(row, marks));
  return [
    ...answered,
    ...unanswered.map(
      ({ token, taskId }) => `[P1] ${token} was never answered (row: ${ofTask.get(taskId)?.id ?? "none"}).`,
    ),
    ...unended.map(({ id, status }) => `[P10] ${id} is still ${status}.`),
    ...unmarked.map(({ id }) => `[R1] ${id} succeeded, but its agent did not mark its start and end.`),
  ];
}

function hasBothMarks(row: Row, marks: readonly Mark[]): boolean {
  const own = marks.filter(({ sessionId, attempt }) => sessionId === row.id && attempt === row.attempt);
  return own.some(({ kind }) => kind === "start") && own.some(({ kind }) => kind === "end");
}

/** An attempt whose agent has started is never tried again (R2, R11): so one start per session, whatever its attempts. */
function twice(dispatches: readonly Dispatch[], rows: readonly Row[], marks: readonly Mark[]): string[] {
  const doubled = (["start", "end"] as const).flatMap((kind) =>
    [
      ...groupsOf(
        marks.filter((mark) => mark.kind === kind),
        ({ sessionId }) => sessionId,
      ),
    ]
      .filter(([, own]) => own.length > 1)
      .map(
        ([id, own]) =>
          `[R2] ${id} has ${own.length} marks of its ${kind} (attempts ${own.map((m) => m.attempt).join(", ")}).`,
      ),
  );
  const ofTask = groupsOf(rows, ({ taskId }) => taskId);
  const sessions = dispatches
    .map(({ token, taskId, sessionIds }) => ({
      token,
      count: Math.max(sessionIds.size, ofTask.get(taskId)?.length ?? 0),
    }))
    .filter(({ count }) => count > 1);
  return [...doubled, ...sessions.map(({ token, count }) => `[P3] ${token} has ${count} sessions for one dispatch.`)];
}

/** By the agents' own marks: how many really ran at once, and none outside of the time in which it had a slot. */
function agentsOverCap({ marks, transitions, rows, caps }: Evidence): string[] {
  const users = new Map(rows.map((row) => [row.id, row.userId]));
  const grants = new Map<string, Transition>();
  const ends = new Map<string, number>();
  for (const change of transitions) {
    if (isGrant(change)) grants.set(`${change.sessionId}.${change.attempt}`, change);
    if (change.is !== "queued" && change.is !== "running") ends.set(change.sessionId, change.at);
  }
  const outside = marks.flatMap(({ kind, sessionId, attempt, at }) => {
    const from = grants.get(`${sessionId}.${attempt}`)?.at ?? Number.POSITIVE_INFINITY;
    const to = ends.get(sessionId) ?? Number.POSITIVE_INFINITY;
    return at >= from && at <= to ? [] : [`[R7] ${sessionId}.${attempt} marked its ${kind} while it had no slot.`];
  });
  const steps = marks
    .filter(({ kind }) => kind === "start")
    .flatMap((start) => {
      const end = marks.find((mark) => mark.kind === "end" && mark.sessionId === start.sessionId);
      const until = end?.at ?? ends.get(start.sessionId) ?? Number.POSITIVE_INFINITY;
      return [
        { at: start.at, by: 1, id: start.sessionId },
        { at: until, by: -1, id: start.sessionId },
      ];
    })
    .sort((one, other) => one.at - other.at || one.by - other.by);
  const running = new Map<string, number>();
  let inAll = 0;
  return [
    ...outside,
    ...steps.flatMap(({ by, id }) => {
      const userId = users.get(id) ?? "";
      const own = (running.get(userId) ?? 0) + by;
      running.set(userId, own);
      inAll += by;
      if (by < 0 || (own <= (caps.users.get(userId) ?? 0) && inAll <= caps.globalMax)) return [];
      return [`[P4] ${id}: ${own} agents of ${userId} and ${inAll} in all ran at once.`];
    }),
  ];
}

function brokenOutput({ dispatches, rows, outputs }: Evidence): {
  readonly broken: string[];
  readonly whole: number;
  readonly followed: number;
} {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const broken: string[] = [];
  let whole = 0;
  let followedCount = 0;
  for (const { sessionIds, output, followed } of dispatches) {
    for (const id of sessionIds) {
      const row = byId.get(id);
      const said = outputs.get(id);
      if (!row || !said) {
        if (row) broken.push(`[R6] The output of ${id} cannot be read.`);
        continue;
      }
      if (!said.isComplete) broken.push(`[R6] The output of ${id} is not told to be complete.`);
      if (row.status === "succeeded" && said.bytes.equals(output)) whole += 1;
      else if (row.status === "succeeded")
        broken.push(`[R6] The output of ${id} is not whole: ${gap(said.bytes, output)}.`);
      else if (!output.subarray(0, said.bytes.length).equals(said.bytes))
        broken.push(`[R6] The output of ${id} is not what it began to say: ${gap(said.bytes, output)}.`);
      if (row.outputBytes !== null && row.outputBytes !== said.bytes.length)
        broken.push(`[R6] ${id} has ${said.bytes.length} bytes of output, its row says ${row.outputBytes}.`);
      if (followed === null) continue;
      followedCount += 1;
      if (!followed.equals(said.bytes))
        broken.push(`[R6] Whoever followed ${id} read something else: ${gap(followed, said.bytes)}.`);
    }
  }
  return { broken, whole, followed: followedCount };
}

function gap(seen: Buffer, expected: Buffer): string {
  const differs = seen.findIndex((byte, index) => byte !== expected[index]);
  return `${seen.length} bytes instead of ${expected.length}, different from byte ${differs === -1 ? seen.length : differs} on`;
}

/** Every ending that is no success has its reason in what was done to it, and what was done to it shows in the ending. */
function unexplained(row: Row, { dispatches, runKills, marks }: Evidence): string[] {
  const dispatch = dispatches.find(({ sessionIds }) => sessionIds.has(row.id));
  const wasCancelled = dispatch?.cancelAskedAt != null;
  const killed = (what: "host" | "agent") => runKills.some((kill) => kill.what === what && kill.sessionId === row.id);
  const cameToEnd = marks.some(({ kind, sessionId }) => kind === "end" && sessionId === row.id);
  const said = `${row.status}${row.failureKind ? ` (${[row.failureKind, row.signal].filter(Boolean).join(", ")})` : ""}`;
  const told: string[] = [];
  const mustBeCancelled = dispatch?.cancelAnswer === "cancelled" || dispatch?.cancelAnswer === "stopping";
  if (mustBeCancelled && row.status !== "cancelled")
    told.push(`[P17] ${row.id} was told to be ${dispatch?.cancelAnswer} and is ${said}.`);
  if (row.status === "cancelled" && !wasCancelled) told.push(`[P17] ${row.id} is cancelled, and nobody asked for it.`);
  if (row.status === "succeeded" && killed("agent") && !cameToEnd)
    told.push(`[R3] ${row.id} succeeded, and its agent was killed before its end.`);
  if (row.status === "failed" && !isFailureExplained(row, killed))
    told.push(`[R3] ${row.id} is ${said}, for no reason.`);
  return told;
}

function isFailureExplained(row: Row, killed: (what: "host" | "agent") => boolean): boolean {
  switch (row.failureKind) {
    case "runner-lost":
      return killed("host");
    case "agent-exited":
      return killed("agent") && row.signal === "SIGKILL";
    case "could-not-start":
      // Servers were killed under each of its attempts.
      return row.attempt === ATTEMPTS_MOST;
    default:
      return false;
  }
}
