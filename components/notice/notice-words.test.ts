import { beforeEach, expect, test, vi } from "vitest";
import { sampleSession, sampleTask } from "../board/sample";
import { noticeOf } from "./notice-words";
import type { Moment } from "./notices";

const get = vi.hoisted(() => ({ session: vi.fn(), task: vi.fn() }));
vi.mock("../api", () => ({ client: { sessions: { get: get.session }, tasks: { get: get.task } } }));

const moment = (kind: Moment["kind"]): Moment => ({ kind, sessionId: "s1", taskId: "t1", projectId: "p" });
const ran = { startedAt: "2026-01-01T12:03:00.000Z", finishedAt: "2026-01-01T12:05:00.000Z" };

beforeEach(() => get.task.mockResolvedValue(sampleTask()));

test("[B14] an ending is told with how it ended and why", async () => {
  const failure = { kind: "exit-code" as const, sentence: "The agent exited with code 1.", next: "" };
  get.session.mockResolvedValue(sampleSession({ ...ran, status: "failed", failure: failure as never }));
  expect(await noticeOf(moment("gone"), "nora")).toEqual({
    id: "s1 gone",
    projectId: "p",
    number: 12,
    head: "#12 failed",
    text: "Retry webhook deliveries\nThe agent exited with code 1.",
  });
});

test("[B14] what was withdrawn before it ran, or stopped by oneself, is no news; stopped by somebody else it is", async () => {
  get.session.mockResolvedValue(sampleSession({ status: "cancelled" }));
  expect(await noticeOf(moment("gone"), "nora")).toBeNull();
  get.session.mockResolvedValue(sampleSession({ ...ran, status: "cancelled", cancelledBy: "nora" }));
  expect(await noticeOf(moment("gone"), "nora")).toBeNull();
  get.session.mockResolvedValue(sampleSession({ ...ran, status: "cancelled", cancelledBy: "mira" }));
  expect((await noticeOf(moment("gone"), "nora"))?.head).toBe("#12 was stopped");
});

test("[B14] a question is told with its words, a start with how long it was waited for", async () => {
  const question = { id: "q", text: "Drop Node 18?", options: [], askedAt: "2026-01-01T12:00:00.000Z" };
  get.session.mockResolvedValue(sampleSession({ ...ran, status: "running", question }));
  expect((await noticeOf(moment("asks"), "nora"))?.text).toBe("Retry webhook deliveries\nDrop Node 18?");
  expect((await noticeOf(moment("started"), "nora"))?.head).toBe("#12 has started after 3 min");
});
