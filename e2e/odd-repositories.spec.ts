/** What a person sees of repositories, leftovers, agents and names that are not as one expects. */
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { expect, type Locator, test } from "@playwright/test";
import type { Task } from "../server/contract/tasks";
import { makeGate } from "./support/agents";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Looker } from "./support/looker";
import { Person } from "./support/person";
import { git, makeRepository } from "./support/repository";

test.setTimeout(240_000);

let camelot: Camelot;
let ann: Person;
test.beforeAll(async () => {
  camelot = await Camelot.start();
  ann = await Person.signUp(camelot, "Ann");
});
test.afterAll(() => camelot.remove());
test.beforeEach(({ context }) => ann.enter(context));

/** The task beside the board. */
async function openTask(board: BoardPage, number: number): Promise<Locator> {
  await board.card(number).getByRole("link").first().click();
  const panel = board.page.getByRole("region", { name: `Task #${number}` });
  await expect(panel.getByTestId("state")).toBeVisible();
  return panel;
}

async function expectEnd(board: BoardPage, number: number, word: string): Promise<void> {
  await expect(board.card(number)).toContainText(word, { timeout: 60_000 });
}

test("[GIT-1][W1][B11] a repository without a first commit is refused with what is missing, and is taken once it has one", async ({
  page,
}) => {
  const folder = path.join(camelot.dataDir, "repositories", "begun");
  fs.mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q", "-b", "main");
  fs.writeFileSync(path.join(folder, "notes.txt"), "not committed\n");
  await page.goto(`${camelot.url}/projects/new`);
  await page.getByText("A folder on this machine").click();
  await page.getByLabel("Path").fill(folder);
  await page.getByLabel("Name").fill("Begun");
  await page.getByRole("button", { name: "Make it and continue" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "first commit" })).toBeVisible();
  await expect(page.getByLabel("Path")).toHaveValue(folder);
  expect(git(folder, "status", "--porcelain")).toBe("?? notes.txt\n");

  git(folder, "add", "-A");
  git(folder, "-c", "user.name=Nora", "-c", "user.email=nora@example.test", "commit", "-qm", "Begin");
  await page.getByRole("button", { name: "Make it and continue" }).click();
  const board = new BoardPage(page);
  await expect(board.column("Backlog")).toBeVisible();
  await board.newTask("Begin", "echo more >> notes.txt", "Create and dispatch");
  await expectEnd(board, 1, "Succeeded");
});

