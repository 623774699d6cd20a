import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { samplePool } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { AgentsPage } from "./agents-page";

const sent: { method: string; path: string; body: unknown }[] = [];
const agent = (id: string, name: string, projectId: string | null, argv: string[]) => ({
  id,
  name,
  kind: "command",
  settings: { argv, promptVia: "stdin" },
  projectId,
  problem: null as string | null,
  hold: null,
  program: null,
});
let items: unknown[] = [];
let programs: unknown[] = [];

beforeEach(() => {
  sent.length = 0;
  programs = [];
  items = [agent("all", "Everyone’s", null, ["one"]), agent("mine", "Ours", "p", ["two", "--yes"])];
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname.replace("/api/v1", "");
    if (request.method !== "GET") {
      const text = await request.text();
      sent.push({ method: request.method, path, body: text === "" ? null : JSON.parse(text) });
    }
    const runner = {
      treeEnding: "scan",
      sandbox: { isAvailable: false, problem: "bubblewrap is not installed." },
      programs,
    };
    const answer = path === "/runner" ? runner : request.method === "GET" ? { items, next: null } : items.at(-1);
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(role: "admin" | "member", isOwner: boolean) {
  const me = { id: "nora", name: "Nora", email: "n@example.test", role, running: 0, queued: 0, max: 2 };
  const project = {
    id: "p",
    name: "Shop",
    repository: "/srv/shop",
    baseBranch: "main",
    role: isOwner ? ("owner" as const) : ("member" as const),
    longestRunSeconds: 7_200,
    quietNoticeSeconds: 300,
    setupScript: null,
    hasGitHub: false,
    hold: null,
    createdAt: "2026-01-01T12:00:00.000Z",
  };
  render(
    <LiveProvider
      isSignedIn={false}
      first={{ me, projects: [project], pool: samplePool() }}
      moment={0}
      routes={contract}
    >
      <AgentsPage />
    </LiveProvider>,
  );
}

function fill(label: RegExp | string, value: string) {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

test("[B10][A2] a command is written one argument per line and sent as an argument list, with no shell between", async () => {
  show("admin", true);
  fireEvent.click(screen.getByRole("button", { name: "Add an agent" }));
  fill("Name", "Mine");
  fill("Program and arguments, one per line", "my-agent\n--say\na b 'c' $HOME\n\n{{prompt}}");
  fill("How it gets the prompt", "argument");
  fireEvent.click(screen.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    method: "POST",
    path: "/agents",
    body: {
      kind: "command",
      name: "Mine",
      projectId: null,
      settings: { argv: ["my-agent", "--say", "a b 'c' $HOME", "{{prompt}}"], promptVia: "argument", sandbox: "none" },
    },
  });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("[A2] a prompt that would go nowhere is told before anything is sent", async () => {
  show("admin", true);
  fireEvent.click(screen.getByRole("button", { name: "Add an agent" }));
  fill("Name", "Mine");
  fill("Program and arguments, one per line", "my-agent");
  fill("How it gets the prompt", "file");
  fireEvent.click(screen.getByRole("button", { name: "Add" }));
  expect(screen.getByRole("alert").textContent).toBe("One of the arguments has to hold {{promptFile}}.");
  fill("Program and arguments, one per line", "my-agent\n--file={{promptFile}}");
  expect(screen.getByRole("alert").textContent).toBe("");
  expect(sent).toEqual([]);
});

test("[S2][B10] owners change their projects' agents, members change none", async () => {
  show("member", true);
  fireEvent.click(await screen.findByRole("button", { name: "Change Ours" }));
  expect(screen.queryByRole("button", { name: "Change Everyone’s" })).toBeNull();
  fill("Program and arguments, one per line", "three");
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    method: "PATCH",
    path: "/agents/mine",
    body: { name: "Ours", settings: { argv: ["three"], promptVia: "stdin", sandbox: "none" } },
  });
  cleanup();
  show("member", false);
  await screen.findByText("Ours");
  const names = screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"));
  expect(names).toEqual(["Try it: Everyone’s", "Try it: Ours"]);
});

test("[A2] an argument of several lines is shown and kept as it is", async () => {
  items = [agent("all", "Script", null, ["python3", "-c", "import sys\nprint(1)"])];
  show("admin", true);
  fireEvent.click(await screen.findByRole("button", { name: "Change Script" }));
  expect(screen.getByLabelText("Program and arguments, one per line").hasAttribute("readonly")).toBe(true);
  fill("Name", "Renamed");
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({
    name: "Renamed",
    settings: { argv: ["python3", "-c", "import sys\nprint(1)"] },
  });
});

test("[B10][P1] an agent whose program is not there says so, with the sentence a dispatch would be refused with", async () => {
  const problem = "Ours is not installed here: the program two was not found.";
  items = [agent("all", "Everyone’s", null, ["one"]), { ...agent("mine", "Ours", "p", ["two"]), problem }];
  show("member", false);
  expect(await screen.findByText(problem)).toBeTruthy();
  expect(screen.getAllByText(/not installed here/)).toHaveLength(1);
});

const found = (name: string, title: string, kind: string, isThere: boolean, argv: string[] | null = null) => ({
  name,
  title,
  kind,
  argv,
  isThere,
  version: isThere ? "2.1.332" : null,
  isVersionAsked: false,
  testedWith: "2.1.332",
  install: `npm install -g ${name}`,
});

test("[B10] the command that installs a missing program stands once, to be copied", async () => {
  const program = found("two", "Two", "acp", false);
  const problem = `Ours is not installed here: the program two was not found. Install it with: ${program.install}`;
  items = [{ ...agent("all", "Ours", null, ["two"]), problem, program }];
  show("admin", false);
  expect(
    await screen.findByText("Ours is not installed here: the program two was not found. Install it with:"),
  ).toBeTruthy();
  expect(screen.getAllByText(/npm install -g two/)).toHaveLength(1);
  expect(screen.getByRole("button", { name: "Copy “npm install -g two”" })).toBeTruthy();
});

test("[B10] a program that is slow to say its version holds nothing up: the page shows it once it is known", async () => {
  const program = {
    ...found("gemini", "Gemini CLI", "acp", true),
    version: null as string | null,
    isVersionAsked: true,
  };
  const listed = () => [{ ...agent("all", "Gemini", null, ["gemini", "--acp"]), program }];
  items = listed();
  show("admin", false);
  expect((await screen.findAllByText("found · tested with 2.1.332")).length).toBeGreaterThan(0);
  Object.assign(program, { version: "0.61.0", isVersionAsked: false });
  items = listed();
  const shown = await screen.findAllByText("0.61.0 · tested with 2.1.332", {}, { timeout: 10_000 });
  expect(shown.length).toBeGreaterThan(0);
});

test("[B10] a new agent: what is found on the machine first, what is missing last and with the command that installs it", async () => {
  programs = [found("codex", "Codex", "codex", true), found("claude", "Claude Code", "claude-code", false)];
  show("admin", true);
  fireEvent.click(screen.getByRole("button", { name: "Add an agent" }));
  await waitFor(() => expect(screen.getByLabelText("What it runs").textContent).toContain("Codex"));
  const options = [...screen.getByLabelText("What it runs").querySelectorAll("option")].map((one) => one.textContent);
  expect([options[0], options.at(-1)]).toEqual(["Codex 2.1.332", "Claude Code · not installed"]);
  fill("What it runs", "program claude");
  expect(screen.getByText("npm install -g claude")).toBeTruthy();
  expect((screen.getByLabelText("Name") as HTMLInputElement).value).toBe("Claude Code");
  fill("What it may do", "default");
  fill("Tools it never asks about, one per line", "Bash(npm test:*)\nRead");
  fill("Model", "opus");
  fill("Variables it gets from the server, one name per line", "ANTHROPIC_API_KEY");
  fireEvent.click(screen.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  const settings = {
    model: "opus",
    permissionMode: "default",
    allowedTools: ["Bash(npm test:*)", "Read"],
    environment: ["ANTHROPIC_API_KEY"],
  };
  expect(sent[0]?.body).toEqual({ kind: "claude-code", name: "Claude Code", projectId: null, settings });
});

test("[B10] an agent that speaks ACP is sent as the program that does, in the mode one names", async () => {
  programs = [found("gemini", "Gemini CLI", "acp", true, ["gemini", "--acp"])];
  show("admin", true);
  fireEvent.click(screen.getByRole("button", { name: "Add an agent" }));
  await waitFor(() => expect(screen.getByLabelText("What it runs").textContent).toContain("Gemini"));
  fill("What it runs", "program gemini");
  fill("Mode", "yolo");
  fireEvent.click(screen.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  const settings = { argv: ["gemini", "--acp"], mode: "yolo" };
  expect(sent[0]?.body).toEqual({ kind: "acp", name: "Gemini CLI", projectId: null, settings });
});

test("[A8][B10] an agent whose sessions are held says why and until when, and whoever may dispatch tries again", async () => {
  const hold = { detail: "Ours is not logged in.", until: null };
  items = [{ ...agent("mine", "Ours", "p", ["two"]), hold }];
  show("member", false);
  expect(await screen.findByText("Its next sessions wait: Ours is not logged in.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(sent).toMatchObject([{ method: "POST", path: "/agents/mine/try-again" }]));
});

test("[B10] Try it says what it does: an ordinary task of that name in the chosen project, dispatched to the agent", async () => {
  show("member", false);
  fireEvent.click(await screen.findByRole("button", { name: "Try it: Ours" }));
  expect(screen.getByText(/ordinary task “Try Ours” in the project you choose/)).toBeTruthy();
  fill("What it shall do", "Say hello.");
  fireEvent.click(screen.getByRole("button", { name: "Try it" }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent.map(({ path }) => path)).toEqual(["/projects/p/tasks", "/tasks/mine/dispatch"]);
  expect(sent[0]?.body).toEqual({ title: "Try Ours", prompt: "Say hello.", agentId: "mine" });
});
