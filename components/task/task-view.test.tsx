/** A task’s page drawn whole (B7). In one file, as each test needs the same task, sessions and pool around it. */
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PoolPicture } from "@/server/contract/pool";
import { contract } from "@/server/contract/router";
import type { Session } from "@/server/contract/sessions";
import type { Task } from "@/server/contract/tasks";
import { sampleLive, samplePool, sampleSession, sampleTask } from "../board/sample";
import { forgetServerTime } from "../live/clock";
import { LiveProvider } from "../live/live-provider";
import { TaskPlace } from "./task-place";
import { TaskView } from "./task-view";

const replace = vi.hoisted(() => vi.fn());
vi.mock("next/navigation", () => ({ useRouter: () => ({ replace }), useParams: () => ({ project: "p" }) }));

const START = "2026-01-01T12:00:00.000Z";
const ANSWERS: Record<string, unknown> = {};
const asked: string[] = [];

beforeEach(() => {
  for (const key of Object.keys(ANSWERS)) delete ANSWERS[key];
  ANSWERS["/tasks/t1/base"] = { behind: null, passedOver: [] };
  asked.length = 0;
  vi.stubGlobal("fetch", async (request: Request | string) => {
    const { pathname } = new URL(typeof request === "string" ? request : request.url, "http://localhost");
    asked.push(pathname.replace("/api/v1", ""));
    const answer = ANSWERS[pathname.replace("/api/v1", "")] ?? { items: [], next: null };
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  });
});

afterEach(() => {
  cleanup();
  forgetServerTime();
  replace.mockClear();
  vi.unstubAllGlobals();
});

const me = {
  id: "nora",
  name: "Nora Feld",
  email: "n@example.test",
  role: "member",
  running: 0,
  queued: 0,
  max: 2,
} as const;
const project = {
  id: "p",
  name: "Shop",
  repository: "/srv/shop",
  baseBranch: "main",
  role: "owner",
  longestRunSeconds: 7_200,
  quietNoticeSeconds: 300,
  setupScript: null,
  hasGitHub: false,
  hold: null,
  createdAt: START,
} as const;

const NOTHING_USED = {
  sessions: 0,
  input: 0,
  cachedInput: 0,
  output: 0,
  costUsd: null,
  unknownTokens: 0,
  unknownCost: 0,
  partial: false,
};

function show(tasks: readonly Task[], pool: PoolPicture = samplePool(), isBesideBoard = false) {
  const place = { isBesideBoard, expand: () => {}, first: tasks };
  return render(
    <LiveProvider
      isSignedIn={false}
      first={{ me, pool, projects: [project] }}
      moment={Date.parse(START)}
      routes={contract}
    >
      <TaskPlace value={place}>
        <TaskView projectId="p" number={tasks[0]?.number ?? 0} />
      </TaskPlace>
    </LiveProvider>,
  );
}

const ended = (change: Partial<Session>) =>
  sampleSession({ startedAt: START, finishedAt: START, position: null, outputBytes: 0, ...change });

test("[B7][P14][P15] whoever waits sees place, reason, the whole line and no made-up estimate", () => {
  const waiting = sampleTask({
    id: "t3",
    number: 31,
    column: "waiting",
    session: sampleSession({ taskId: "t3" }),
    sessionCount: 1,
  });
  const pool = samplePool({
    users: { nora: { running: 2, max: 2, queued: 2 } },
    sessions: {
      s1: sampleLive({ taskId: "t3", position: 2, waitingFor: { reason: "your-limit", sessions: ["r1", "r2", "q1"] } }),
      r1: sampleLive({ taskId: "t1", status: "running", phase: "working", position: 0, startedAt: START }),
      r2: sampleLive({ taskId: "t2", status: "running", phase: "working", position: 0, startedAt: START }),
      q1: sampleLive({ taskId: "t4", position: 1, waitingFor: { reason: "your-limit", sessions: ["r1", "r2"] } }),
    },
  });
  const others = [
    sampleTask({ number: 12, title: "First" }),
    sampleTask({ id: "t2", number: 14, title: "Second" }),
    sampleTask({ id: "t4", number: 15, title: "Third" }),
  ];
  show([waiting, ...others], pool);
  const pane = within(screen.getByRole("tabpanel", { name: "Waiting" }));
  expect(pane.getByRole("heading", { name: "Queued · position 2" })).toBeTruthy();
  expect(pane.getByText("your limit 2/2 · #12, #14 are running · no estimate yet")).toBeTruthy();
  expect(pane.getByRole("button", { name: "Withdraw" })).toBeTruthy();
  const line = within(pane.getByRole("list", { name: "Line" })).getAllByRole("listitem");
  expect(line.map((row) => row.querySelector(".num")?.textContent)).toEqual(["#12", "#14", "#15", "#31"]);
});

