/** What of an agent's output is told to the rows, and how often (R9): pure but for the fake runner. */
import { expect, test } from "vitest";
import type { LiveSession } from "../../core/pool/picture";
import type { RunOrder } from "../../ports/runner";
import { createFakeRunner } from "../../testing/fake-runner";
import { waitFor } from "../../testing/wait-for";
import { outputNews } from "./session-follow";
import { createLife } from "./session-life";

const RUN = { sessionId: "s1", attempt: 1 };
const EVERY_MS = 60_000;

async function writing(quietNoticeMs: number | null) {
  const clock = { now: 1_000_000 };
  const runner = createFakeRunner({ now: () => clock.now });
  await runner.start({ ...RUN, command: { argv: ["agent"], stdin: null } } as unknown as RunOrder);
  await waitFor(async () => (await runner.probe(RUN)).kind === "present", "the agent");
  const life = createLife({ id: "s1", attempt: 1, phase: "working" } as LiveSession, "granted", runner);
  const isKnown = (ms: number) => {
    life.facts = { quietNoticeMs: ms } as typeof life.facts;
  };
  if (quietNoticeMs !== null) isKnown(quietNoticeMs);
  return {
    isKnown,
    at(seconds: number, line: string | null) {
      clock.now = 1_000_000 + seconds * 1_000;
      if (line !== null) runner.print(RUN, `${line}\n`);
      return outputNews(runner, life, EVERY_MS, seconds * 1_000);
    },
  };
}

test("[R9][B1] a new line is told with when it came; the same line again is told once a minute, nothing new not at all", async () => {
  const agent = await writing(300_000);
  expect(await agent.at(0, null)).toBeNull();
  expect(await agent.at(1, "reading")).toEqual({ lastAction: "reading", outputBytes: 8, lastOutputAt: 1_001_000 });
  expect(await agent.at(2, "reading")).toBeNull();
  expect(await agent.at(60, null)).toBeNull();
  // It fell silent a minute ago: since when is told as it is.
  expect(await agent.at(61, null)).toEqual({ outputBytes: 16, lastOutputAt: 1_002_000 });
  expect(await agent.at(121, "reading")).toEqual({ outputBytes: 24, lastOutputAt: 1_121_000 });
  expect(await agent.at(122, "writing")).toMatchObject({ lastAction: "writing", lastOutputAt: 1_122_000 });
  expect(await agent.at(500, null)).toBeNull();
});

test("[R9] where a project calls an agent quiet sooner, it is told twice within that time, so that no writer is called quiet", async () => {
  const agent = await writing(20_000);
  expect(await agent.at(0, "on and on")).not.toBeNull();
  const told = [];
  for (let second = 1; second <= 20; second += 1) {
    if ((await agent.at(second, "on and on")) !== null) told.push(second);
  }
  expect(told).toEqual([10, 20]);
});

test("[R3][B1] of one that was found again nothing is told before it is known how it speaks, and then all that it said", async () => {
  const agent = await writing(null);
  expect(await agent.at(0, '{"camelot":"begin","conversation":"c1"}')).toBeNull();
  expect(await agent.at(1, "reading")).toBeNull();
  agent.isKnown(300_000);
  expect(await agent.at(2, null)).toMatchObject({ lastAction: "reading", lastOutputAt: 1_001_000 });
});
