import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { PoolSession } from "@/server/contract/pool";
import type { SessionStatus } from "@/server/core/words";
import { announceSlot } from "../ui/announce";
import { arrange } from "./columns";
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
