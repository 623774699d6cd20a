/** A whole story by keyboard alone, and what opens by keys, looked at by somebody picky. */
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { makeGate } from "./support/agents";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Looker } from "./support/looker";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

/** Of a window that a column of cards does not fit into. */
const HEIGHT = 640;

let camelot: Camelot;
test.beforeAll(async () => {
  camelot = await Camelot.start();
});
test.afterAll(() => camelot.remove());

async function begin(context: BrowserContext, name: string): Promise<{ ann: Person; projectId: string }> {
  const ann = await Person.signUp(camelot, name);
  const { id: projectId } = await ann.makeProject("Shop", makeRepository(camelot.dataDir, name.toLowerCase()));
  await ann.enter(context);
  return { ann, projectId };
}

/** The code behind the keys comes soon after the page. */
async function pressUntilFocused(page: Page, key: string, board: BoardPage, number: number): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(board.card(number)).toBeFocused({ timeout: 500 });
  }).toPass();
}

test("[A11Y-1][B4][B3][B6][B7] new task, dispatch, watch, stop and put away, without a mouse, and each is said", async ({
  page,
  context,
}) => {
  const { projectId } = await begin(context, "Ann");
  const gate = makeGate(camelot.dataDir, "by-keys");
  const board = await BoardPage.open(page, camelot, projectId);
  const keys = page.keyboard;
  const said = page.getByTestId("announcements");

  // The page is there before it listens.
  await expect(async () => {
    await keys.press("n");
    await expect(page.getByRole("dialog", { name: "New task" }).getByLabel("Title")).toBeFocused({ timeout: 5_000 });
  }).toPass();
  await keys.type("Done by keys");
  await keys.press("Tab");
  await keys.type(gate.script);
  await keys.press("Shift+Tab");
  await keys.press("Enter");
  await expect(board.card(1)).toHaveAttribute("data-column", "backlog");
  await expect(said).toHaveText("#1 is in Backlog");

  await pressUntilFocused(page, "j", board, 1);
  await keys.press("d");
  await expect(board.card(1)).toHaveAttribute("data-column", "running");
  await expect(said).toHaveText("#1 is running");
  await expect(board.card(1)).toBeFocused();
  await keys.press("Enter");
  await expect(page.getByRole("log")).toContainText("by-keys line 2");

  await keys.press("x");
  const question = page.getByRole("alertdialog", { name: "Stop #1?" });
  await expect(question.getByRole("button", { name: "Keep running" })).toBeFocused();
  await keys.press("Tab");
  await keys.press("Enter");
  await expect(board.card(1)).toContainText("Cancelled", { timeout: 90_000 });
  await expect(said).toHaveText("#1 cancelled");
  await keys.press("Escape");
  await expect(page.getByRole("region", { name: "Task #1" })).toBeHidden();

  await expect(board.card(1)).toBeFocused();
  await keys.press("m");
  await expect(page.getByRole("menu", { name: "Task #1" })).toBeVisible();
  const done = page.getByRole("menuitem", { name: "Move to Done" });
  await expect(async () => {
    await keys.press("ArrowDown");
    await expect(done).toBeFocused({ timeout: 200 });
  }).toPass();
  await keys.press("Enter");
  await expect(board.card(1)).toHaveAttribute("data-column", "done");
  await expect(said).toHaveText("#1 is in Done");
  await expect(board.card(1)).toBeFocused();
});

test("[B4][B12] the palette finds tasks, places and what to do; the sheet says the keys; both fit and are readable", async ({
  page,
  context,
}) => {
  const { ann, projectId } = await begin(context, "Bea");
  for (const title of ["First of all", "Second thoughts"]) await ann.makeTask(projectId, title, "sleep 600");
  const board = await BoardPage.open(page, camelot, projectId);
  const looker = new Looker(page);
  const keys = page.keyboard;

  await keys.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search or jump to" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await looker.look("the palette");
  await keys.type("dispatch second");
  await expect(palette.getByRole("option", { selected: true })).toContainText("Dispatch · #2");
  await keys.press("Enter");
  await expect(board.card(2)).toHaveAttribute("data-column", "running");

  await keys.press("Control+k");
  await keys.type("cancel #2");
  await expect(palette.getByRole("option", { selected: true })).toContainText("Stop · #2");
  await keys.press("Enter");
  await expect(page.getByRole("alertdialog", { name: "Stop #2?" })).toBeVisible();
  await keys.press("Escape");
  await keys.press("Control+k");
  await keys.type("#1");
  await keys.press("Enter");
  await expect(page).toHaveURL(`${camelot.url}/projects/${projectId}/tasks/1`);
  await keys.press("Escape");
  await keys.press("Control+k");
  await keys.type("pool");
  await keys.press("Enter");
  await expect(page.getByRole("heading", { name: "Pool", level: 1 })).toBeVisible();

  await keys.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard" })).toContainText("Search, go to, or do something");
  await looker.look("the sheet of keys");
  await keys.press("Escape");
  await page.goto(`${camelot.url}/account`);
  await page.getByRole("checkbox", { name: "Keys of one letter" }).uncheck();
  await keys.press("?");
  await keys.press("Control+k");
  await expect(palette).toBeVisible();
  await expect(page.getByRole("dialog", { name: "Keyboard" })).toBeHidden();
  expect(looker.complaints()).toEqual([]);
});