test.each([
  {
    reason: "repository-unusable",
    detail: "There is nothing at /srv/shop.",
    name: "Project settings",
    href: "/projects/p/settings",
  },
  { reason: "agent-unusable", detail: "Codex is not signed in.", name: "Agents", href: "/agents" },
] as const)("[B7][A8] what is held ($reason) leads to where that is put right", ({ reason, detail, name, href }) => {
  const task = sampleTask({ id: "t3", number: 31, column: "waiting", session: sampleSession(), sessionCount: 1 });
  const held = sampleLive({ taskId: "t3", position: null, waitingFor: { reason, detail } });
  show([task], samplePool({ sessions: { s1: held } }));
  const pane = within(screen.getByRole("tabpanel", { name: "Waiting" }));
  expect(pane.getByRole("link", { name }).getAttribute("href")).toBe(href);
});

test("[B7][L4] one's line on the task's page names what waits in one's other projects, and leads there", async () => {
  const waiting = sampleTask({ id: "t3", number: 31, column: "waiting", session: sampleSession(), sessionCount: 1 });
  const limit = (sessions: string[]) => ({ reason: "your-limit" as const, sessions });
  const pool = samplePool({
    users: { nora: { running: 1, max: 1, queued: 2 } },
    sessions: {
      s1: sampleLive({ taskId: "t3", position: 2, waitingFor: limit(["r1", "q1"]) }),
      r1: sampleLive({ taskId: "o1", status: "running", phase: "working", position: 0, startedAt: START }),
      q1: sampleLive({ taskId: "o2", position: 1, waitingFor: limit(["r1"]) }),
    },
  });
  ANSWERS["/tasks/o1"] = sampleTask({ id: "o1", projectId: "other", number: 7, title: "Runs there" });
  ANSWERS["/tasks/o2"] = sampleTask({ id: "o2", projectId: "other", number: 8, title: "Waits there" });
  show([waiting], pool);
  const pane = within(screen.getByRole("tabpanel", { name: "Waiting" }));
  const line = within(pane.getByRole("list", { name: "Line" }));
  expect((await line.findByRole("link", { name: "Waits there" })).getAttribute("href")).toBe("/projects/other/tasks/8");
  expect(await line.findByRole("link", { name: "Runs there" })).toBeTruthy();
  expect(line.queryByText("in another project")).toBeNull();
});

test("[B7] beside a running task one's line is told in words: seats taken, and how many wait", () => {
  const session = sampleSession({ status: "running", phase: "working", position: 0, startedAt: START });
  const live = sampleLive({ status: "running", phase: "working", position: 0, startedAt: START });
  const task = sampleTask({ column: "running", session, sessionCount: 1 });
  const line = (running: number, max: number, queued: number) => {
    cleanup();
    show([task], samplePool({ users: { nora: { running, max, queued } }, sessions: { s1: live } }));
    return screen.getByRole("heading", { name: /^Your line/ }).textContent;
  };
  expect(line(1, 2, 0)).toBe("Your line1 of 2 seats, none waiting");
  expect(line(1, 1, 3)).toBe("Your line1 of 1 seat, 3 waiting");
});

