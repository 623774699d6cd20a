/** What a card says in each of its states (B1). In one file: one table, as long as there are states. */
import { describe, expect, test } from "vitest";
import type { PoolPicture, PoolSession } from "@/server/contract/pool";
import type { Session } from "@/server/contract/sessions";
import type { Task } from "@/server/contract/tasks";
import { endedSentence } from "@/server/core/agent/background";
import type { PoolReader } from "../pool/wording";
import { type CardView, viewOf } from "./card-view";
import { arrange } from "./columns";
import { sampleLive, samplePool, sampleSession, sampleTask } from "./sample";

const NAMES: Record<string, string> = { nora: "Nora Feld", mira: "Mira Okafor", amr: "עמר בן־דוד" };
const NUMBERS: Record<string, number> = { r12: 12, r14: 14, q15: 15, s1: 31 };

const nameOf = (userId: string) => NAMES[userId] ?? "Somebody";
const twoRun = {
  r12: sampleLive({
    taskId: "t12",
    status: "running",
    phase: "working",
    position: 0,
    startedAt: "2026-01-01T12:00:00Z",
  }),
  r14: sampleLive({
    taskId: "t14",
    status: "running",
    phase: "working",
    position: 0,
    startedAt: "2026-01-01T12:00:00Z",
  }),
};

function look(live: Partial<PoolSession> | null, pool: Partial<PoolPicture> = {}, task: Partial<Task> = {}): CardView {
  const sessions = { ...pool.sessions, ...(live === null ? {} : { s1: sampleLive(live) }) };
  const picture = samplePool({ users: { nora: { running: 2, max: 2, queued: 3 } }, ...pool, sessions });
  const reader: PoolReader = { pool: picture, meId: "nora", nameOf, numberOf: (id) => NUMBERS[id] ?? null };
  const columns = arrange([sampleTask(task)], picture);
  const card = Object.values(columns).flat()[0];
  if (card === undefined) throw new Error("the card is nowhere");
  return viewOf(card, { mayCost: (id) => id !== "free", meId: "nora", nameOf, reader, quietNoticeSeconds: 300 });
}

const waits = (reason: PoolSession["waitingFor"] & object, more: Partial<PoolSession> = {}) => ({
  position: 3,
  waitingFor: reason,
  ...more,
});
const text = (said: string) => ({ kind: "text", text: said });

describe("a waiting card", () => {
  test("[B1][P14] your-limit: place, estimate, and who runs", () => {
    const reason = { reason: "your-limit", sessions: ["r12", "r14", "q15"] } as const;
    const view = look(waits({ ...reason, sessions: [...reason.sessions] }, { startsIn: { p50: 960, p80: 1440 } }), {
      sessions: { ...twoRun, q15: sampleLive({ taskId: "t15" }) },
    });
    expect(view).toMatchObject({
      look: "queued",
      mark: { kind: "place", place: 3 },
      word: "Queued · position 3",
      right: text("about 16 min"),
      note: "your limit 2/2 · #12, #14 are running",
    });
  });

  test("[B1][P14] your-limit with one running session says so in the singular, a team-mate's by name", () => {
    const one = { r12: twoRun.r12 };
    const users = { mira: { running: 1, max: 1, queued: 1 } };
    const view = look(waits({ reason: "your-limit", sessions: ["r12"] }, { userId: "mira", position: 1 }), {
      sessions: one,
      users,
    });
    expect(view.note).toBe("Mira’s limit 1/1 · #12 is running");
  });

  test("[B1][P14] below the limit it names who runs and who goes first", () => {
    const view = look(waits({ reason: "your-limit", sessions: ["r12", "q15"] }, { position: 2 }), {
      sessions: { r12: twoRun.r12, q15: sampleLive({ taskId: "t15" }) },
      users: { nora: { running: 1, max: 2, queued: 2 } },
    });
    expect(view.note).toBe("your limit 2 · #12 runs, #15 goes first");
  });

  test("[B1][L4] sessions of other projects are counted and not named", () => {
    const all = look(waits({ reason: "your-limit", sessions: ["x", "y"] }));
    expect(all.note).toBe("your limit 2/2 · 2 elsewhere");
    const some = look(waits({ reason: "your-limit", sessions: ["r12", "x"] }), { sessions: { r12: twoRun.r12 } });
    expect(some.note).toBe("your limit 2/2 · #12 is running, 1 elsewhere");
  });

  test("[B1][P14][P15] pool-limit: how full, how many ahead, and 'next' instead of 0", () => {
    const full = { global: { running: 20, max: 20, queued: 19 } };
    expect(look(waits({ reason: "pool-limit" }, { ahead: 12 }), full).note).toBe("pool full 20/20 · 12 ahead");
    expect(look(waits({ reason: "pool-limit" }, { ahead: 0 }), full).note).toBe("pool full 20/20 · next");
  });

  test("[B1][P15] without enough history there is no number but 'no estimate yet'", () => {
    expect(look(waits({ reason: "pool-limit" })).right).toEqual(text("no estimate yet"));
  });

  test("[B1][P14][P16] paused", () => {
    expect(look(waits({ reason: "paused" }), { paused: true })).toMatchObject({
      word: "Queued · position 3",
      right: text("no estimate"),
      note: "pool paused · starts after it is resumed",
    });
  });

  test("[B1][P14] pool-starting", () => {
    expect(look(waits({ reason: "pool-starting" }), { isReady: false })).toMatchObject({
      right: text("no estimate"),
      note: "the pool is starting · your place is kept",
    });
  });

  test("[B1][P14] limit 0", () => {
    const users = { nora: { running: 0, max: 0, queued: 1 } };
    expect(look(waits({ reason: "your-limit" }, { position: 1 }), { users })).toMatchObject({
      right: text("no estimate"),
      note: "your limit is 0 · ask an administrator",
    });
  });

  test("[B1][P14][A8] held: a bar instead of a place, and what is wrong", () => {
    const held = {
      position: null,
      waitingFor: { reason: "agent-unusable", detail: "Codex is not installed here" },
    } as const;
    expect(look(held)).toMatchObject({
      look: "queued",
      mark: { kind: "mark", name: "held" },
      word: "Queued · held",
      note: "Codex is not installed here",
    });
    expect(look({ position: null, waitingFor: { reason: "disk" } }).note).toBe("less than 1 GB free on the server");
  });

  test("[B1][A7] held by the budget: until when", () => {
    const waitingFor = { reason: "budget", until: "2026-04-01T00:00:00.000Z" } as const;
    const view = look({ position: null, waitingFor });
    expect(view.note).toBe("your budget is used up · until 1 April");
    expect(view.right).toEqual(text("1 April"));
  });
});

