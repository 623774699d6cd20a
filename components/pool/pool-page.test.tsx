import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PoolHealth, PoolPicture } from "@/server/contract/pool";
import type { PoolHistory } from "@/server/contract/pool-history";
import { contract } from "@/server/contract/router";
import { sampleLive, samplePool, sampleTask } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { PoolPage } from "./pool-page";

const START = "2026-01-01T12:00:00.000Z";
const health: PoolHealth = {
  epoch: 41,
  version: 8_204,
  isReady: true,
  isWriter: true,
  mailbox: { depth: 3, oldestMs: 2.04 },
  commits: { count: 90, lastSize: 4, largestSize: 38, lastMs: 3.14, meanMs: 12.6 },
  grants: { count: 212, lastMinute: 7, meanWaitMs: 180_000 },
  idleSlotSeconds: 0.2,
  crashes: 1,
  rebuilds: 0,
  staleMessages: 5,
};
const queued = (taskId: string, userId: string, position: number | null, ahead: number | null) =>
  sampleLive({ taskId, userId, position, ahead, waitingFor: { reason: ahead === null ? "your-limit" : "pool-limit" } });
const pool = samplePool({
  global: { running: 2, max: 2, queued: 6 },
  users: { nora: { running: 1, max: 2, queued: 3 }, mira: { running: 1, max: 2, queued: 3 } },
  sessions: {
    n2: queued("t2", "nora", 2, null),
    m1: queued("t3", "mira", 1, 1),
    held: queued("t5", "nora", null, null),
    n1: { ...queued("t1", "nora", 1, 0), startsIn: { p50: 960, p80: 1_440 } },
    run: sampleLive({ taskId: "t4", status: "running", phase: "working", position: 0, seat: 0, startedAt: START }),
  },
});
const me = { id: "nora", name: "Nora Feld", email: "n@example.test", running: 1, queued: 3, max: 2 } as const;
const emptyHistory: PoolHistory = {
  from: "2026-01-01T11:00:00.000Z",
  to: START,
  stepSeconds: 900,
  wait: null,
  points: [],
};
const asked: string[] = [];
let rebuilt: PoolPicture;
let history: PoolHistory;

