import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import type { Session } from "@/server/contract/sessions";
import { samplePool, sampleSession, sampleTask } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { TokensAndCost, UsageOfUser } from "../profile/tokens-and-cost";
import { TaskUsage } from "./usage";

const SUM = {
  sessions: 2,
  input: 100,
  cachedInput: 20,
  output: 3,
  unknownTokens: 0,
  costUsd: 0.5,
  unknownCost: 1,
  partial: false,
};

let answered = 0;
/** What the server says to sums instead; null: it tells them. */
let refusal: object | null = null;

beforeEach(() => {
  answered = 0;
  refusal = null;
  const agents = ["codex", "shell"].map((kind) => ({
    id: kind,
    name: kind,
    kind,
    settings: {},
    projectId: null,
    problem: null,
    hold: null,
    program: null,
  }));
  vi.stubGlobal("fetch", async (request: Request) => {
    answered += 1;
    const isSum = request.url.endsWith("/usage");
    if (isSum && refusal !== null) {
      // One that a second try does not turn into a yes, so that no test waits for it.
      return new Response(JSON.stringify(refusal), { status: 429, headers: { "content-type": "application/json" } });
    }
    if (request.url.includes("/users/"))
      return new Response(JSON.stringify({ total: SUM, days: [{ day: "2026-03-09", ...SUM }] }), {
        headers: { "content-type": "application/json" },
      });
    const answer = isSum ? SUM : { items: agents, next: null };
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(change: Partial<Session>, sessionCount = 1, of?: string) {
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
      {of === undefined ? null : <UsageOfUser userId={of} stamp="" />}
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
  expect(await shown()).toBe("UsageTold in full when it ends.");
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
  const none = { ...SUM, sessions: 0, input: 0, cachedInput: 0, output: 0, costUsd: null, unknownCost: 0 };
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

test("[A4][B8] tokens that no agent told are unknown on the profile and no 0; where some did, those of the others are named", () => {
  const untold = {
    ...SUM,
    sessions: 0,
    input: 0,
    cachedInput: 0,
    output: 0,
    unknownTokens: 3,
    costUsd: null,
    unknownCost: 3,
  };
  render(<TokensAndCost usage={{ total: untold, days: [{ day: "2026-03-09", ...untold }] }} />);
  const figures = () => screen.getAllByRole("definition").map(({ textContent }) => textContent);
  expect(figures()).toEqual(["unknown", "unknown (3 sessions)"]);
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe(
    "Tokens and cost per day: 9 Mar: unknown tokens, cost unknown (3 sessions)",
  );
  cleanup();
  render(<TokensAndCost usage={{ total: { ...SUM, unknownTokens: 1 }, days: [] }} />);
  expect(figures()).toEqual(["100", "20", "3", ""]);
  expect(screen.getByText("Tokens are unknown for 1 session more.")).toBeTruthy();
});

test("[A4][B8] sums that cannot be read say so, and are there at the next try that is answered", async () => {
  refusal = { code: "TOO_MANY_REQUESTS", message: "Too many requests." };
  show({ usage: null }, 3, "nora");
  const panel = await screen.findByRole("region", { name: "Tokens and cost" });
  expect(within(panel).getByRole("alert").textContent).toBe("It cannot be shown: Too many requests.");
  expect(await screen.findByText(/What all sessions used cannot be shown: Too many requests/)).toBeTruthy();
  refusal = null;
  for (const press of screen.getAllByRole("button", { name: "Try again" })) fireEvent.click(press);
  expect(await screen.findByText("cost today")).toBeTruthy();
  expect(await screen.findByText("123 tokens")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});
