/** The work comes home: read, commented, sent back, done again, merged; and a base that moved meanwhile is not hurt. */
import fs from "node:fs";
import path from "node:path";
import { expect, type Locator, type Page, test } from "@playwright/test";
import type { Task } from "../server/contract/tasks";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Looker } from "./support/looker";
import { Person } from "./support/person";
import { git, makeRepository } from "./support/repository";

test.setTimeout(240_000);

const AGENT = path.join(import.meta.dirname, "support/obedient-agent.sh");

let camelot: Camelot;
let ann: Person;
let repository: string;
let projectId: string;
let agentId: string;
test.beforeAll(async () => {
  camelot = await Camelot.start();
  ann = await Person.signUp(camelot, "Ann");
  repository = makeRepository(camelot.dataDir);
  fs.writeFileSync(path.join(repository, "search.txt"), "wifi\nparking\nprice\n");
  commitAll("Search");
  ({ id: projectId } = await ann.makeProject("Shop", repository));
  const agent = { name: "Obedient", kind: "command", settings: { argv: ["bash", AGENT], promptVia: "stdin" } };
  ({ id: agentId } = await ann.must<{ id: string }>("POST", "/agents", { ...agent, projectId }));
});
test.afterAll(() => camelot.remove());

function commitAll(message: string): void {
  git(repository, "add", "-A");
  git(repository, "-c", "user.name=Nora", "-c", "user.email=nora@example.test", "commit", "-qm", message);
}

/** A task whose agent is over, open beside the board, at its diff. */
async function review(page: Page, title: string, prompt: string): Promise<{ panel: Locator; task: Task }> {
  await ann.enter(page.context());
  const task = await ann.makeTask(projectId, title, prompt, agentId);
  const { session } = await ann.dispatch(task.id);
  await expect.poll(async () => (await ann.session(session.id)).status, { timeout: 90_000 }).toBe("succeeded");
  const board = await BoardPage.open(page, camelot, projectId);
  await board.card(task.number).getByRole("link").first().click();
  const panel = page.getByRole("region", { name: `Task #${task.number}` });
  await panel.getByRole("tab", { name: /^Diff/ }).click();
  await expect(panel.getByRole("region", { name: "search.txt" })).toBeVisible();
  return { panel, task };
}

/** Until the follow-up is over and its change is on the screen. */
async function followUp(panel: Locator, { id }: Task, shown: string): Promise<void> {
  const read = async () => (await ann.must<Task>("GET", `/tasks/${id}`)).session;
  const before = (await read())?.id;
  await panel.getByRole("button", { name: /^Follow up/ }).click();
  const isOver = async () => {
    const session = await read();
    return session?.id !== before && session?.status === "succeeded";
  };
  await expect.poll(isOver, { timeout: 90_000 }).toBe(true);
  await panel.getByRole("tab", { name: /^Diff/ }).click();
  await expect(panel.getByRole("region", { name: "search.txt" })).toContainText(shown);
}

test("[W4][W5][A5] a change is read, commented on a line, sent back, done again and merged", async ({ page }) => {
  const { panel, task } = await review(page, "Search for pets", "wifi\nparking\nprice\npets");
  const file = panel.getByRole("region", { name: "search.txt" });
  await panel.getByRole("button", { name: "Side by side" }).click();
  await expect(file.getByRole("row").nth(4)).toHaveText(/^4\+pets$/);
  await file.getByRole("button", { name: "Comment on line 4" }).click();
  await page.keyboard.type("dogs and cats");
  await page.keyboard.press("Control+Enter");
  await expect(file.getByRole("article", { name: "Comment on line 4" })).toContainText("dogs and cats");

  // What was written is there after a reload, on a page of its own and on a phone; the tab stands in the address.
  await page.reload();
  const looker = new Looker(page);
  await expect(page.getByRole("tab", { name: /^Diff/ })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("article", { name: "Comment on line 4" })).toBeVisible();
  await looker.look("a diff with a comment");
  expect(looker.complaints()).toEqual([]);

  const whole = page.getByRole("main");
  await whole.getByRole("button", { name: "1 line comment included" }).click();
  await expect(whole.getByRole("region", { name: "What is sent along" })).toContainText("### `search.txt:4`");
  await followUp(whole, task, "dogs and cats");
  await expect(whole.getByRole("article")).toHaveCount(0);
  await whole.getByRole("button", { name: "Merge into main" }).click();
  await expect(whole.getByTestId("state")).toContainText("Merged into main");
  expect(git(repository, "show", "main:search.txt")).toBe("wifi\nparking\nprice\ndogs and cats\n");
  expect(git(repository, "status", "--porcelain")).toBe("");
  const board = await BoardPage.open(page, camelot, projectId);
  await expect(board.card(task.number)).toContainText("Merged into main");
  await expect(board.card(task.number)).toHaveAttribute("data-column", "done");
});

