import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { entriesFor } from "../board/card-menu";
import { arrange } from "../board/columns";
import { ownLineOf } from "../board/line-moves";
import { sampleLive, samplePool, sampleSession, sampleTask } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { announceSlot } from "../ui/announce";
import { useSlot } from "../ui/slot";
import { drawToasts } from "../ui/toast";
import { LineMoves } from "./line-moves";

const START = "2026-01-01T12:00:00.000Z";
const sent: { path: string; body: unknown }[] = [];
let position = 1;

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push({ path: new URL(request.url).pathname, body: await request.json() });
    const answer = sampleSession({ position });
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const place = (number: number, at: number | null, userId = "nora") =>
  sampleLive({ taskId: `t${number}`, userId, position: at, waitingFor: { reason: "your-limit" } });
const pool = samplePool({
  sessions: {
    s2: place(2, 2),
    s1: place(1, 1),
    held: place(9, null),
    s3: place(3, 3),
    theirs: place(8, 1, "mira"),
    run: sampleLive({ taskId: "t7", status: "running", phase: "working", position: 0, startedAt: START }),
  },
});

function cardOf(number: number) {
  const task = sampleTask({ id: `t${number}`, number, column: "waiting", sessionCount: 1 });
  const card = Object.values(arrange([task], pool)).flat()[0];
  if (card === undefined) throw new Error("no card");
  return card;
}

function Said() {
  return <p data-testid="said">{useSlot(announceSlot)}</p>;
}

function show(number: number) {
  const reader = { pool, meId: "nora", nameOf: (id: string) => id, numberOf: () => null };
  render(
    <LiveProvider isSignedIn={false} first={null} moment={Date.parse(START)} routes={contract}>
      <LineMoves card={cardOf(number)} reader={reader} />
      <Said />
    </LiveProvider>,
  );
}

const menuOf = (number: number) => {
  const card = cardOf(number);
  const help = {
    open: () => {},
    copyLink: () => {},
    place: null,
    agent: "Shell",
    shelf: null,
    base: "main",
    hasGitHub: false,
    isAdmin: false,
    elapsed: () => "",
  };
  return entriesFor(card, { ...help, line: ownLineOf(pool, "nora", card) }).filter((entry) => entry.kind === "entry");
};

test.each([
  [2, "Move up in my line", "s1", 1],
  [1, "Move down in my line", "s3", 2],
  [2, "Move down in my line", null, 3],
  [3, "To the front", "s1", 1],
])("[P5][B3] #%i, %s: the server is asked, and its place is announced", async (number, label, before, at) => {
  position = at;
  show(number);
  fireEvent.click(screen.getByRole("button", { name: label }));
  await waitFor(() => expect(sent).toEqual([{ path: `/api/v1/sessions/s${number}/reorder`, body: { before } }]));
  await waitFor(() =>
    expect(screen.getByTestId("said").textContent).toBe(`#${number} is at position ${at} of your line`),
  );
});

test("[P5][B3] at the ends of the line there is a reason instead of a way, and nothing is asked", async () => {
  show(1);
  const said: string[] = [];
  const unheard = drawToasts(({ text }) => said.push(text));
  for (const label of ["Move up in my line", "To the front"]) {
    const button = screen.getByRole("button", { name: label });
    expect([button.getAttribute("aria-disabled"), button.title]).toEqual(["true", "It is the first of your line."]);
    fireEvent.click(button);
  }
  unheard();
  await Promise.resolve();
  expect(sent).toEqual([]);
  expect(said).toEqual(["It is the first of your line.", "It is the first of your line."]);
});

test("[P5][B3] the card's menu moves it too", async () => {
  const entry = menuOf(3).find(({ label }) => label === "Move up in my line");
  entry?.run();
  await waitFor(() => expect(sent).toEqual([{ path: "/api/v1/sessions/s3/reorder", body: { before: "s2" } }]));
  expect(menuOf(3).find(({ label }) => label === "Move down in my line")?.why).toBe("It is the last of your line.");
});

test.each([7, 8, 9])("[P5] #%i runs, is held or is somebody else's: nothing is offered", (number) => {
  show(number);
  expect(screen.queryByRole("button")).toBeNull();
  expect(menuOf(number).map(({ label }) => label)).not.toContain("Move up in my line");
});
