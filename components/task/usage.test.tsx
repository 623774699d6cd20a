import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import type { Session } from "@/server/contract/sessions";
import { samplePool, sampleSession, sampleTask } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { TokensAndCost } from "../profile/tokens-and-cost";
import { TaskUsage } from "./usage";

const SUM = { sessions: 2, input: 100, cachedInput: 20, output: 3, costUsd: 0.5, unknownCost: 1, partial: false };

let answered = 0;

beforeEach(() => {
  answered = 0;
  const agents = ["codex", "shell"].map((kind) => ({
    ...{ id: kind, name: kind, kind, settings: {}, projectId: null, problem: null, hold: null, program: null },
  }));
  vi.stubGlobal("fetch", async (request: Request) => {
    answered += 1;
    const isSum = request.url.endsWith("/tasks/t1/usage");
    const answer = isSum ? SUM : { items: agents, next: null };
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(change: Partial<Session>, sessionCount = 1) {
  const session = sampleSession({
    agentId: "codex",
    status: "succeeded",
    startedAt: "2026-01-01T12:00:00.000Z",
    ...change,
  });
  const me = {
    id: "nora",
    name: "Nora",
    email: "n@example.test",
    role: "member" as const,
    running: 0,
    queued: 0,
    max: 2,
  };
  return render(
    <LiveProvider isSignedIn={false} first={{ me, pool: samplePool(), projects: [] }} moment={0} routes={contract}>
      <TaskUsage task={sampleTask({ session, sessionCount })} session={session} />
    </LiveProvider>,
  );
}

const shown = async () => (await screen.findByRole("region", { name: "Usage" })).textContent;

test("[A4][B7] a session's tokens stand beside it; a cost that its agent does not tell is unknown, and partial is said", async () => {
  const usage = { input: 41_208, cachedInput: 612_940, output: 9_377, costUsd: null, costSource: "unknown" as const };
  show({ usage: { ...usage, partial: true, conversationCostUsd: null } });
  expect(await shown()).toBe(
    "UsageInput41,208Cached input612,940Output9,377CostunknownPartial: more was used than is known.",
  );
});

test("[A4] an agent that told nothing is unknown; one that runs tells it at its end; Shell, which is no AI, says nothing", async () => {
  show({ usage: null });
  expect(await shown()).toBe("UsageUnknown: its agent told nothing.");
  cleanup();
  show({ usage: null, status: "running" });
  expect(await shown()).toBe("UsageTold when it ends.");
  cleanup();
  const { container } = show({ agentId: "shell" });
  await waitFor(() => expect(answered).toBe(3));
  await act(async () => {});
  expect(container.textContent).toBe("");
});

test("[A4] a task of several sessions tells the sum of all, and for how many the cost is unknown", async () => {
  show({ usage: null }, 3);
  expect(await screen.findByText("123 tokens")).toBeTruthy();
  expect(screen.getByText("$0.50, and unknown for 1 session")).toBeTruthy();
});

test("[A4][B8] tokens and cost per day: each day in words, the total, and what today cost", () => {
  const none = { sessions: 0, input: 0, cachedInput: 0, output: 0, costUsd: null, unknownCost: 0, partial: false };
  const days = [
    { day: "2026-03-08", ...none },
    { day: "2026-03-09", ...SUM },
  ];
  render(<TokensAndCost usage={{ total: SUM, days }} />);
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe(
    "Tokens and cost per day: 8 Mar: 0 tokens, cost none; 9 Mar: 123 tokens, cost $0.50, and unknown for 1 session",
  );
  cleanup();
  render(<TokensAndCost usage={{ total: none, days: [] }} />);
  expect(screen.getByText("No session told of tokens in these days.")).toBeTruthy();
});
