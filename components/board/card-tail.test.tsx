import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Session } from "@/server/contract/sessions";
import { forgetServerTime, heardServerTime } from "../live/clock";
import { NoteTail, Tail } from "./card-tail";
import { viewOf } from "./card-view";
import { arrange } from "./columns";
import { sampleLive, samplePool, sampleSession, sampleTask } from "./sample";

const START = Date.parse("2026-01-01T12:00:00.000Z");
const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString();

beforeEach(() => {
  vi.useFakeTimers();
  forgetServerTime();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  forgetServerTime();
});

/** The card's first line and its note, `seconds` after the start. */
function said(seconds: number, change: Partial<Session>, quietNoticeSeconds = 300) {
  const phase = change.phase ?? "working";
  const session = sampleSession({ status: "running", phase, phaseSince: at(0), startedAt: at(0), ...change });
  const live = sampleLive({ status: "running", phase, position: 0, startedAt: at(0) });
  const task = sampleTask({ column: "running", session, sessionCount: 1 });
  const [card] = arrange([task], samplePool({ sessions: { s1: live } })).running;
  if (card === undefined) throw new Error("the card is not in Running");
  const view = viewOf(card, {
    mayCost: () => true,
    meId: "nora",
    nameOf: () => "Nora",
    reader: null,
    quietNoticeSeconds,
  });
  forgetServerTime();
  heardServerTime(START + seconds * 1_000);
  const { container } = render(
    <>
      <p>
        {view.word} <Tail tail={view.tail} />
      </p>
      <p>
        {view.note}
        <NoteTail tail={view.tail} />
      </p>
    </>,
  );
  const words = [...container.querySelectorAll("p")].map((line) => line.textContent?.trim());
  cleanup();
  return words;
}

test("[R9][B1] a running agent that wrote nothing for so long is called quiet, in whole minutes, and not before", () => {
  const acts = { lastAction: "npm test", lastOutputAt: at(60) };
  expect(said(359, acts)).toEqual(["Running", "npm test"]);
  expect(said(360, acts)).toEqual(["Running · quiet for 5 min", "npm test"]);
  expect(said(479, acts)[0]).toBe("Running · quiet for 6 min");
  expect(said(3_600 + 360, acts)[0]).toBe("Running · quiet for 1 h 5 min");
  expect(said(75, acts, 10)[0]).toBe("Running · quiet for 15 s");
});

test("[R9] an agent that never wrote is quiet since it came up; one that waited for an answer since it goes on", () => {
  expect(said(300, {})[0]).toBe("Running · quiet for 5 min");
  expect(said(800, { lastOutputAt: at(10), phaseSince: at(700) })[0]).toBe("Running");
  expect(said(900, { phase: "asking", lastOutputAt: at(0) })[0]).toBe("Needs you");
});

test("[B1][R3] a session that was taken over after a restart says so for five minutes", () => {
  const adopted = { adoptedAt: at(120), lastOutputAt: at(400) };
  const word = said(419, adopted)[0];
  const hour = new Date(START + 120_000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  expect(word).toBe(`Running · adopted ${hour}`);
  expect(said(420, adopted)[0]).toBe("Running");
});

test("[B1][R7] a stopping session counts down to being forced", () => {
  const stopping = { phase: "stopping" as const, phaseSince: at(100), forcedAt: at(110) };
  expect(said(101, stopping)).toEqual(["Stopping", "asked to stop · forced in 9 s"]);
  expect(said(111, stopping)).toEqual(["Stopping", "asked to stop · being forced"]);
});

test("[P13] what the card's row says of another phase than the pool's is not said", () => {
  const live = sampleLive({ status: "running", phase: "stopping", position: 0 });
  const session = sampleSession({ status: "running", phase: "working", phaseSince: at(0), adoptedAt: at(0) });
  const task = sampleTask({ column: "running", session });
  const [card] = arrange([task], samplePool({ sessions: { s1: live } })).running;
  if (card === undefined) throw new Error("the card is not in Running");
  const who = { mayCost: () => true, meId: "nora", nameOf: () => "Nora", reader: null, quietNoticeSeconds: 300 };
  expect(viewOf(card, who).tail).toBeNull();
});
