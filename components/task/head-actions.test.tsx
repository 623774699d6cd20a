import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { routes } from "@/app/routes";
import { learnRoutes } from "../api";
import { reviewEntries } from "../board/review-moves";
import { sampleMenuHelp, sampleSession, sampleTask } from "../board/sample";
import { forgetServerTime, heardServerTime } from "../live/clock";
import { announceSlot } from "../ui/announce";
import { questionSlot } from "../ui/ask";
import { drawToasts } from "../ui/toast";
import { HeadActions } from "./head-actions";

const START = "2026-01-01T12:00:00.000Z";
const HELP = sampleMenuHelp();

/** Lets the server answer. */
let answer: () => void = () => {};

learnRoutes(routes);

beforeEach(() => {
  heardServerTime(performance.now() + 1_000_000);
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  vi.stubGlobal("fetch", async () => {
    await answered;
    return new Response(JSON.stringify(sampleTask()), { headers: { "content-type": "application/json" } });
  });
});

afterEach(async () => {
  answer();
  await screen.findByRole("button", { name: "Merge into main" });
  cleanup();
  forgetServerTime();
  vi.unstubAllGlobals();
});

function show(help = HELP) {
  const session = sampleSession({ status: "succeeded", startedAt: START, files: 2 });
  const task = sampleTask({ column: "review", session, branch: "camelot/12-retry" });
  const entries = reviewEntries({ column: "review", live: null, liveId: null, task }, help);
  render(<HeadActions taskId={task.id} entries={entries.filter(({ label }) => label !== "Discard").toReversed()} />);
  return entries;
}

test("[W4] the pressed button says what is being done and for how long; readers of the screen hear it once", async () => {
  show();
  const said: (string | null)[] = [];
  const unheard = announceSlot.subscribe(() => said.push(announceSlot.held()));
  fireEvent.click(screen.getByRole("button", { name: "Merge into main" }));
  const button = await screen.findByRole("button", { name: "Merging…" });
  heardServerTime(performance.now() + 1_042_000);
  await vi.waitFor(() => expect(button.textContent).toMatch(/^Merging… 0:4\d$/), 5_000);
  expect(screen.getByRole("button", { name: "Push" }).textContent).toBe("Push");
  expect(said).toEqual(["#12: Merging…"]);
  unheard();
});

test("[W4] what was begun in the menu is said beside the buttons", async () => {
  const entries = show();
  entries.find(({ label }) => label === "Discard")?.run();
  await vi.waitFor(() => expect(questionSlot.held()).not.toBeNull());
  questionSlot.held()?.answer(true);
  questionSlot.close();
  expect((await screen.findByText(/^Discarding…/)).textContent).toMatch(/^Discarding… 0:0\d$/);
  const merge = screen.getByRole("button", { name: "Merge into main" });
  expect(merge.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(merge);
  expect(questionSlot.held()).toBeNull();
});

test("[W4][B12] what cannot be pressed can be reached, is described by the reason, and says it when it is pressed", () => {
  const why = "The project’s repository has no remote to push to.";
  show(sampleMenuHelp({ whyNoPush: why }));
  const said: string[] = [];
  const unheard = drawToasts(({ text }) => said.push(text));
  const push = screen.getByRole<HTMLButtonElement>("button", { name: "Push", description: why });
  push.focus();
  expect(document.activeElement).toBe(push);
  expect(push.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(push);
  expect(said.at(-1)).toBe(why);
  expect(push.textContent).toBe("Push");
  unheard();
});