describe("a running card", () => {
  const runs = (phase: PoolSession["phase"]) =>
    ({ status: "running", phase, position: 0, startedAt: "2026-01-01T12:01:00.000Z" }) as const;
  const clock = { kind: "clock", since: "2026-01-01T12:01:00.000Z" };
  const acting = (lastAction: string | null) => ({
    column: "running" as const,
    session: sampleSession({ status: "running", phase: "working", lastAction }),
  });

  test("[B1] starting", () => {
    expect(look(runs("starting"))).toMatchObject({
      look: "starting",
      word: "Starting",
      right: clock,
      note: "worktree and agent coming up",
    });
  });

  test("[B1] working: the last action, or that there is none yet", () => {
    expect(look(runs("working"), {}, acting("Edit src/webhooks/retry.ts"))).toMatchObject({
      look: "running",
      word: "Running",
      right: clock,
      note: "Edit src/webhooks/retry.ts",
    });
    expect(look(runs("working"), {}, acting(null)).note).toBe("at work");
  });

  test("[B1][R12] asking: me by 'you', others by name", () => {
    expect(look(runs("asking"))).toMatchObject({ look: "asking", word: "Needs you" });
    expect(look({ ...runs("asking"), userId: "mira" }).word).toBe("Needs Mira");
  });

  test("[B1][P17] stopping, and saving", () => {
    expect(look(runs("stopping"))).toMatchObject({ look: "stopping", word: "Stopping", note: "asked to stop" });
    expect(look(runs("saving"))).toMatchObject({ look: "saving", word: "Saving work" });
  });
});