test("[B7] until the agents are known neither the head nor the facts leave a gap for a name", async () => {
  const session = ended({ status: "succeeded", agentId: "a1", userId: "nora" });
  let come = (_: Response) => {};
  const whole = globalThis.fetch;
  vi.stubGlobal("fetch", (request: Request) => {
    if (!request.url.includes("/agents")) return whole(request);
    return new Promise<Response>((resolve) => {
      come = resolve;
    });
  });
  const task = { column: "review", session, sessionCount: 1, branch: "camelot/6-x" } as const;
  const { container } = show([sampleTask({ ...task, agentId: "a1" })]);
  const place = () => container.querySelector(".over-head .line:last-of-type")?.textContent;
  await waitFor(() => expect(place()).toBe("NFNora·camelot/6-x"));
  expect(screen.queryByText("Agent", { selector: "dt" })).toBeNull();
  const agents = { items: [{ id: "a1", name: "Claude", kind: "claude-code" }], next: null };
  come(new Response(JSON.stringify(agents), { headers: { "content-type": "application/json" } }));
  await waitFor(() => expect(place()).toBe("NFNora·Claude·camelot/6-x"));
  expect(screen.getByText("Agent", { selector: "dt" })).toBeTruthy();
});

test("[B7] an ended session says why, what to do next, and offers the same as the card's menu", async () => {
  const failure = {
    kind: "agent-exited",
    exitCode: 3,
    sentence: "The agent exited with code 3.",
    next: "Read it.",
  } as const;
  const session = ended({ status: "failed", failure, leftOut: [".env"] });
  show([sampleTask({ column: "review", session, sessionCount: 1, branch: "camelot/12-retry" })]);
  expect(screen.getByTestId("outcome").textContent).toContain("The agent exited with code 3. Read it.");
  expect(screen.getByTestId("outcome").textContent).toContain("One file stays uncommitted");
  expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Merge into main" })).toBeTruthy();
  expect(await screen.findByRole("log", { name: "Output" })).toBeTruthy();
  expect(screen.getByText("camelot/12-retry")).toBeTruthy();
});