test("[W1][B12] a clone whose server never answers says that it goes on, is readable, and is given up at a press", async ({
  page,
}) => {
  const connected = new Set<net.Socket>();
  const silent = net.createServer((socket) => {
    connected.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => connected.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  await page.goto(`${camelot.url}/projects/new`);
  await page.getByText("A clone URL").click();
  const { port } = silent.address() as net.AddressInfo;
  await page.getByLabel("Address").fill(`http://127.0.0.1:${port}/shop.git`);
  await page.getByLabel("Name").fill("Silent");
  const make = page.getByRole("button", { name: "Make it and continue" });
  await make.click();
  await expect(page.getByRole("status").filter({ hasText: /^Cloning… 0:(?!00)\d\d$/ })).toBeVisible();
  await expect(make).toBeDisabled();
  const looker = new Looker(page);
  await looker.look("a form that waits for a clone");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await make.hover({ force: true });
    // Its words are pale: the dark ground of a button that can be pressed would hide them.
    await expect(make).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  }
  await expect.poll(() => connected.size).toBe(1);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(make).toBeEnabled();
  await expect(make).toBeFocused();
  await expect.poll(() => connected.size).toBe(0);
  await expect.poll(() => fs.readdirSync(path.join(camelot.dataDir, "clones"))).toEqual([]);
  silent.close();
});

test("[GIT-2][W3] what a crash left in the way of a task blocks no dispatch, and is still there", async ({ page }) => {
  const repository = makeRepository(camelot.dataDir, "left");
  const { id } = await ann.makeProject("Left", repository);
  const worktrees = path.join(camelot.dataDir, "worktrees", id);
  fs.mkdirSync(path.join(worktrees, "1-first"), { recursive: true });
  fs.writeFileSync(path.join(worktrees, "1-first", "precious.txt"), "left by a crash\n");
  git(repository, "worktree", "add", "-q", "-b", "camelot/2-second", path.join(worktrees, "2-second"));
  fs.rmSync(path.join(worktrees, "2-second"), { recursive: true });
  git(repository, "branch", "camelot/3-third");

  const board = await BoardPage.open(page, camelot, id);
  for (const [index, title] of ["First", "Second", "Third"].entries()) {
    await board.newTask(title, "echo work > work.txt", "Create and dispatch");
    await expectEnd(board, index + 1, "Succeeded");
  }
  const kept = fs.readdirSync(worktrees).find((name) => name.startsWith("1-first.kept-")) ?? "";
  expect(fs.readFileSync(path.join(worktrees, kept, "precious.txt"), "utf8")).toBe("left by a crash\n");
  const panel = await openTask(board, 3);
  await panel.getByRole("tab", { name: /^Diff/ }).click();
  await expect(panel.getByRole("region", { name: "work.txt" })).toContainText("work");
  expect(git(repository, "rev-parse", "camelot/3-third")).toBe(git(repository, "rev-parse", "main"));
});

test("[GIT-3][W2][P17] the work of an agent that never commits and is stopped stands in the diff, and what stays uncommitted is named with what to do", async ({
  page,
}) => {
  const repository = makeRepository(camelot.dataDir, "stopped");
  const { id } = await ann.makeProject("Stopped", repository);
  const gate = makeGate(camelot.dataDir, "stopped");
  const board = await BoardPage.open(page, camelot, id);
  const work = "echo edited >> README.md; mkdir new; echo new > new/file.txt; echo KEY=1 > .env";
  await board.newTask("Work and never end", `${work}\n${gate.script}`, "Create and dispatch");
  const panel = await openTask(board, 1);
  await expect(panel.getByRole("log")).toContainText("stopped line 1");
  await panel.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stop", exact: true }).click();
  await expect(panel.getByTestId("outcome")).toContainText("It was stopped by Ann.", { timeout: 60_000 });
  await expect(panel.getByTestId("outcome")).toContainText("What it had written is on the branch.");
  await expect(panel.getByTestId("outcome")).toContainText(".env. No merge brings it along");
  await expect(panel.getByTestId("outcome")).toContainText(path.join(camelot.dataDir, "worktrees", id, "1-work-and"));
  await expect(board.card(1)).toContainText("left out: .env");
  await panel.getByRole("tab", { name: /^Diff/ }).click();
  await expect(panel.getByRole("region", { name: "README.md" })).toContainText("edited");
  await expect(panel.getByRole("region", { name: "new/file.txt" })).toContainText("new");
  expect(git(repository, "status", "--porcelain")).toBe("");
});

test("[GIT-4][A2][B12] a path and titles in any script, and such that look like commands, run, are shown as they are, and have branches of their own", async ({
  page,
}) => {
  const repository = makeRepository(camelot.dataDir, "проект 日本 🚀 $(touch pwned)");
  const { id } = await ann.makeProject("إصلاح 修复", repository);
  const looker = new Looker(page);
  const board = await BoardPage.open(page, camelot, id);
  const titles = [
    "修复登录问题",
    "إصلاح تسجيل الدخول",
    "🚀🔥",
    "$(touch pwned); `touch pwned`",
    "--upload-pack=touch pwned",
    "../../etc/passwd",
  ];
  const branches = new Set<string>();
  for (const [index, title] of titles.entries()) {
    const number = index + 1;
    const name = `ünï ${number}.txt`;
    await board.newTask(title, `echo '${title}' > '${name}'`, "Create and dispatch");
    await expectEnd(board, number, "Succeeded");
    await expect(board.card(number)).toContainText(title);
  }
  const { items } = await ann.must<{ items: Task[] }>("GET", `/projects/${id}/tasks`);
  for (const { branch } of items) branches.add(branch ?? "");
  expect(branches.size).toBe(titles.length);
  const panel = await openTask(board, 4);
  await panel.getByRole("tab", { name: /^Diff/ }).click();
  await expect(panel.getByRole("region", { name: "ünï 4.txt" })).toContainText("$(touch pwned); `touch pwned`");
  await panel.getByRole("button", { name: "Merge into main" }).click();
  await expect(panel.getByTestId("state")).toContainText("Merged into main");
  expect(fs.readdirSync(repository).toSorted()).toEqual([".git", "README.md", "ünï 4.txt"]);
  await looker.look("a board with names in any script");
  expect(looker.complaints()).toEqual([]);
});
