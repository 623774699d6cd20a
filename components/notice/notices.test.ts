import { expect, test } from "vitest";
import type { PoolSession } from "@/server/contract/pool";
import { sampleLive, samplePool } from "../board/sample";
import { isShownAt, LONG_WAIT_MS, momentsOf, type Notice, titleWith } from "./notices";

const QUEUED_AT = "2026-01-01T12:00:00.000Z";
const after = (ms: number) => new Date(Date.parse(QUEUED_AT) + ms).toISOString();
const queued = sampleLive({ queuedAt: QUEUED_AT });
const runs = sampleLive({ status: "running", phase: "working", position: 0, startedAt: after(1_000) });
const asks = { ...runs, phase: "asking" as const };
const with1 = (session: PoolSession | null) => samplePool({ sessions: session === null ? {} : { s1: session } });
const kinds = (before: PoolSession | null, now: PoolSession | null, meId = "nora") =>
  momentsOf(with1(before), with1(now), meId).map(({ kind }) => kind);

test("[B14] a session that is gone, asks, or starts after a long wait is a moment", () => {
  expect(kinds(runs, null)).toEqual(["gone"]);
  expect(kinds(runs, asks)).toEqual(["asks"]);
  expect(kinds(queued, { ...runs, startedAt: after(LONG_WAIT_MS) })).toEqual(["started"]);
});

test("[B14] a start after a short wait, a question that is known, and what just goes on are none", () => {
  expect(kinds(queued, { ...runs, startedAt: after(LONG_WAIT_MS - 1) })).toEqual([]);
  expect(kinds(asks, asks)).toEqual([]);
  expect(kinds(asks, runs)).toEqual([]);
  expect(kinds(runs, runs)).toEqual([]);
  expect(kinds(null, runs)).toEqual([]);
});

test("[B14] only one's own sessions are told, and nothing of a picture that is cut", () => {
  expect(kinds(runs, null, "mira")).toEqual([]);
  expect(momentsOf(with1(runs), samplePool({ truncated: true }), "nora")).toEqual([]);
});

test("[B14] the board with the card and the task's own page show it; nothing else does", () => {
  const notice: Notice = { id: "s1 gone", projectId: "p", number: 12, head: "", text: "" };
  expect(isShownAt(notice, { boardOf: "p", path: "/projects/p/tasks/13" })).toBe(true);
  expect(isShownAt(notice, { boardOf: null, path: "/projects/p/tasks/12" })).toBe(true);
  expect(isShownAt(notice, { boardOf: null, path: "/projects/p/tasks/1" })).toBe(false);
  expect(isShownAt(notice, { boardOf: "q", path: "/projects/q" })).toBe(false);
});

test("[B14] the figure stands before the title once, and goes without a trace", () => {
  expect(titleWith(2, "Pool · Camelot")).toBe("(2) Pool · Camelot");
  expect(titleWith(3, "(2) Pool · Camelot")).toBe("(3) Pool · Camelot");
  expect(titleWith(0, "(2) Pool · Camelot")).toBe("Pool · Camelot");
  expect(titleWith(0, "#1 (2) or (3)? · Camelot")).toBe("#1 (2) or (3)? · Camelot");
});