test("[W4][A5] where the base moved, the conflict is named and nothing has changed; sent back and resolved, it merges", async ({
  page,
}) => {
  const before = git(repository, "show", "main:search.txt");
  const { panel, task } = await review(page, "Search for a pool", `pool\n${before.trim()}`);
  fs.writeFileSync(path.join(repository, "search.txt"), `sauna\n${before}`);
  commitAll("Sauna");
  const base = git(repository, "rev-parse", "main");
  await panel.getByRole("button", { name: "Merge into main" }).click();
  const dialog = page.getByRole("alertdialog", { name: /conflicts with main$/ });
  await expect(dialog).toContainText("“search.txt”");
  await expect(dialog.getByRole("listitem")).toHaveCount(0);
  expect(git(repository, "rev-parse", "main")).toBe(base);
  expect(git(repository, "status", "--porcelain")).toBe("");

  await dialog.getByRole("button", { name: "Send back to resolve" }).click();
  const box = panel.getByRole("textbox", { name: "Follow-up" });
  await expect(box).toHaveValue(
    /^Merging this branch into `main` conflicts:\n\n- `search\.txt` \(the same lines changed by both\)\n/,
  );
  await expect(box).toBeFocused();
  await followUp(panel, task, "pool");
  // What the base brought in is not the agent's work.
  await expect(panel.getByRole("region", { name: "search.txt" })).not.toContainText("+sauna");
  await panel.getByRole("button", { name: "Merge into main" }).click();
  await expect(panel.getByTestId("state")).toContainText("Merged into main");
  const merged = git(repository, "show", "main:search.txt").trim().split("\n");
  expect(merged.toSorted()).toEqual(["pool", "sauna", ...before.trim().split("\n")].toSorted());
  expect(git(repository, "log", "-1", "--format=%s", "main").trim()).toMatch(/^Merge #\d+ Search for a pool$/);
  expect(git(repository, "status", "--porcelain")).toBe("");
});

test("[W4][W2][A5] an agent that ended in the middle of a conflict: asked before its marks are merged, sent back, then merged", async ({
  page,
}) => {
  const { panel, task } = await review(page, "Search for a bar", "leave a conflict: bar");
  const base = git(repository, "rev-parse", "main");
  const dialog = page.getByRole("alertdialog", { name: `#${task.number} is still in conflict` });
  await panel.getByRole("button", { name: "Merge into main" }).click();
  await expect(dialog).toContainText("“search.txt”");
  await expect(dialog.getByRole("listitem")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Leave it" }).click();
  await expect(dialog).toBeHidden();
  expect(git(repository, "rev-parse", "main")).toBe(base);

  await panel.getByRole("button", { name: "Merge into main" }).click();
  await dialog.getByRole("button", { name: "Send back to resolve" }).click();
  const box = panel.getByRole("textbox", { name: "Follow-up" });
  await expect(box).toHaveValue(/^These files still have the marks of a conflict .*\n\n- `search\.txt`\n/);
  await expect(box).toBeFocused();
  await followUp(panel, task, "bar there");
  await panel.getByRole("button", { name: "Merge into main" }).click();
  await expect(panel.getByTestId("state")).toContainText("Merged into main");
  const merged = git(repository, "show", "main:search.txt");
  expect(merged).toContain("bar here\nbar there\n");
  expect(merged).not.toMatch(/[<>]{7}/);
});

test("[W4] an agent's conflict marks are merged all the same when somebody says so", async ({ page }) => {
  const { panel, task } = await review(page, "Search for a spa", "leave a conflict: spa");
  await panel.getByRole("button", { name: "Merge into main" }).click();
  const dialog = page.getByRole("alertdialog", { name: `#${task.number} is still in conflict` });
  await dialog.getByRole("button", { name: "Merge anyway" }).click();
  await expect(panel.getByTestId("state")).toContainText("Merged into main");
  expect(git(repository, "show", "main:search.txt")).toContain("<<<<<<< ");
});

test("[W4] what is discarded is asked about, goes to Done, and comes back from its branch", async ({ page }) => {
  const { panel, task } = await review(page, "Search for nothing", "nothing");
  const board = new BoardPage(page);
  await panel.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Discard" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await expect(board.card(task.number)).toContainText("Discarded");
  await panel.getByRole("button", { name: "Restore" }).click();
  await expect(panel.getByRole("button", { name: "Merge into main" })).toBeVisible();
  await panel.getByRole("tab", { name: /^Diff/ }).click();
  await expect(panel.getByRole("region", { name: "search.txt" })).toContainText("nothing");
});

test("[W5][B4] the keyboard goes on from the line that was clicked; line and editor are in sight below the file's name", async ({
  page,
}) => {
  const places = Array.from({ length: 60 }, (_, at) => `place ${at + 1}`).join("\n");
  const { panel } = await review(page, "Search for places", places);
  const file = panel.getByRole("region", { name: "search.txt" });
  // Line 20 is the first below the name; the one before it lies behind the name.
  await file.getByRole("button", { name: "Comment on line 20" }).evaluate((button) => {
    const name = button.closest("section")?.querySelector("h2")?.getBoundingClientRect().bottom ?? 0;
    const top = () => button.closest("tr")?.getBoundingClientRect().top ?? 0;
    const pane = button.closest(".pane");
    pane?.scrollBy(0, top() - name);
    pane?.scrollBy(0, top() - (button.closest("section")?.querySelector("h2")?.getBoundingClientRect().bottom ?? 0));
  });
  await file.getByText("place 20", { exact: true }).click();
  await page.keyboard.press("ArrowUp");
  await expect(file.getByRole("button", { name: "Comment on line 19" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(file.getByRole("textbox", { name: "Comment on line 19" })).toBeFocused();
  const boxOf = async (what: Locator) => (await what.boundingBox()) ?? { y: 0, height: 0 };
  const head = await boxOf(file.getByRole("heading"));
  const line = await boxOf(file.getByRole("button", { name: "Comment on line 19" }));
  expect(line.y).toBeGreaterThanOrEqual(head.y + head.height);
  await expect(file.getByRole("button", { name: /^Keep/ })).toBeInViewport({ ratio: 1 });
});

test("[W4] why a remote refused a push stays until it is read, in words without colours, and the push is tried again from there", async ({
  page,
}) => {
  const hub = path.join(camelot.dataDir, "hub.git");
  git(repository, "clone", "-q", "--bare", repository, hub);
  git(repository, "remote", "add", "origin", hub);
  const hook = path.join(hub, "hooks/pre-receive");
  fs.mkdirSync(path.dirname(hook), { recursive: true });
  fs.writeFileSync(hook, "#!/bin/sh\nprintf 'ask \\033[31mops \\033[0m\\n' >&2\nexit 1\n", { mode: 0o755 });
  const { panel, task } = await review(page, "Search for help", "help");
  await panel.getByRole("button", { name: "Push" }).click();
  const dialog = page.getByRole("alertdialog", { name: /was not pushed$/ });
  await expect(dialog).toContainText("It says: “ask ops”");
  await page.screenshot({ path: test.info().outputPath("refused.png") });
  fs.rmSync(hook);
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => git(hub, "branch", "--list", `camelot/${task.number}-*`)).toContain("search-for-help");
  await expect(dialog).toBeHidden();
});
