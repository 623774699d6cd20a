import { expect, test } from "vitest";
import type { Task } from "@/server/contract/tasks";
import { arrange } from "./columns";
import { sampleLive, samplePool, sampleSession, sampleTask } from "./sample";

const numbers = (cards: readonly { task: { number: number } }[]) => cards.map(({ task }) => task.number);

test("[P13] a live card stands where the pool's session says, also while its own row is older", () => {
  const task = sampleTask({ column: "waiting", session: sampleSession() });
  const live = sampleLive({ status: "running", phase: "starting", position: 0 });
  const columns = arrange([task], samplePool({ sessions: { s1: live } }));
  expect(numbers(columns.running)).toEqual([12]);
  expect(columns.waiting).toEqual([]);
});

test("[P13] a session that the pool no longer has is not shown as running, so cards and figures agree", () => {
  const session = sampleSession({ status: "running", phase: "working", startedAt: "2026-01-01T12:01:00.000Z" });
  const columns = arrange([sampleTask({ column: "running", session, sessionCount: 1 })], samplePool());
  expect(columns.running).toEqual([]);
  expect(numbers(columns.review)).toEqual([12]);
});

test("[P13] a dispatch that the pool's picture is too old to know is shown as its row says", () => {
  const session = sampleSession({ queuedAt: "2026-01-01T13:00:00.000Z" });
  const columns = arrange([sampleTask({ column: "waiting", session })], samplePool());
  expect(numbers(columns.waiting)).toEqual([12]);
});

test("[P13] a cut picture of the pool takes no card away", () => {
  const session = sampleSession({ status: "running", phase: "working" });
  const columns = arrange([sampleTask({ column: "running", session })], samplePool({ truncated: true }));
  expect(numbers(columns.running)).toEqual([12]);
});

test("[B2][P6] Waiting stands in the order of grants: places in line first come first, held ones last", () => {
  const line = [
    { number: 31, position: 3, ahead: null, queuedAt: "2026-01-01T12:00:03.000Z" },
    { number: 40, position: null, ahead: null, queuedAt: "2026-01-01T12:00:00.000Z" },
    { number: 25, position: 1, ahead: null, queuedAt: "2026-01-01T12:00:02.000Z" },
    { number: 15, position: 1, ahead: null, queuedAt: "2026-01-01T12:00:01.000Z" },
    { number: 50, position: 1, ahead: 0, queuedAt: "2026-01-01T12:00:09.000Z" },
  ];
  const tasks = line.map(({ number }) => sampleTask({ id: `t${number}`, number }));
  const sessions = Object.fromEntries(
    line.map(({ number, ...rest }) => [`s${number}`, sampleLive({ taskId: `t${number}`, ...rest })]),
  );
  expect(numbers(arrange(tasks, samplePool({ sessions })).waiting)).toEqual([50, 15, 25, 31, 40]);
});

test("[B2][R12] in Running, who needs a person stands first", () => {
  const tasks = [sampleTask({ id: "a", number: 1 }), sampleTask({ id: "b", number: 2 })];
  const runs = { status: "running", position: 0 } as const;
  const sessions = {
    s1: sampleLive({ ...runs, taskId: "a", phase: "working", startedAt: "2026-01-01T12:00:00.000Z" }),
    s2: sampleLive({ ...runs, taskId: "b", phase: "asking", startedAt: "2026-01-01T12:01:00.000Z" }),
  };
  expect(numbers(arrange(tasks, samplePool({ sessions })).running)).toEqual([2, 1]);
});

test("[B3] Review and Done show what came last first: by its ending, or by when somebody put it there", () => {
  const ended = (id: string, number: number, finishedAt: string, change: Partial<Task> = {}) =>
    sampleTask({
      id,
      number,
      column: "review",
      sessionCount: 1,
      orderKey: String(number),
      session: sampleSession({ id: `of ${id}`, taskId: id, status: "succeeded", position: null, finishedAt }),
      ...change,
    });
  const review = [
    ended("a", 1, "2026-01-01T12:00:00.000Z"),
    ended("b", 2, "2026-01-01T14:00:00.000Z"),
    ended("c", 3, "2026-01-01T11:00:00.000Z", { shelfAt: "2026-01-01T13:00:00.000Z" }),
  ];
  expect(numbers(arrange(review, samplePool()).review)).toEqual([2, 3, 1]);
  const done = review.map((task, place) => ({
    ...task,
    column: "done" as const,
    shelfAt: `2026-01-02T1${place}:00:00.000Z`,
  }));
  expect(numbers(arrange(done, samplePool()).done)).toEqual([3, 2, 1]);
});

test("[B3] Backlog stands in the order people gave it", () => {
  const tasks = [
    sampleTask({ id: "a", number: 1, orderKey: "b" }),
    sampleTask({ id: "b", number: 2, orderKey: "a" }),
    sampleTask({ id: "c", number: 3, orderKey: "a" }),
  ];
  expect(numbers(arrange(tasks, samplePool()).backlog)).toEqual([3, 2, 1]);
});