test("[W4][B7] what became of the work is said: merged by whom and as which commit, and when it was pushed", async () => {
  const outcome = { kind: "merged", at: START, by: "nora", commit: "c0ffee1234567890", base: "main" } as const;
  const session = ended({ status: "succeeded", files: 2, additions: 3, deletions: 1 });
  const change = { outcome, pushedAt: START, branch: "camelot/12-retry", shelfAt: START };
  show([sampleTask({ column: "done", session, sessionCount: 1, ...change })]);
  expect(screen.getByTestId("state").textContent).toBe("Merged into main5 min");
  expect(screen.getByTestId("outcome").textContent?.trim()).toBe("The agent finished.");
  const facts = within(screen.getByRole("region", { name: "About this task" }));
  expect(facts.getByText("Merged into main").nextElementSibling?.textContent).toBe("5 min by Nora");
  expect(facts.getByText("Commit").nextElementSibling?.textContent).toBe("c0ffee1234");
  expect(facts.getByText("Pushed").nextElementSibling?.textContent).toBe("5 min");
  expect(screen.getByRole("button", { name: "Push main" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Merge into main" })).toBeNull();
});

const REMOTE = { kind: "remote", name: "origin", base: "main", unpushed: [], apart: null };
const looksLike = (remote: object) => {
  ANSWERS["/projects/p"] = { ...project, note: null, path: "/data/clones/p", remote };
};
const mergedTask = (change: Partial<Task> = {}) => {
  const outcome = { kind: "merged", at: START, by: "nora", commit: "c0ffee1234567890", base: "main" } as const;
  const session = ended({ status: "succeeded", files: 2, additions: 3, deletions: 1 });
  const own = {
    column: "done",
    session,
    sessionCount: 1,
    outcome,
    branch: "camelot/12-retry",
    shelfAt: START,
  } as const;
  return sampleTask({ ...own, ...change });
};

test("[W4][B7] a merge that the remote does not have yet says so, and what was pushed when is told by name", async () => {
  looksLike({ ...REMOTE, unpushed: ["c0ffee1234567890"] });
  show([mergedTask({ pushedAt: START, pushedBranch: "camelot/12-retry" })]);
  expect((await screen.findByText(/does not have it yet/)).textContent).toBe(
    "Merged into main here; origin’s main does not have it yet. “Push main” sends it.",
  );
  expect(screen.getByText("Pushed").nextElementSibling?.textContent).toBe("camelot/12-retry · 5 min");
  cleanup();
  looksLike(REMOTE);
  show([mergedTask({ pushedAt: START, pushedBranch: "main" })]);
  expect(screen.getByText("Pushed").nextElementSibling?.textContent).toBe("main · 5 min");
  await vi.waitFor(() => expect(asked).toContain("/projects/p"));
  expect(screen.queryByText(/does not have it yet/)).toBeNull();
});

test("[W4] the base is offered to be pushed only while its remote lacks something of it", async () => {
  looksLike({ ...REMOTE, unpushed: ["another"] });
  show([mergedTask({ pushedAt: "2026-01-01T12:01:00.000Z", pushedBranch: "main" })]);
  expect(await screen.findByRole("button", { name: "Push main" })).toBeTruthy();
  cleanup();
  looksLike(REMOTE);
  show([mergedTask()]);
  await vi.waitFor(() => expect(screen.queryByRole("button", { name: "Push main" })).toBeNull());
});

test("[B12] the button that has the focus goes with what it did: the menu beside it takes the focus", async () => {
  looksLike(REMOTE);
  show([mergedTask()]);
  screen.getByRole("button", { name: "Push main" }).focus();
  await vi.waitFor(() => expect(screen.queryByRole("button", { name: "Push main" })).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "More actions" }));
});

test("[W4] without a remote nothing is said of one, and Push says why it cannot be", async () => {
  const why = "The project’s repository has no remote to push to.";
  looksLike({ kind: "nowhere", why });
  show([mergedTask()]);
  const push = screen.getByRole<HTMLButtonElement>("button", { name: "Push main" });
  await vi.waitFor(() =>
    expect([push.getAttribute("aria-disabled"), push.disabled, push.title]).toEqual(["true", false, why]),
  );
  expect(screen.queryByText(/does not have it yet/)).toBeNull();
});

test("[W1][B7] a base that has gone apart from the remote's is said beside the base", async () => {
  looksLike({ ...REMOTE, apart: "main here and origin’s main have gone apart." });
  show([sampleTask()]);
  const base = within(screen.getByRole("region", { name: "About this task" })).getByText("Base").nextElementSibling;
  await vi.waitFor(() => expect(base?.nextElementSibling?.textContent).toMatch(/have gone apart/));
});

test("[W4][B7] how far the base has moved on from the branch stands beside the base; nothing where it has not, or all is said", async () => {
  const session = ended({ status: "succeeded", files: 2, additions: 3, deletions: 1 });
  const task = sampleTask({ column: "review", session, sessionCount: 1, branch: "camelot/12-retry" });
  const base = () => screen.getByText("Base").nextElementSibling?.textContent;
  ANSWERS["/projects"] = { items: [project], next: null };
  ANSWERS["/tasks/t1/base"] = { behind: 3, passedOver: [] };
  show([task]);
  await vi.waitFor(() => expect(base()).toBe("main · 3 behind"));
  for (const behind of [0, null]) {
    cleanup();
    asked.length = 0;
    ANSWERS["/tasks/t1/base"] = { behind, passedOver: [] };
    show([task]);
    await vi.waitFor(() => expect(asked).toContain("/tasks/t1/base"));
    expect(base()).toBe("main");
  }
  cleanup();
  asked.length = 0;
  show([mergedTask(), sampleTask({ id: "t2", number: 13 })]);
  await vi.waitFor(() => expect(asked).toContain("/projects/p"));
  expect([base(), asked.includes("/tasks/t1/base")]).toEqual(["main", false]);
});

test.each([
  [[], null],
  [["commit-msg", "post-merge"], "A merge here runs no hooks of the repository (commit-msg, post-merge)."],
  [["commit.gpgSign"], "A merge here is not signed."],
  [["post-merge", "commit.gpgSign"], "A merge here runs no hooks of the repository (post-merge) and is not signed."],
])(
  "[W4][B7] what a merge by hand would do and ours does not (%j) is said before it is pressed",
  async (passedOver, said) => {
    const session = ended({ status: "succeeded", files: 2, additions: 3, deletions: 1 });
    ANSWERS["/projects"] = { items: [project], next: null };
    ANSWERS["/tasks/t1/base"] = { behind: 3, passedOver };
    show([sampleTask({ column: "review", session, sessionCount: 1, branch: "camelot/12-retry" })]);
    await screen.findByText(/3 behind/);
    expect(screen.queryByText(/^A merge here/)?.textContent ?? null).toBe(said);
  },
);

test("[W4][B7] a merge that was cut off and could not be put right is said on the task, also when it is done", async () => {
  const cutOff = "A merge into main was cut off in /srv/shop when the server ended, and is half there still. “a.txt” …";
  ANSWERS["/projects/p"] = { ...project, note: null, cutOff, path: "/srv/shop" };
  const outcome = { kind: "discarded", at: START, by: "nora", commit: null, base: null } as const;
  show([sampleTask({ column: "done", session: ended({ status: "succeeded" }), sessionCount: 1, outcome })]);
  expect((await screen.findByText(cutOff)).closest("[role=status]")).not.toBeNull();
});

test("[B7] earlier sessions are there with their endings, and one can be chosen", async () => {
  const failure = { kind: "runner-lost", sentence: "The runner was lost. Work kept.", next: "Retry." } as const;
  const older = ended({ id: "s0", status: "failed", failure });
  const newest = ended({ status: "succeeded", files: 2, additions: 3, deletions: 1 });
  ANSWERS["/tasks/t1/usage"] = NOTHING_USED;
  ANSWERS["/tasks/t1/sessions"] = { items: [newest, older], next: null };
  show([sampleTask({ column: "review", session: newest, sessionCount: 2 })]);
  expect(screen.getByTestId("outcome").textContent).toContain("The agent finished.");
  fireEvent.click(await screen.findByRole("button", { name: /1 · Failed/ }));
  expect(screen.getByTestId("outcome").textContent).toContain("The runner was lost. Work kept.");
  expect(screen.getByRole("button", { name: /2 · Succeeded/ })).toBeTruthy();
});

test("[B7][A5] each session shows its message beside the task’s prompt, long ones folded, and one without shows none", async () => {
  const task = sampleTask({ prompt: "What the task is." });
  const first = ended({ id: "s0", status: "succeeded", message: null });
  const second = ended({ id: "s1", status: "succeeded", message: "Told to the second." });
  const newest = ended({ id: "s2", status: "succeeded", message: `Told to the newest. ${"x".repeat(30_000)}` });
  ANSWERS["/tasks/t1"] = task;
  ANSWERS["/tasks/t1/usage"] = NOTHING_USED;
  ANSWERS["/tasks/t1/sessions"] = { items: [newest, second, first], next: null };
  show([{ ...task, column: "review", session: newest, sessionCount: 3 }]);
  fireEvent.click(screen.getByRole("tab", { name: "Prompt" }));
  const pane = within(screen.getByRole("tabpanel", { name: "Prompt" }));
  expect(await pane.findByText("What the task is.")).toBeTruthy();
  expect(pane.getByRole("heading", { name: "Message of this session" })).toBeTruthy();
  expect(pane.getByText(/^Told to the newest\./)).toBeTruthy();
  expect(pane.getByRole("button", { name: "Show more of 30,020 characters" })).toBeTruthy();
  fireEvent.click(await screen.findByRole("button", { name: /2 · Succeeded/ }));
  expect(pane.getByText("Told to the second.")).toBeTruthy();
  expect(pane.queryByText(/^Told to the newest\./)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: /1 · Succeeded/ }));
  expect(pane.queryByRole("heading", { name: "Message of this session" })).toBeNull();
  expect(pane.getByText("What the task is.")).toBeTruthy();
});

