import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { sampleTask } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { drawToasts } from "../ui/toast";
import { PullRequest } from "./pull-request";

const START = "2026-01-01T12:00:00.000Z";
const COMMENT = { id: 1, author: "nora", at: START, path: null, line: null, text: "Why?", url: "https://x.test/1" };
const PULL = {
  number: 418,
  url: "https://x.test/418",
  state: "open",
  isDraft: false,
  changedAt: START,
  repository: "hotel/desk",
  base: "main",
  openedBy: "nora",
  openedAt: START,
  checks: null,
  comments: [COMMENT],
  readAt: START,
  problem: null,
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("[W4][B12] while a session is under way the button that sends comments back can be reached, and says so when it is pressed", async () => {
  const answer = () =>
    new Response(JSON.stringify({ pullRequest: PULL }), { headers: { "content-type": "application/json" } });
  vi.stubGlobal("fetch", async () => answer());
  const said: string[] = [];
  const unheard = drawToasts(({ text }) => said.push(text));
  render(
    <LiveProvider isSignedIn={false} first={null} moment={Date.parse(START)} routes={contract}>
      <PullRequest card={{ column: "running", live: null, liveId: null, task: sampleTask({ column: "running" }) }} />
    </LiveProvider>,
  );
  const why = "A session is under way.";
  const button = await screen.findByRole("button", { name: "Send back to the agent", description: why });
  button.focus();
  expect(document.activeElement).toBe(button);
  fireEvent.click(button);
  expect(said).toEqual([why]);
  unheard();
});
