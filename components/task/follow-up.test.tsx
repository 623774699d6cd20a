import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import type { Session } from "@/server/contract/sessions";
import { sampleLive, samplePool, sampleSession, sampleTask } from "../board/sample";
import { changeComments, readComments } from "../diff/comment-store";
import { LiveProvider } from "../live/live-provider";
import { FollowUp } from "./follow-up";
import { suggestedSlot } from "./message-draft";

const sent: { path: string; body: unknown }[] = [];
let dispatchAnswer: object;
/** The answer that names the agents comes after it. */
let agentsCome: Promise<void>;
const START = "2026-01-01T12:00:00.000Z";
const AGENTS = ["claude-code", "command", "shell"].map((kind) => ({
  id: kind,
  name: kind,
  kind,
  settings: {},
  projectId: null,
  problem: null,
  hold: null,
  program: null,
}));

beforeEach(() => {
  sent.length = 0;
  localStorage.clear();
  changeComments("t1", () => []);
  dispatchAnswer = { session: sampleSession(), position: 4, existing: false };
  agentsCome = Promise.resolve();
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname.replace("/api/v1", "");
    if (path === "/agents") await agentsCome;
    if (request.method === "GET") return answerOf(path === "/agents" ? { items: AGENTS, next: null } : {});
    sent.push({ path, body: await request.json() });
    return answerOf(path.endsWith("/dispatch") ? dispatchAnswer : sampleSession());
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function answerOf(body: object): Response {
  return new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });
}

function boxIn(column: "review" | "running" | "waiting", agentId: string, change: Partial<Session> = {}) {
  const isRunning = column === "running";
  const status = isRunning ? "running" : column === "waiting" ? "queued" : "succeeded";
  const session = sampleSession({ agentId, status, startedAt: START, phase: isRunning ? "working" : null, ...change });
  const live = isRunning
    ? sampleLive({ status: "running", position: 0, phase: session.phase, startedAt: START })
    : null;
  const task = sampleTask({ column, session, sessionCount: 1, agentId });
  const me = {
    id: "nora",
    name: "Nora",
    email: "n@example.test",
    role: "member" as const,
    running: 2,
    queued: 3,
    max: 2,
  };
  const pool = samplePool({ users: { nora: { running: 2, queued: 3, max: 2 } } });
  return (
    <LiveProvider isSignedIn={false} first={{ me, pool, projects: [] }} moment={0} routes={contract}>
      <FollowUp card={{ task, column, live, liveId: live === null ? null : session.id }} />
    </LiveProvider>
  );
}

function show(...what: Parameters<typeof boxIn>) {
  return render(boxIn(...what));
}

const box = (name: string) => screen.findByRole("textbox", { name });
const type = async (name: string, value: string) => fireEvent.change(await box(name), { target: { value } });

test("[A5] in Review a message dispatches a session of the same agent, and says before which place it would have", async () => {
  show("review", "claude-code");
  expect(
    await screen.findByText(/goes on with the agent’s conversation.*You 2\/2: it would be position 4\./),
  ).toBeTruthy();
  await type("Follow-up", "Please add a test.");
  fireEvent.keyDown(await box("Follow-up"), { key: "Enter", ctrlKey: true });
  await waitFor(() => expect(sent).toHaveLength(1));
  const body = { message: "Please add a test.", agentId: "claude-code" };
  expect(sent[0]).toEqual({ path: "/tasks/t1/dispatch", body });
  await waitFor(async () => expect(((await box("Follow-up")) as HTMLTextAreaElement).value).toBe(""));
});

test("[A5][W5] who presses before the agents are known means the one that worked, with comments in its language", async () => {
  let come = () => {};
  agentsCome = new Promise((resolve) => {
    come = resolve;
  });
  changeComments("t1", () => [comment("1", "Use make.")]);
  show("review", "shell");
  await type("Follow-up", "make");
  // Where it would stand is known; what becomes of it is not.
  expect(await screen.findByText(/it would be position 4/)).toBeTruthy();
  expect(screen.queryByText(/goes on with|runs this/)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: /^Follow up/ }));
  come();
  await waitFor(() => expect(sent).toHaveLength(1));
  const body = sent[0]?.body as { message: string; agentId: string };
  expect(body.agentId).toBe("shell");
  expect(body.message.split("\n").filter((line) => line !== "" && !line.startsWith("# "))).toEqual(["make"]);
});