describe("an ended card", () => {
  const times = { startedAt: "2026-01-01T12:00:00.000Z", finishedAt: "2026-01-01T12:12:00.000Z" };
  function ended(change: Partial<Session>): CardView {
    const session = sampleSession({ ...times, files: 6, additions: 128, deletions: 34, position: null, ...change });
    return look(null, {}, { column: "review", session, sessionCount: 1 });
  }

  test("[B1] succeeded: lines, files, time, cost", () => {
    const tokens = { input: 1_000, cachedInput: 0, output: 100, partial: false, conversationCostUsd: null };
    const usage = { ...tokens, costUsd: 0.84, costSource: "reported" } as const;
    expect(ended({ status: "succeeded", usage })).toMatchObject({
      look: "succeeded",
      word: "Succeeded",
      right: { kind: "lines", added: 128, removed: 34 },
      note: "6 files · 12 min",
      noteRight: "$0.84",
    });
  });

  test("[B1][A9] what its agent left running is told", () => {
    const lastAction = endedSentence(["dev server"]);
    expect(ended({ status: "succeeded", lastAction }).note).toBe(
      "6 files · 12 min · ended something in the background",
    );
  });

  test("[B1][A4] an unknown cost is a dash and never $0.00", () => {
    expect(ended({ status: "succeeded" }).noteRight).toBe("—");
    // Of an agent that is no AI nothing is unknown.
    expect(ended({ status: "succeeded", agentId: "free" }).noteRight).toBeNull();
  });

  test("[B1] failed: its one sentence; without changes it says so", () => {
    const failure = { kind: "agent-exited", exitCode: 1, sentence: "The agent exited with code 1.", next: "" } as const;
    expect(ended({ status: "failed", failure, files: 0, additions: 0, deletions: 0 })).toMatchObject({
      look: "failed",
      word: "Failed",
      right: text("no changes"),
      note: "The agent exited with code 1.",
    });
  });

  test("[B1][P17] cancelled: by whom, after how long, work kept", () => {
    expect(ended({ status: "cancelled", cancelledBy: "mira" })).toMatchObject({
      word: "Cancelled",
      note: "by Mira after 12 min · work kept",
    });
    // Such as `npm run stop-agents`.
    expect(ended({ status: "cancelled", cancelledBy: null }).note).toBe(
      "by the server’s operator after 12 min · work kept",
    );
    const nothing = { status: "cancelled", cancelledBy: "mira", files: 0, additions: 0, deletions: 0 } as const;
    expect(ended(nothing)).toMatchObject({ right: text("no changes"), note: "by Mira after 12 min" });
  });

  test("[B1][W2] what was not saved or left out is named", () => {
    expect(ended({ status: "succeeded", leftOut: [".env"] }).note).toBe("6 files · 12 min · left out: .env");
    expect(ended({ status: "succeeded", workUnsaved: "the disk is full" }).note).toBe(
      "Work not saved: the disk is full",
    );
    const failure = { kind: "agent-exited", exitCode: 1, sentence: "It exited.", next: "" } as const;
    expect(ended({ status: "failed", failure, leftOut: [".env"] }).note).toBe("It exited. · left out: .env");
    const stopped = { status: "cancelled" as const, cancelledBy: "mira", leftOut: [".env"] };
    expect(ended(stopped).note).toBe("by Mira after 12 min · work kept · left out: .env");
  });

  test("[B1] done: by whom, after how many sessions", () => {
    const session = sampleSession({ ...times, status: "succeeded", additions: 64, deletions: 3, files: 2 });
    expect(look(null, {}, { column: "done", session, sessionCount: 2, shelfBy: "nora" })).toMatchObject({
      look: "done",
      word: "Done",
      right: { kind: "lines", added: 64, removed: 3 },
      note: "by Nora · 2 sessions",
    });
  });

  test("[B1][B12] a name from right to left keeps to its place in a note", () => {
    expect(look(null, {}, { column: "done", session: null, sessionCount: 0, shelfBy: "amr" }).note).toBe(
      "by \u200e\u2068עמר\u2069 · 0 sessions",
    );
  });

  test("[B1][W4] a card whose branch was offered names the pull request", () => {
    const at = "2026-01-01T12:12:00.000Z";
    const outcome = { kind: "requested", at, by: "mira", commit: null, base: "main" } as const;
    const pullRequest = {
      number: 418,
      url: "https://github.com/p",
      state: "open",
      isDraft: false,
      changedAt: at,
    } as const;
    expect(look(null, {}, { column: "done", outcome, pullRequest, sessionCount: 2 })).toMatchObject({
      word: "Pull request #418",
      note: "by Mira · 2 sessions",
    });
  });

  test("[B1][W4] merged and discarded cards say so, by whom and, of a discarded one, that its branch is there", () => {
    const done = (kind: "merged" | "discarded") => {
      const base = kind === "merged" ? "main" : null;
      const outcome = { kind, at: "2026-01-01T12:12:00.000Z", by: "mira", commit: null, base };
      return look(null, {}, { column: "done", outcome, sessionCount: 2, shelfBy: "nora" });
    };
    expect(done("merged")).toMatchObject({ word: "Merged into main", note: "by Mira · 2 sessions" });
    expect(done("discarded")).toMatchObject({ word: "Discarded", note: "by Mira · branch kept" });
  });

  test("[B1] backlog shows the beginning of the prompt", () => {
    expect(look(null)).toMatchObject({ look: "backlog", note: "Use the table we have." });
  });
});