beforeEach(() => {
  asked.length = 0;
  rebuilt = { ...pool, version: pool.version + 1 };
  history = emptyHistory;
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const path = pathname.replace("/api/v1", "");
    const body = request.method === "PATCH" ? ` ${await request.text()}` : "";
    asked.push(`${request.method} ${path}${search}${body}`);
    return new Response(JSON.stringify(answerOf(path)), { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function answerOf(path: string): unknown {
  if (path === "/pool/health") return health;
  if (path === "/pool") return pool;
  if (path === "/pool/history") return history;
  if (path === "/pool/rebuild") return rebuilt;
  const task = /^\/tasks\/t(\d)$/.exec(path)?.[1];
  if (task !== undefined) return sampleTask({ id: `t${task}`, number: Number(task), title: `Title ${task}` });
  return { items: [], next: null };
}

function show(role: "admin" | "member" = "member", picture: PoolPicture = pool) {
  render(
    <LiveProvider
      isSignedIn={false}
      first={{ me: { ...me, role }, pool: picture, projects: [] }}
      moment={Date.parse(START)}
      routes={contract}
    >
      <PoolPage />
    </LiveProvider>,
  );
}

const sessionsIn = (name: string) =>
  [...screen.getByRole("region", { name }).querySelectorAll("[data-session]")].map((row) =>
    row.getAttribute("data-session"),
  );

test("[P22][B9] the health strip says in numbers how the pool is doing", async () => {
  show();
  await screen.findByText("Mailbox");
  const facts = [...document.querySelectorAll(".health > div")].map((fact) => fact.textContent);
  expect(facts).toEqual([
    "Mailbox3 oldest 2 ms",
    "Last commit3.1 ms 4 of at most 38",
    "Commits90 mean 13 ms",
    "Grants212 7 in the last minute",
    "Wait3 min mean",
    "Idle seats0 s while somebody could start",
    "Crashes1 5 stale messages",
    "Writerthis server epoch 41 · version 8204",
  ]);
  expect(screen.queryByRole("button", { name: "Rebuild from rows" })).toBeNull();
});

test("[P14][P22][B9] all lines in the order the pool would grant, held ones last, foreign ones counted", async () => {
  show();
  expect(sessionsIn("Line")).toEqual(["n1", "m1", "n2", "held"]);
  const line = within(screen.getByRole("region", { name: "Line" }));
  expect(line.getByText("2 elsewhere")).toBeTruthy();
  const title = await line.findByRole("link", { name: "Title 3" });
  expect(title.closest("td")?.textContent).toContain("#3 Title 3");
});

test("[P15][B9] about when each starts, as a range; nothing is told where there is no estimate, nor of held ones", () => {
  show();
  const starts = [...document.querySelectorAll("[data-session] td:last-child")].map((cell) => cell.textContent);
  expect(starts).toEqual(["16–24 min", "no estimate yet", "no estimate yet", "–"]);
});

test("[P22][B9] one chosen person's line: what runs, what waits, and what is elsewhere", () => {
  show();
  fireEvent.change(screen.getByLabelText("Somebody else’s line"), { target: { value: "mira" } });
  expect(sessionsIn("Line")).toEqual(["m1"]);
  expect(screen.getByText("1 elsewhere is running · 2 elsewhere wait")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Mine 3" }));
  expect(sessionsIn("Line")).toEqual(["run", "n1", "n2", "held"]);
  fireEvent.click(screen.getByRole("button", { name: "Everyone" }));
  expect(sessionsIn("Line")).toHaveLength(4);
});

test("[B9][L4] what runs has its number and title; what runs in foreign projects is only counted", async () => {
  show();
  const running = within(screen.getByRole("region", { name: "Running" }));
  const row = (await running.findByRole("link", { name: "Title 4" })).closest("li");
  expect(row?.textContent).toMatch(/#4 Title 4.*Running/);
  expect(running.getByText("1 elsewhere")).toBeTruthy();
});

test("[P16][B9] an administrator pauses the pool; nobody else is offered to", async () => {
  show("admin");
  expect(screen.getByText("Granting")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Pause the pool" }));
  await waitFor(() => expect(asked).toContain('PATCH /pool {"paused":true}'));
  cleanup();
  show("member", { ...pool, paused: true });
  expect(screen.getByText("Nothing starts until the pool is resumed")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /the pool$/ })).toBeNull();
});

test("[B9] more seats than a round table has room for are one bar by person", () => {
  show("member", { ...pool, global: { ...pool.global, max: 100 } });
  const seats = within(screen.getByRole("region", { name: "Seats" }));
  expect(seats.getByText(/100 running$/).textContent).toBe("2/100 running");
  expect(seats.getByRole("img", { name: /^Table of 100 seats: Nora Feld 1, / })).toBeTruthy();
});

test("[B9][P13] the round table says who sits where and how many of how many; below it each person's counts", async () => {
  show();
  const table = screen.getByRole("img", { name: /^Table of seats: 2 of 2 taken\. Nora Feld 1, / });
  expect(table.querySelectorAll("[data-round-seat]")).toHaveLength(2);
  expect(table.textContent).toContain("2/2running");
  const nora = document.querySelector('[data-person="nora"]');
  await waitFor(() => expect(nora?.textContent).toBe("NFNora Feld you#41/2waiting 3"));
  expect(document.querySelector('[data-person="mira"]')?.textContent).toContain("1 elsewhere1/2waiting 3");
});

test.each([
  ["the same picture", {}, "Rebuilt: the same picture · 2 running, 6 waiting"],
  ["one that differs", { n1: undefined }, "Rebuilt: 1 session moved meanwhile · 2 running, 6 waiting"],
])("[P18][P22] rebuilding from rows says that it came to %s", async (_what, change, said) => {
  const sessions = Object.entries({ ...pool.sessions, ...change }).filter((entry) => entry[1] !== undefined);
  rebuilt = { ...rebuilt, sessions: Object.fromEntries(sessions) as PoolPicture["sessions"] };
  show("admin");
  fireEvent.click(screen.getByRole("button", { name: "Rebuild from rows" }));
  await waitFor(() => expect(screen.getByText(said)).toBeTruthy());
  expect(asked.filter((call) => call === "POST /pool/rebuild")).toHaveLength(1);
});

test("[P22][B9] a history that holds nothing says so in words", async () => {
  show();
  const section = within(await screen.findByRole("region", { name: "History" }));
  expect(await section.findByText(/^Nothing was recorded in the last 24 h\./)).toBeTruthy();
  expect(section.queryByRole("img")).toBeNull();
});

test("[P22][B9] seats, waits and endings as charts that say in words what they show, and the same figures as a table", async () => {
  const point = { running: 5, max: 20, waiting: 2, wait: null, grants: 0, ended: 4, failed: 0, commits: 30 };
  const wait = { p50: 180, p95: 660 };
  history = {
    ...emptyHistory,
    wait,
    points: [
      { ...point, at: "2026-01-01T11:00:00.000Z" },
      { ...point, at: "2026-01-01T11:30:00.000Z", running: 20, wait, grants: 9, ended: 30, failed: 3 },
    ],
  };
  show();
  const section = within(await screen.findByRole("region", { name: "History" }));
  await section.findByRole("region", { name: "Utilisation" });
  expect(section.getAllByRole("img").map((chart) => chart.getAttribute("aria-label"))).toEqual([
    "Seats taken, last 24 h: 12.5 on average, 20 at most, 20 of 20 at last",
    "Wait, last 24 h: half of those granted waited up to 3 min, 95 of 100 up to 11 min",
    "Throughput, last 24 h: 34 sessions ended, 3 of them failed",
  ]);
  fireEvent.click(section.getByRole("button", { name: "Table" }));
  const rows = section.getAllByRole("row").slice(1);
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole("cell")
        .slice(1)
        .map((cell) => cell.textContent),
    ),
  ).toEqual([
    ["20/20", "2", "3 min", "11 min", "9", "30", "3", "30"],
    ["5/20", "2", "–", "–", "0", "4", "0", "30"],
  ]);
  fireEvent.click(section.getByRole("button", { name: "7 days" }));
  await waitFor(() => expect(asked).toContain("GET /pool/history?hours=168"));
});

test("[B9] a long line shows its first rows and folds the rest; unfolded it stands in a scroller of its own", async () => {
  const many = Object.fromEntries(Array.from({ length: 35 }, (_, n) => [`s${n}`, queued(`t${n}`, "nora", n + 1, n)]));
  const crowd = samplePool({
    global: { running: 2, max: 2, queued: 35 },
    users: { nora: { running: 2, max: 2, queued: 35 } },
    sessions: many,
  });
  render(
    <LiveProvider
      isSignedIn={false}
      first={{ me: { ...me, role: "admin" }, pool: crowd, projects: [] }}
      moment={0}
      routes={contract}
    >
      <PoolPage />
    </LiveProvider>,
  );
  const line = within(await screen.findByRole("region", { name: "Line" }));
  const rows = () => document.querySelectorAll("[data-session]").length;
  expect(rows()).toBe(10);
  line.getByText("25 more");
  const fold = line.getByRole("button", { name: "Show all 35" });
  expect(fold.getAttribute("aria-expanded")).toBe("false");
  fireEvent.click(fold);
  expect(rows()).toBe(35);
  expect(document.getElementById(fold.getAttribute("aria-controls") ?? "")?.className).toBe("fold-scroll");
  fireEvent.click(line.getByRole("button", { name: "Show 10 only" }));
  expect(rows()).toBe(10);
});