test("[A5] programs without a conversation say what the message is for them", async () => {
  show("review", "shell");
  expect(await screen.findByText(/runs this as a script in the same worktree/)).toBeTruthy();
  cleanup();
  show("review", "command");
  expect(await screen.findByText(/gets this in place of the prompt/)).toBeTruthy();
});

test("[A5] an agent that cannot go on with its conversation is not promised to", async () => {
  show("review", "claude-code", { continues: false });
  expect(await screen.findByText(/begins a new conversation, with the task’s prompt and this/)).toBeTruthy();
  cleanup();
  show("review", "claude-code", { continues: true });
  expect(await screen.findByText(/goes on with the agent’s conversation/)).toBeTruthy();
});

test("[A5][B13] what was typed survives a reload, and a session that somebody else dispatched meanwhile", async () => {
  show("review", "claude-code");
  await screen.findByText(/goes on with the agent’s conversation/);
  await type("Follow-up", "Not lost.");
  cleanup();
  dispatchAnswer = { session: sampleSession(), position: 1, existing: true };
  show("review", "claude-code");
  expect(((await box("Follow-up")) as HTMLTextAreaElement).value).toBe("Not lost.");
  fireEvent.click(screen.getByRole("button", { name: /^Follow up/ }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("Your message was not sent."));
  expect(((await box("Follow-up")) as HTMLTextAreaElement).value).toBe("Not lost.");
});

test("[A5][R12] an agent with a protocol is told something while it works, and not while it waits for an answer", async () => {
  show("running", "claude-code");
  await type("Message to the agent", "Also the docs.");
  fireEvent.click(screen.getByRole("button", { name: /^Send/ }));
  await waitFor(() => expect(sent).toEqual([{ path: "/sessions/s1/message", body: { text: "Also the docs." } }]));
  cleanup();
  show("running", "claude-code", { phase: "asking" });
  await type("Message to the agent", "Too early.");
  expect(screen.getByText("It waits for the answer to its question.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: /^Send/ }));
  expect(sent).toHaveLength(1);
});

test("[R12][P3] a message whose answer was lost is sent again with the same key, another one with another", async () => {
  const keys: (string | null)[] = [];
  const whole = globalThis.fetch;
  let isCut = true;
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "POST") keys.push(request.headers.get("idempotency-key"));
    const answer = await whole(request);
    if (isCut && request.method === "POST") throw new TypeError("the connection was cut");
    return answer;
  });
  show("running", "claude-code");
  await type("Message to the agent", "Once.");
  fireEvent.click(screen.getByRole("button", { name: /^Send/ }));
  await screen.findByText(/No answer came from the server/);
  isCut = false;
  fireEvent.click(screen.getByRole("button", { name: /^Send/ }));
  await waitFor(async () => expect(((await box("Message to the agent")) as HTMLTextAreaElement).value).toBe(""));
  await type("Message to the agent", "Once.");
  fireEvent.click(screen.getByRole("button", { name: /^Send/ }));
  await waitFor(() => expect(keys).toHaveLength(3));
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test("[R12] of an agent that reads its prompt and nothing after it, that is said instead", async () => {
  show("running", "shell");
  expect(await screen.findByText(/cannot be told anything while it runs/)).toBeTruthy();
  expect(screen.queryByRole("textbox")).toBeNull();
});

const COMMENT = { path: "src/a.ts", side: "new", line: 16, quote: "await sleep(9)", isGone: false } as const;
const comment = (id: string, text: string, draft: string | null = null) => ({ ...COMMENT, id, text, draft });

test("[W5][A5] comments on lines go along, are counted and shown before, and go only when the server took them", async () => {
  changeComments("t1", () => [comment("1", "Add jitter."), comment("2", "", "not finished")]);
  show("review", "claude-code");
  const count = await screen.findByRole("button", { name: "1 line comment included" });
  expect(screen.getByText("1 comment is unfinished and stays here")).toBeTruthy();
  fireEvent.click(count);
  expect(screen.getByRole("region", { name: "What is sent along" }).textContent).toContain("### `src/a.ts:16`");
  dispatchAnswer = { session: sampleSession(), position: 1, existing: true };
  fireEvent.click(screen.getByRole("button", { name: /^Follow up/ }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("Your message was not sent."));
  expect(readComments("t1")).toHaveLength(2);
  dispatchAnswer = { session: sampleSession(), position: 1, existing: false };
  await type("Follow-up", "Nearly.");
  fireEvent.click(screen.getByRole("button", { name: /^Follow up/ }));
  await waitFor(() => expect(readComments("t1").map(({ id }) => id)).toEqual(["2"]));
  const message =
    "Nearly.\n\nComments on lines of the diff:\n\n### `src/a.ts:16`\n\n```\nawait sleep(9)\n```\n\nAdd jitter.";
  expect(sent[1]?.body).toEqual({ message, agentId: "claude-code" });
});

test("[W5][R12] they go along with a message to an agent that works as well, without another word if need be", async () => {
  changeComments("t1", () => [comment("1", "Add jitter.")]);
  show("running", "claude-code");
  expect(await screen.findByRole("button", { name: "1 line comment included" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: /^Send/ }));
  await waitFor(() => expect(readComments("t1")).toHaveLength(0));
  const text = "Comments on lines of the diff:\n\n### `src/a.ts:16`\n\n```\nawait sleep(9)\n```\n\nAdd jitter.";
  expect(sent).toEqual([{ path: "/sessions/s1/message", body: { text } }]);
});

test("[W5][A2] a shell agent gets them as comments of its script, and nothing without a script", async () => {
  changeComments("t1", () => [comment("1", "$(id)")]);
  show("review", "shell");
  expect(await screen.findByText("It stands above the script as a comment.")).toBeTruthy();
  expect(screen.getByText(/^It needs a script/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: /^Follow up/ }));
  await type("Follow-up", "make");
  fireEvent.click(screen.getByRole("button", { name: /^Follow up/ }));
  await waitFor(() => expect(sent).toHaveLength(1));
  const { message } = (sent[0]?.body ?? {}) as { message: string };
  expect(message.split("\n").filter((line) => line !== "" && !line.startsWith("# "))).toEqual(["make"]);
});

test("[W4][A2] what is sent back to a shell agent does not go as comments alone: a script is asked for", async () => {
  show("review", "shell");
  await screen.findByText(/runs this as a script/);
  suggestedSlot.open({ taskId: "t1", text: "Resolve the conflict.\n\n- a.txt" });
  expect(await screen.findByText("It needs a script: comments and blank lines run nothing.")).toBeTruthy();
  const button = screen.getByRole("button", { name: /^Follow up/ });
  expect(button.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(button);
  const told = ((await box("Follow-up")) as HTMLTextAreaElement).value;
  expect(told.split("\n").every((line) => line.startsWith("# "))).toBe(true);
  await type("Follow-up", `${told}\n\ngit merge main`);
  expect(screen.queryByText(/It needs a script/)).toBeNull();
  fireEvent.click(button);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({ message: `${told}\n\ngit merge main`, agentId: "shell" });
});

test("[A5][A2] who presses before the agents are known is told that a script is needed, and keeps the words", async () => {
  let come = () => {};
  agentsCome = new Promise((resolve) => {
    come = resolve;
  });
  show("review", "shell");
  await type("Follow-up", "# only said");
  fireEvent.click(screen.getByRole("button", { name: /^Follow up/ }));
  come();
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("It needs a script"));
  expect(((await box("Follow-up")) as HTMLTextAreaElement).value).toBe("# only said");
  expect(sent).toEqual([]);
});

test("[W4][A5] what is suggested for the box is added to what is typed, once, and has the focus", async () => {
  show("review", "claude-code");
  await type("Follow-up", "Also this.");
  suggestedSlot.open({ taskId: "other", text: "Not here." });
  suggestedSlot.open({ taskId: "t1", text: "Resolve the conflict." });
  await waitFor(async () =>
    expect(((await box("Follow-up")) as HTMLTextAreaElement).value).toBe("Also this.\n\nResolve the conflict."),
  );
  expect(document.activeElement).toBe(await box("Follow-up"));
  expect(suggestedSlot.held()).toBeNull();
});

test("[B5][A5] somebody else’s retry takes neither words nor focus from the box: it waits, and then speaks to the agent that works", async () => {
  const { rerender } = show("review", "claude-code");
  await type("Follow-up", "Half a sent");
  const typedIn = await box("Follow-up");
  typedIn.focus();
  rerender(boxIn("waiting", "claude-code"));
  expect(screen.getByText("It waits for its turn. What you typed is kept.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: /^Follow up/ }));
  rerender(boxIn("running", "claude-code"));
  expect(await box("Message to the agent")).toBe(typedIn);
  expect(document.activeElement).toBe(typedIn);
  expect((typedIn as HTMLTextAreaElement).value).toBe("Half a sent");
  rerender(boxIn("running", "shell"));
  expect(screen.getByText(/cannot be told anything while it runs. What you typed is kept./)).toBeTruthy();
  expect(document.activeElement).toBe(typedIn);
  expect(sent).toEqual([]);
});
