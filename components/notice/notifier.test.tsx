import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PoolPicture } from "@/server/contract/pool";
import { arrange } from "../board/columns";
import { sampleLive, samplePool, sampleSession, sampleTask } from "../board/sample";
import { shownBoard } from "../board/shown-board";
import { keepNotices } from "./choice";
import { Notifier } from "./notifier";
import { unseenSlot } from "./unseen";

const held = vi.hoisted(() => ({ pool: undefined as PoolPicture | undefined, push: vi.fn() }));
const get = vi.hoisted(() => ({ session: vi.fn(), task: vi.fn() }));
vi.mock("next/navigation", () => ({ useRouter: () => ({ push: held.push }), usePathname: () => "/pool" }));
vi.mock("../live/live-provider", () => ({ usePool: () => held.pool }));
vi.mock("../people/use-people", () => ({ useMe: () => ({ id: "nora" }) }));
vi.mock("../api", () => ({ client: { sessions: { get: get.session }, tasks: { get: get.task } } }));

const running = samplePool({ sessions: { s1: sampleLive({ status: "running", phase: "working", position: 0 }) } });
const ended = samplePool({ version: 2 });
const shown: { head: string; options: NotificationOptions; onclick?: () => void }[] = [];

/** A browser that was asked and said yes; it keeps what it was told to show. */
class Shown {
  static permission = "granted";
  onclick?: () => void;
  constructor(head: string, options: NotificationOptions) {
    shown.push(Object.assign(this, { head, options }));
  }
  close(): void {}
}

beforeEach(() => {
  vi.stubGlobal("Notification", Shown);
  // The test's browser has locks that nobody ever gets.
  vi.spyOn(navigator, "locks", "get").mockReturnValue(undefined as unknown as LockManager);
  vi.spyOn(document, "hasFocus").mockReturnValue(false);
  document.title = "Pool · Camelot";
  get.task.mockResolvedValue(sampleTask());
  const finishedAt = "2026-01-01T12:05:00.000Z";
  get.session.mockResolvedValue(sampleSession({ status: "succeeded", startedAt: finishedAt, finishedAt }));
});
afterEach(() => {
  cleanup();
  keepNotices(false);
  shownBoard.close();
  unseenSlot.close();
  shown.length = 0;
  get.session.mockClear();
  held.push.mockClear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A session runs, and then it is gone from the picture. */
async function sessionEnds(): Promise<void> {
  held.pool = running;
  const { rerender } = render(<Notifier />);
  held.pool = ended;
  await act(async () => rerender(<Notifier />));
}

test("[B14] one's session that ends behind other windows is shown, counted in the title, and opened by a click", async () => {
  keepNotices(true);
  await sessionEnds();
  await vi.waitFor(() => expect(shown.map(({ head }) => head)).toEqual(["#12 succeeded"]));
  await vi.waitFor(() => expect(document.title).toBe("(1) Pool · Camelot"));
  document.title = "Agents · Camelot";
  await vi.waitFor(() => expect(document.title).toBe("(1) Agents · Camelot"));
  act(() => shown[0]?.onclick?.());
  expect(held.push).toHaveBeenCalledWith("/projects/p/tasks/12");
  await vi.waitFor(() => expect(document.title).toBe("Agents · Camelot"));
});

test("[B14] whoever did not ask for it is told nothing, and nothing is asked of the server", async () => {
  await sessionEnds();
  expect([shown.length, get.session.mock.calls.length, document.title]).toEqual([0, 0, "Pool · Camelot"]);
});

test("[B14] with the board in front nothing is told; elsewhere it is, until the board comes to the front", async () => {
  keepNotices(true);
  vi.mocked(document.hasFocus).mockReturnValue(true);
  const columns = arrange([], undefined);
  shownBoard.open({ projectId: "p", columns, shown: columns });
  await sessionEnds();
  await vi.waitFor(() => expect(get.session).toHaveBeenCalled());
  expect([shown.length, document.title]).toEqual([0, "Pool · Camelot"]);
  cleanup();
  shownBoard.close();
  await sessionEnds();
  await vi.waitFor(() => expect(document.title).toBe("(1) Pool · Camelot"));
  act(() => shownBoard.open({ projectId: "p", columns, shown: columns }));
  await vi.waitFor(() => expect(document.title).toBe("Pool · Camelot"));
});