test("[B4][B6] after a new task by keys the focus is on its card, created only or dispatched; after its menu by key, on the card again", async ({
  page,
  context,
}) => {
  const { projectId } = await begin(context, "Gus");
  const gate = makeGate(camelot.dataDir, "after-keys");
  const board = await BoardPage.open(page, camelot, projectId);
  const keys = page.keyboard;
  const write = async (title: string, end: "Enter" | "Control+Enter") => {
    const dialog = page.getByRole("dialog", { name: "New task" });
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await expect(async () => {
      await keys.press("c");
      await expect(dialog.getByLabel("Title")).toBeFocused({ timeout: 5_000 });
    }).toPass();
    await keys.type(title);
    await keys.press("Tab");
    await keys.type(gate.script);
    await keys.press("Shift+Tab");
    await keys.press(end);
    await expect(dialog).toBeHidden();
  };
  await write("Created only", "Enter");
  await expect(board.card(1)).toBeFocused();
  await write("Dispatched at once", "Control+Enter");
  await expect(board.card(2)).toHaveAttribute("data-column", "running");
  await expect(board.card(2)).toBeFocused();

  const menu = page.getByRole("menu", { name: "Task #2" });
  await expect(async () => {
    await keys.press("m");
    await expect(menu).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(menu.getByRole("menuitem", { name: "Stop", exact: true })).toContainText("X");
  await keys.press("Escape");
  await expect(menu).toBeHidden();
  await expect(board.card(2)).toBeFocused();
  await keys.press("Enter");
  await expect(page.getByRole("region", { name: "Task #2" })).toBeVisible();
  gate.open();
});

test("[B4][A11Y-1] who withdraws a task with the keyboard on its page keeps a place on it, though the button goes", async ({
  page,
  context,
}) => {
  const { ann, projectId } = await begin(context, "Hal");
  const gate = makeGate(camelot.dataDir, "withdrawn");
  for (const number of [1, 2, 3]) await ann.dispatch((await ann.makeTask(projectId, `Wait ${number}`, gate.script)).id);
  await page.goto(`${camelot.url}/projects/${projectId}/tasks/3`);
  const withdraw = page.getByRole("tabpanel", { name: "Waiting" }).getByRole("button", { name: "Withdraw" });
  await withdraw.focus();
  await expect(async () => {
    if (await withdraw.isVisible()) await page.keyboard.press("Enter");
    await expect(withdraw).toBeHidden({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole("button", { name: "More actions" })).toBeFocused();
  gate.open();
});

test("[B4][A11Y-1] a card that was scrolled away is brought below the sticky heads by what one does with it, and its menu is inside the window", async ({
  page,
  context,
}) => {
  const { ann, projectId } = await begin(context, "Faye");
  for (let number = 1; number <= 14; number += 1) await ann.makeTask(projectId, `Plan ${number}`, "echo later");
  const isBelowHead = async (board: BoardPage) => {
    const [card, head] = [await board.card(1).boundingBox(), await page.locator(".col-head").first().boundingBox()];
    return card !== null && head !== null && card.y >= head.y + head.height && card.y + card.height <= HEIGHT;
  };
  for (const width of [1_440, 1_100]) {
    await page.setViewportSize({ width, height: HEIGHT });
    const board = await BoardPage.open(page, camelot, projectId);
    await pressUntilFocused(page, "j", board, 1);
    const scrollAway = async () => {
      await page.evaluate(() => {
        scrollTo(0, document.body.scrollHeight);
        document.querySelector(".board-scroll")?.scrollTo(0, 10_000);
      });
      await expect.poll(() => isBelowHead(board)).toBe(false);
    };
    await scrollAway();
    await page.keyboard.press("m");
    const menu = page.getByRole("menu", { name: "Task #1" });
    await expect(menu).toBeVisible();
    const box = await menu.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(HEIGHT);
    expect(await isBelowHead(board)).toBe(true);
    await page.keyboard.press("Escape");
    await expect(board.card(1)).toContainText("Plan 1");
    await board.card(1).focus();
    await scrollAway();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("region", { name: "Task #1" })).toBeVisible();
    await expect.poll(() => isBelowHead(board)).toBe(true);
  }
});
