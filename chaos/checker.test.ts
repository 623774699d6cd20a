/** That the checker sees each kind of fault. In one file: each test breaks one thing in the same small run. */
import { expect, test } from "vitest";
import { check, FINDINGS, type Finding } from "./checker";
import { outputOf } from "./errand";
import type { Dispatch, Evidence, Row, RunKill, Transition } from "./evidence";
import { type Mark, marksFrom } from "./marks";

/** Three sessions of two people, one after the other, as they should be; a test breaks one thing in it. */
class Story {
  now = 1_000;
  tx = 0;
  grants = 0;
  readonly transitions: Transition[] = [];
  readonly marks: Mark[] = [];
  readonly rows = new Map<string, Row>();
  readonly dispatches: Dispatch[] = [];
  readonly outputs = new Map<string, { bytes: Buffer; isComplete: boolean }>();
  readonly runKills: RunKill[] = [];
  caps = {
    globalMax: 2,
    users: new Map([
      ["ada", 1],
      ["ben", 2],
    ]),
  };
  slotsSeen = 2;
  leftBehind: number[] = [];
  refusals: string[] = [];
  ownEndings: (number | null)[] = [];

  dispatch(id: string, userId: string): void {
    const seq = this.rows.size + 1;
    const taskId = `task of ${id}`;
    const askedAt = this.now++;
    const output = outputOf({ token: id, lines: 3 });
    const asked = { token: id, userId, taskId, askedAt, answeredAt: this.now++, sessionIds: new Set([id]), output };
    this.dispatches.push({ ...asked, cancelAskedAt: null, cancelAnswer: null, followed: null });
    this.rows.set(id, {
      id,
      taskId,
      userId,
      seq,
      status: "queued",
      attempt: 1,
      failureKind: null,
      signal: null,
      outputBytes: null,
    });
    this.change(id, null, "queued");
  }

  grant(id: string, attempt = 1): void {
    this.grants += 1;
    this.set(id, { status: "running", attempt });
    this.change(id, "queued", "running", { grantSeq: this.grants, attempt });
  }

  act(id: string): void {
    const { attempt } = this.row(id);
    this.marks.push({ kind: "start", sessionId: id, attempt, at: this.now++, token: id });
    this.marks.push({ kind: "end", sessionId: id, attempt, at: this.now++, token: id });
  }

  end(id: string, ending: Partial<Row> = {}): void {
    const bytes = outputOf({ token: id, lines: 3 });
    this.outputs.set(id, { bytes, isComplete: true });
    this.set(id, { status: "succeeded", outputBytes: bytes.length, ...ending });
    this.change(id, "running", this.row(id).status);
  }

  whole(id: string, userId: string): void {
    this.dispatch(id, userId);
    this.grant(id);
    this.act(id);
    this.end(id);
  }

  row(id: string): Row {
    const row = this.rows.get(id);
    if (!row) throw new Error(`no ${id}`);
    return row;
  }

  set(id: string, change: Partial<Row>): void {
    this.rows.set(id, { ...this.row(id), ...change });
  }

  change(id: string, was: string | null, is: string, more: Partial<Transition> = {}): void {
    const { userId, seq, attempt } = this.row(id);
    this.tx += 1;
    const plain = { wasAttempt: was === null ? null : attempt, attempt, grantSeq: null, isHeld: false, backend: 1 };
    const at = this.now++;
    this.transitions.push({
      id: this.tx,
      tx: String(this.tx),
      at,
      sessionId: id,
      userId,
      order: seq,
      was,
      is,
      ...plain,
      ...more,
    });
  }

  evidence(): Evidence {
    const { caps, dispatches, transitions, marks, runKills, outputs, refusals, ownEndings, leftBehind, slotsSeen } =
      this;
    const rows = [...this.rows.values()];
    const told = { refusals, ownEndings, leftBehind, slotsSeen };
    return { caps, dispatches, rows, transitions, marks, runKills, outputs, ...told };
  }

  /** What was found, by kind; kinds without a finding are left out. */
  found(): Partial<Record<Finding, readonly string[]>> {
    const { findings, isClean } = check(this.evidence());
    const found = FINDINGS.filter((kind) => findings[kind].length > 0);
    expect(isClean).toBe(found.length === 0);
    return Object.fromEntries(found.map((kind) => [kind, findings[kind]]));
  }
}

