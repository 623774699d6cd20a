import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { LiveProvider } from "../live/live-provider";
import { NewTaskForm } from "./new-task-form";
import { samplePool, sampleTask } from "./sample";

const ME = {
  id: "nora",
  name: "Nora",
  email: "n@example.test",
  role: "member",
  running: 0,
  queued: 0,
  max: 2,
} as const;
const codex = {
  id: "codex",
  name: "Codex",
  kind: "codex",
  settings: {},
  projectId: null,
  problem: null,
  hold: { detail: "Codex is not logged in.", until: null },
  program: null,
};
const shell = { ...codex, id: "shell", name: "Shell", kind: "shell", hold: null };
const gone = { ...codex, id: "gone", name: "Gone", hold: null, problem: "claude is not installed here." };
const keys: (string | null)[] = [];
let isReachable: boolean;

beforeEach(() => {
  keys.length = 0;
  localStorage.clear();
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method !== "GET") keys.push(request.headers.get("idempotency-key"));
    if (request.method !== "GET" && !isReachable) throw new TypeError("Failed to fetch");
    const items = new URL(request.url).pathname.endsWith("/agents") ? [shell, codex, gone] : [];
    const body = request.method === "GET" ? { items, next: null } : sampleTask();
    return new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("[P3][B6] after a lost answer it is not known what was saved; trying again asks with the same key, another text with another", async () => {
  const done = vi.fn();
  render(
    <LiveProvider isSignedIn={false} first={{ me: ME, pool: samplePool(), projects: [] }} moment={0} routes={contract}>
      <NewTaskForm projectId="p1" done={done} />
    </LiveProvider>,
  );
  const type = (value: string) => fireEvent.change(screen.getByLabelText("Title"), { target: { value } });
  const create = () => fireEvent.click(screen.getByRole("button", { name: "Create" }));
  isReachable = false;
  type("Once");
  create();
  await screen.findByText(/It is not known whether this was saved\. Trying again is safe/);
  create();
  await waitFor(() => expect(keys).toHaveLength(2));
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: "Create" }).disabled).toBe(false));
  isReachable = true;
  type("Another");
  create();
  await waitFor(() => expect(done).toHaveBeenCalled());
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test("[B6][B12] a long title is counted, and one that is too long is kept, told and not sent", async () => {
  isReachable = true;
  const done = vi.fn();
  render(
    <LiveProvider isSignedIn={false} first={{ me: ME, pool: samplePool(), projects: [] }} moment={0} routes={contract}>
      <NewTaskForm projectId="p1" done={done} />
    </LiveProvider>,
  );
  const field = screen.getByLabelText<HTMLInputElement>("Title");
  const type = (value: string) => fireEvent.change(field, { target: { value } });
  const create = () => fireEvent.click(screen.getByRole("button", { name: "Create" }));
  type("Short");
  expect(screen.queryByText(/10,000/)).toBeNull();
  type("x".repeat(300));
  screen.getByText("300 of 10,000 characters");
  type("x".repeat(10_001));
  expect(field.value).toHaveLength(10_001);
  screen.getByText("A title can have 10,000 characters at most. This one has 10,001.");
  create();
  expect(keys).toEqual([]);
  type("x".repeat(10_000));
  create();
  await waitFor(() => expect(done).toHaveBeenCalled());
});

test("[B12] megabytes pasted into the prompt have a direction before they are in it", () => {
  render(
    <LiveProvider isSignedIn={false} first={{ me: ME, pool: samplePool(), projects: [] }} moment={0} routes={contract}>
      <NewTaskForm projectId="p1" done={() => {}} />
    </LiveProvider>,
  );
  const prompt = screen.getByLabelText<HTMLTextAreaElement>("Prompt");
  expect(prompt.dir).toBe("auto");
  fireEvent.paste(prompt, { clipboardData: { getData: () => "x".repeat(3_000_000) } });
  expect(prompt.dir).toBe("ltr");
});

test("[B6][A8][P14] what a dispatch would be is that of the chosen agent: one that is held says why, one that is missing promises nothing", async () => {
  const pool = samplePool({
    global: { running: 0, max: 20, queued: 3 },
    users: { nora: { running: 0, max: 2, queued: 3 } },
    held: { nora: 3 },
  });
  render(
    <LiveProvider isSignedIn={false} first={{ me: ME, pool, projects: [] }} moment={0} routes={contract}>
      <NewTaskForm projectId="p1" done={() => {}} />
    </LiveProvider>,
  );
  await screen.findByText("You 0/2, 3 held: it would start at once.");
  const choose = (value: string) => fireEvent.change(screen.getByLabelText("Agent"), { target: { value } });
  await screen.findByRole("option", { name: "Codex" });
  choose("codex");
  screen.getByText("It would be held: Codex is not logged in.");
  choose("gone");
  screen.getByText("It could be created, not dispatched.");
  choose("shell");
  screen.getByText("You 0/2, 3 held: it would start at once.");
});