test("[B7][A5] while it waits, the waiting session’s message is there, whichever session is chosen", async () => {
  const first = ended({ id: "s0", status: "succeeded", message: null });
  const session = sampleSession({ message: "Resolve the conflict." });
  ANSWERS["/tasks/t1/usage"] = NOTHING_USED;
  ANSWERS["/tasks/t1/sessions"] = { items: [session, first], next: null };
  const live = sampleLive({ waitingFor: { reason: "your-limit", sessions: [] } });
  show([sampleTask({ column: "waiting", session, sessionCount: 2 })], samplePool({ sessions: { s1: live } }));
  const pane = within(screen.getByRole("tabpanel", { name: "Waiting" }));
  expect(pane.getByRole("heading", { name: "Message of the session that waits" })).toBeTruthy();
  expect(pane.getByText("Resolve the conflict.")).toBeTruthy();
  fireEvent.click(await screen.findByRole("button", { name: /1 · Succeeded/ }));
  expect(screen.getByText("This is an earlier session.")).toBeTruthy();
  expect(pane.getByText("Resolve the conflict.")).toBeTruthy();
});

test("[B7][B4] tabs move by arrows, and only the chosen one is a stop of the Tab key", () => {
  show([sampleTask({ column: "review", session: ended({ status: "succeeded" }), sessionCount: 1 })]);
  const tab = (name: string) => screen.getByRole("tab", { name });
  fireEvent.keyDown(tab("Output"), { key: "ArrowLeft" });
  expect(tab("Prompt").getAttribute("aria-selected")).toBe("true");
  expect(screen.getAllByRole("tab").filter((each) => each.tabIndex === 0)).toEqual([tab("Prompt")]);
});

