import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { PoolSession } from "@/server/contract/pool";
import type { SessionStatus } from "@/server/core/words";
import { announceSlot } from "../ui/announce";
import { arrange, type BoardColumns } from "./columns";
import { sampleLive, samplePool, sampleSession, sampleTask } from "./sample";
import { useAnnouncements } from "./use-announcements";

afterEach(() => {
  cleanup();
  announceSlot.close();
});

function board(status: SessionStatus, live: PoolSession | null) {
  const task = sampleTask({ column: "running", session: sampleSession({ status }), sessionCount: 1 });
  return arrange([task], samplePool({ sessions: live === null ? {} : { s1: live } }));
}

test("[B4] an ending is told once, and never as running while the pool knows of it and the board does not", () => {
  const live = sampleLive({ status: "running", phase: "working", position: 0 });
  const { rerender } = renderHook(({ columns }) => useAnnouncements(columns, live.userId), {
    initialProps: { columns: board("running", live) },
  });
  rerender({ columns: board("running", null) });
  expect(announceSlot.held()).toBeNull();
  rerender({ columns: board("succeeded", null) });
  expect(announceSlot.held()).toMatch(/^#\d+ succeeded$/);
});

test("[B4] one's own withdrawal is told at the press and not once more, and the next dispatch is told again", () => {
  const waits = sampleLive({ status: "queued", position: 1 });
  const waiting = sampleTask({ column: "waiting", session: sampleSession({ status: "queued" }), sessionCount: 1 });
  const ended = (cancelledBy: string) =>
    sampleTask({ ...waiting, column: "backlog", session: sampleSession({ status: "cancelled", cancelledBy }) });
  const queued = arrange([waiting], samplePool({ sessions: { s1: waits } }));
  const { rerender } = renderHook(({ columns }) => useAnnouncements(columns, waits.userId), {
    initialProps: { columns: queued },
  });
  rerender({ columns: arrange([waiting], samplePool()) });
  rerender({ columns: arrange([ended(waits.userId)], samplePool()) });
  expect(announceSlot.held()).toBeNull();
  rerender({ columns: queued });
  expect(announceSlot.held()).toBe(`#${waiting.number} Queued · position 1`);
  rerender({ columns: arrange([ended("an administrator")], samplePool()) });
  expect(announceSlot.held()).toBe(`#${waiting.number} cancelled`);
});

test("[A11Y-1] what one dispatches is told as it is answered, a new card too; what others do is not, nor what was there before", () => {
  const waits = sampleLive({ status: "queued", position: 3 });
  const task = sampleTask({ column: "waiting", session: sampleSession({ status: "queued" }), sessionCount: 1 });
  const pool = samplePool({ sessions: { s1: waits } });
  const planned = arrange([sampleTask({ ...task, column: "backlog", session: null })], samplePool());
  const hear = (columns: BoardColumns, meId: string | null) => ({ columns, meId });
  const { rerender } = renderHook(({ columns, meId }) => useAnnouncements(columns, meId), {
    initialProps: hear(planned, waits.userId),
  });
  rerender(hear(arrange([task], pool), waits.userId));
  expect(announceSlot.held()).toBe(`#${task.number} Queued · position 3`);
  announceSlot.close();

  const another = { ...task, id: "t2", number: 2 };
  const both = samplePool({ sessions: { s1: waits, s2: { ...waits, taskId: "t2" } } });
  rerender(hear(arrange([task, another], both), waits.userId));
  expect(announceSlot.held()).toBe("#2 Queued · position 3");
  announceSlot.close();

  const others = renderHook(({ columns, meId }) => useAnnouncements(columns, meId), {
    initialProps: hear(planned, "somebody else"),
  });
  others.rerender(hear(arrange([task], pool), "somebody else"));
  const late = renderHook(({ columns, meId }) => useAnnouncements(columns, meId), {
    initialProps: hear(arrange([], pool), null),
  });
  late.rerender(hear(arrange([task], pool), waits.userId));
  expect(announceSlot.held()).toBeNull();
});