function story(): Story {
  const told = new Story();
  told.whole("a1", "ada");
  told.whole("b1", "ben");
  told.whole("a2", "ada");
  return told;
}

test("a run in which everything happened once, in order and whole is clean", () => {
  expect(story().found()).toEqual({});
  expect(check(story().evidence()).judged).toEqual({ grants: 3, pairs: 0, whole: 3, followed: 0 });
});

test("[P1] an answered dispatch without a row is lost, and so is one that was never answered", () => {
  const told = story();
  told.rows.delete("b1");
  told.dispatches.push({
    ...(told.dispatches[0] as Dispatch),
    token: "x",
    taskId: "x",
    answeredAt: null,
    sessionIds: new Set(),
  });
  expect(told.found().lost).toEqual(["[P1] b1 was answered and has no row.", "[P1] x was never answered (row: none)."]);
});

test("[P10] a session that never ended is lost, and so is one that succeeded without having run", () => {
  const told = story();
  told.dispatch("b2", "ben");
  told.marks.splice(0, 1);
  expect(told.found().lost).toHaveLength(2);
});

test("[R2] an agent that started for two attempts ran twice, even if each of them had its slot", () => {
  const told = story();
  told.dispatch("b2", "ben");
  told.grant("b2");
  told.act("b2");
  told.change("b2", "running", "queued", { attempt: 2 });
  told.grant("b2", 2);
  told.act("b2");
  told.end("b2");
  expect(told.found()).toEqual({
    twice: ["[R2] b2 has 2 marks of its start (attempts 1, 2).", "[R2] b2 has 2 marks of its end (attempts 1, 2)."],
  });
});

test("[P3] one dispatch with two sessions happened twice", () => {
  const told = story();
  told.dispatches[1]?.sessionIds.add("a2");
  expect(told.found().twice).toEqual(["[P3] b1 has 2 sessions for one dispatch."]);
});

test("[P8][R2] an attempt that was granted twice, unless it was handed back before it acted", () => {
  const told = story();
  told.dispatch("b2", "ben");
  told.grant("b2");
  told.change("b2", "running", "queued");
  told.grant("b2");
  told.act("b2");
  told.end("b2");
  expect(told.found()).toEqual({});
  told.transitions.splice(-3, 1);
  expect(told.found()).toEqual({ twice: ["[P8] b2.1 was granted twice."] });
});

test("[P4] a grant over a person's cap, and one over the cap of all, by the rows and by the agents' marks", () => {
  const told = story();
  for (const [id, who] of [
    ["a3", "ada"],
    ["a4", "ada"],
    ["b3", "ben"],
  ] as const)
    told.dispatch(id, who);
  for (const id of ["a3", "a4", "b3"]) told.grant(id);
  for (const id of ["a3", "a4", "b3"])
    told.marks.push({ kind: "start", sessionId: id, attempt: 1, at: told.now++, token: id });
  for (const id of ["a3", "a4", "b3"])
    told.marks.push({ kind: "end", sessionId: id, attempt: 1, at: told.now++, token: id });
  for (const id of ["a3", "a4", "b3"]) told.end(id);
  const { "over cap": over = [] } = told.found();
  expect(over.filter((sentence) => /slots/.test(sentence))).toEqual([
    "[P4] a4: ada has 2 slots of 1.",
    "[P4] b3: 3 slots are taken of 2.",
  ]);
  expect(over.filter((sentence) => /ran at once/.test(sentence))).toHaveLength(2);
});

test("[R7] an agent that acted after its slot was given on", () => {
  const told = story();
  told.marks.push({ ...(told.marks.pop() as Mark), at: told.now++ });
  expect(told.found()["over cap"]).toEqual(["[R7] a2.1 marked its end while it had no slot."]);
});

test("[P5] a later dispatch granted before an earlier one of the same line, unless the earlier one was not answered yet", () => {
  const told = story();
  told.dispatch("b2", "ben");
  told.dispatch("b3", "ben");
  for (const id of ["b3", "b2"]) {
    told.grant(id);
    told.act(id);
    told.end(id);
  }
  expect(told.found()["out of order"]).toEqual(["[P5] b3 was granted before b2 of the same line."]);
  const first = told.dispatches.find(({ token }) => token === "b2");
  if (first) first.answeredAt = told.now;
  expect(told.found()["out of order"]).toBeUndefined();
});