test("[B7][B4] beside the board Escape closes the panel, unless somebody types", () => {
  show([sampleTask()], samplePool(), true);
  expect(screen.getByRole("region", { name: "Task #12" })).toBe(document.activeElement);
  fireEvent.click(screen.getByRole("button", { name: "Change the title" }));
  fireEvent.keyDown(screen.getByRole("textbox", { name: "Title" }), { key: "Escape" });
  expect(replace).not.toHaveBeenCalled();
  expect(screen.queryByRole("textbox", { name: "Title" })).toBeNull();
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(replace).toHaveBeenCalledWith("/projects/p");
});

test("[B7] a kept title stands there at once, and one that was refused is open again with its words", async () => {
  let answer = (_status: number) => {};
  const asked = new Promise<number>((resolve) => {
    answer = resolve;
  });
  vi.stubGlobal("fetch", async () => {
    const status = await asked;
    return new Response(JSON.stringify({ error: { code: "conflict", message: "Not now." } }), { status });
  });
  show([sampleTask({ title: "As it was" })]);
  fireEvent.click(screen.getByRole("button", { name: "Change the title" }));
  const field = screen.getByRole("textbox", { name: "Title" });
  fireEvent.change(field, { target: { value: "As it shall be" } });
  fireEvent.keyDown(field, { key: "Enter" });
  expect(screen.queryByRole("textbox", { name: "Title" })).toBeNull();
  expect(screen.getByRole("heading", { name: "As it shall be" }).title).toBe("As it shall be");
  answer(409);
  const again = await screen.findByRole<HTMLInputElement>("textbox", { name: "Title" });
  expect(again.value).toBe("As it shall be");
});

test("[B7][L4] a task that is not on the board is not here", () => {
  render(
    <LiveProvider
      isSignedIn={false}
      first={{ me, pool: samplePool(), projects: [project] }}
      moment={0}
      routes={contract}
    >
      <TaskPlace value={{ isBesideBoard: false, expand: () => {}, first: [sampleTask()] }}>
        <TaskView projectId="p" number={99} />
      </TaskPlace>
    </LiveProvider>,
  );
  expect(screen.getByRole("heading", { name: "This task is not here" })).toBeTruthy();
});
