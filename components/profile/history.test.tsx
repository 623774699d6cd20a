import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { LiveProvider } from "../live/live-provider";
import { History } from "./history";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = "2026-01-01T12:00:00.000Z";
const used = (costUsd: number, partial = false) => ({
  input: 1,
  cachedInput: 0,
  output: 1,
  costUsd,
  costSource: "reported" as const,
  partial,
  conversationCostUsd: null,
});
const entry = (number: number) => ({
  sessionId: `s${number}`,
  taskId: `t${number}`,
  projectId: "p1",
  number,
  title: `Task ${number}`,
  agent: "Claude Code",
  additions: 212,
  deletions: 18,
  usage: used(1.27),
  status: "succeeded" as const,
  queuedAt: AT,
  startedAt: AT,
  finishedAt: AT,
});
const upTo = (newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, place) => entry(newest - place));

function history(newest: number, oldest: number, more: string | null) {
  return (
    <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
      <History userId="nora" newest={upTo(newest, oldest)} more={more} />
    </LiveProvider>
  );
}

test("[B8] a history tells no total that it does not know, and goes on at a press; what ends meanwhile stands before it", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    asked.push(request.url.split("/api/v1")[1] ?? "");
    const body = { items: upTo(3, 1), next: null };
    return new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });
  });
  const { rerender } = render(history(6, 4, "s4"));
  expect(screen.getByText("the newest 3")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Show more" }));
  expect(await screen.findByText("6 sessions")).toBeTruthy();
  expect(asked).toEqual(["/users/nora/history?after=s4"]);
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  rerender(history(7, 5, "s5"));
  const links = screen.getAllByRole("link").map(({ textContent }) => textContent);
  expect(links).toEqual([7, 6, 5, 4, 3, 2, 1].map((number) => `Task ${number}`));
});

test("[B8][A4] each session has its agent, lines and cost; what nobody told is a dash, and no changes are said", () => {
  const unknown = { ...entry(1), agent: null, additions: null, deletions: null, usage: null };
  const idle = { ...entry(2), additions: 0, deletions: 0, usage: used(0.004) };
  render(
    <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
      <History userId="nora" newest={[entry(4), { ...entry(3), usage: used(1.27, true) }, idle, unknown]} more={null} />
    </LiveProvider>,
  );
  const cells = screen
    .getAllByRole("row")
    .map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent));
  const shown = cells.slice(1).map((row) => [row[2], row[6], row[7]]);
  expect(shown).toEqual([
    ["Claude Code", "+212 −18", "$1.27"],
    ["Claude Code", "+212 −18", "$1.27+"],
    ["Claude Code", "no changes", "<$0.01"],
    ["—", "—", "—"],
  ]);
});

test("[B8][S2] an empty history does not say that no session has ended: those of other projects are left out", () => {
  render(
    <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
      <History userId="nora" newest={[]} more={null} />
    </LiveProvider>,
  );
  expect(
    screen.getByText(/^No ended session to show\. Sessions of projects that you are not in are left out\.$/),
  ).toBeTruthy();
  expect(screen.queryByText("0 sessions")).toBeNull();
});