test("[P6] a grant to somebody with a larger share of their cap, and one to whoever was granted last", () => {
  const told = story();
  told.caps.users.set("ada", 2);
  told.dispatch("a3", "ada");
  told.grant("a3");
  for (const [id, who] of [
    ["a4", "ada"],
    ["b2", "ben"],
  ] as const)
    told.dispatch(id, who);
  told.grant("a4");
  for (const id of ["a3", "a4"]) {
    told.act(id);
    told.end(id);
  }
  told.grant("b2");
  told.act("b2");
  told.end("b2");
  expect(told.found().unfair).toEqual(["[P6] a4 of ada was granted although it was the turn of ben."]);
});

test("[P7] a grant that leaves a slot free although somebody could have had it", () => {
  const told = story();
  for (const [id, who] of [
    ["b2", "ben"],
    ["b3", "ben"],
  ] as const)
    told.dispatch(id, who);
  told.grant("b2");
  told.grant("b3");
  for (const id of ["b2", "b3"]) {
    told.act(id);
    told.end(id);
  }
  expect(told.found()).toEqual({ "idle slots": ["[P7] after b2: 1 free, and ben waits."] });
});

test("[R6] output with a gap, with a double, torn, not complete, or read otherwise by whoever followed it", () => {
  const lines = outputOf({ token: "b1", lines: 3 }).toString().split("\n");
  const saying = (...said: (string | undefined)[]) => Buffer.from(said.map((line) => `${line}\n`).join(""));
  for (const bytes of [saying(lines[0], lines[2]), saying(lines[0], lines[0], lines[1], lines[2]), saying(lines[0])]) {
    const told = story();
    told.outputs.set("b1", { bytes, isComplete: true });
    told.set("b1", { outputBytes: bytes.length });
    expect(told.found()["output broken"]).toHaveLength(1);
  }
  const told = story();
  told.outputs.set("b1", { bytes: outputOf({ token: "b1", lines: 3 }), isComplete: false });
  for (const dispatch of told.dispatches) dispatch.followed = outputOf({ token: dispatch.token, lines: 2 });
  expect(told.found()["output broken"]).toHaveLength(4);
});

test("[R3][P17] an ending that nothing was done for, and a cancel that was forgotten", () => {
  const told = story();
  told.set("a1", { status: "failed", failureKind: "runner-lost" });
  told.set("b1", { status: "cancelled" });
  const last = told.dispatches[2];
  if (last) Object.assign(last, { cancelAskedAt: 1, cancelAnswer: "stopping" });
  expect(told.found()["endings unexplained"]).toEqual([
    "[R3] a1 is failed (runner-lost), for no reason.",
    "[P17] b1 is cancelled, and nobody asked for it.",
    "[P17] a2 was told to be stopping and is succeeded.",
  ]);
  told.runKills.push({ what: "host", sessionId: "a1", attempt: 1 });
  expect(told.found()["endings unexplained"]).toHaveLength(2);
});

test("[P9][R7] a slot that cannot be had at the end, and a process that was left behind", () => {
  const told = story();
  told.slotsSeen = 1;
  told.leftBehind = [4711];
  expect(Object.keys(told.found())).toEqual(["slots missing", "left behind"]);
});

test("[P18] a server that gives up starting, which is not one that crashed", () => {
  const told = story();
  told.ownEndings = [1, null];
  expect(told.found()).toEqual({});
  told.ownEndings = [1, 78];
  expect(told.found()["starts given up"]).toHaveLength(1);
});

test("a mark that is torn or that no agent wrote makes the run worthless", () => {
  expect(marksFrom("start 0a.s-1.2 1700 42 u0n1\n")).toEqual([
    { kind: "start", sessionId: "s-1", attempt: 2, at: 1700, token: "u0n1" },
  ]);
  expect(() => marksFrom("start 0a.s-1.2 1700 42 u0n1")).toThrow("torn");
  expect(() => marksFrom("sta\n")).toThrow("No mark");
});
