/** Smooth whatever there is: hundreds of cards, and motion only for those who want it. */
import { expect, test } from "@playwright/test";
import { makeGate } from "./support/agents";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { isHeld } from "./support/drag";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

/** A short run makes as many as it takes to have the next ones shown twice. */
const CARDS = process.env.CAMELOT_TEST_ALL ? 500 : 250;
/** Drawn at first, and with each press. */
const [FIRST, MORE] = [60, 100];
const AT_ONCE = 25;

/** Every card is made one by one; on a busy machine that takes its time. */
test.setTimeout(240_000);

let camelot: Camelot;
test.beforeAll(async () => {
  camelot = await Camelot.start({ PER_USER_MAX: "1" });
});
test.afterAll(() => camelot.remove());

test("[B12][B4] of hundreds of cards the first are drawn, and each is reached by scrolling, by keys, by filter and by palette", async ({
  page,
  context,
}) => {
  const ann = await Person.signUp(camelot, "Ann");
  const { id: projectId } = await ann.makeProject("Shop", makeRepository(camelot.dataDir));
  for (let made = 0; made < CARDS; made += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => ann.makeTask(projectId, `Card ${made + n}.`, "true")));
  }
  await ann.enter(context);
  const board = await BoardPage.open(page, camelot, projectId);
  const backlog = board.column("Backlog");
  const cards = backlog.getByRole("article");
  const keys = page.keyboard;
  await expect(backlog).toContainText(`${CARDS}`);
  await expect(cards).toHaveCount(FIRST);

  await backlog.getByRole("button", { name: "Show 100 more" }).click();
  await expect(cards).toHaveCount(FIRST + MORE);
  await expect(async () => {
    await cards.nth(FIRST + MORE - 1).focus();
    await keys.press("ArrowDown");
    await expect(cards.nth(FIRST + MORE)).toBeFocused({ timeout: 500 });
  }).toPass();
  await expect(cards.nth(FIRST + MORE)).toBeInViewport();
  await expect(cards).toHaveCount(Math.min(FIRST + 2 * MORE, CARDS));
  await cards.first().focus();
  await keys.press("End");
  await expect(cards).toHaveCount(CARDS);
  await expect(cards.last()).toBeFocused();
  await expect(cards.last()).toBeInViewport();
  const [number, title] = [
    Number(await cards.last().getAttribute("data-task-number")),
    (await cards.last().getByRole("heading").textContent()) ?? "",
  ];

  await page.reload();
  await expect(board.card(number)).toHaveCount(0);
  await expect(async () => {
    await keys.press("/");
    await expect(page.getByRole("search").getByRole("textbox")).toBeFocused({ timeout: 500 });
  }).toPass();
  await keys.type(title);
  await expect(page.getByRole("search").getByRole("status")).toHaveText(`1 of ${CARDS} cards · ${CARDS - 1} hidden`);
  await expect(board.card(number)).toBeVisible();
  await page.getByRole("search").getByRole("button", { name: "Clear" }).click();
  await keys.press("Control+k");
  await keys.type(`#${number}`);
  await expect(page.getByRole("option", { selected: true })).toContainText(title);
  await keys.press("Enter");
  await expect(page.getByRole("region", { name: `Task #${number}` })).toContainText(title);
});

test("[B4][B12] a withdrawn card whose place is below what is drawn of Backlog keeps the focus, and comes into sight", async ({
  page,
  context,
}) => {
  const cara = await Person.signUp(camelot, "Cara");
  const { id: projectId } = await cara.makeProject("Yard", makeRepository(camelot.dataDir, "yard"));
  const gate = makeGate(camelot.dataDir, "yard");
  await cara.dispatch((await cara.makeTask(projectId, "Has the seat", gate.script)).id);
  await Promise.all(Array.from({ length: FIRST + 10 }, (_, n) => cara.makeTask(projectId, `Card ${n}.`, "true")));
  const waiting = await cara.makeTask(projectId, "Waits", "true");
  await cara.dispatch(waiting.id);
  await cara.enter(context);
  const board = await BoardPage.open(page, camelot, projectId);
  const card = board.card(waiting.number);
  await expect(card).toHaveAttribute("data-column", "waiting");
  await card.focus();
  await expect(async () => {
    await page.keyboard.press("x");
    await expect(board.column("Waiting").getByRole("article")).toHaveCount(0, { timeout: 2_000 });
  }).toPass();
  await expect(card).toHaveAttribute("data-column", "backlog");
  await expect(card).toBeFocused();
  await expect(card).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: `Task #${waiting.number}` })).toBeVisible();
  gate.open();
});

test("[B3][B12] a drag that begins before its code is there selects no text, and holds the card once it is", async ({
  page,
  context,
}) => {
  const dan = await Person.signUp(camelot, "Dan");
  const { id: projectId } = await dan.makeProject("Dock", makeRepository(camelot.dataDir, "dock"));
  for (const title of ["First of two", "Second of two"]) await dan.makeTask(projectId, title, "true");
  await dan.enter(context);
  // The code for dragging, known by the class it gives the page, waits until it is let through.
  let letThrough = () => {};
  const gate = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  let isAsked = false;
  await page.route("**/_next/static/**/*.js", async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes("is-dragging")) {
      isAsked = true;
      await gate;
    }
    await route.fulfill({ response });
  });
  const board = await BoardPage.open(page, camelot, projectId);
  const box = await board.card(1).boundingBox();
  if (box === null) throw new Error("It is not on the screen.");
  await page.mouse.move(box.x + 30, box.y + 30);
  await expect.poll(() => isAsked).toBe(true);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 140, { steps: 5 });
  expect(await page.evaluate(() => String(getSelection()))).toBe("");
  expect(await isHeld(page)).toBe(false);
  letThrough();
  await expect(async () => {
    await page.mouse.move(box.x + 130, box.y + 150, { steps: 3 });
    expect(await isHeld(page)).toBe(true);
  }).toPass();
  expect(await page.evaluate(() => String(getSelection()))).toBe("");
  await page.mouse.up();
});

test("[B12][B5] a card travels from Waiting to Running in one motion, and in none for whoever wants less", async ({
  browser,
}) => {
  const ben = await Person.signUp(camelot, "Ben");
  const { id: projectId } = await ben.makeProject("Quay", makeRepository(camelot.dataDir, "quay"));
  const gates = ["first", "second"].map((name) => makeGate(camelot.dataDir, name));
  for (const { script } of gates) await ben.dispatch((await ben.makeTask(projectId, "Travels", script)).id);
  const open = async (reducedMotion: "reduce" | "no-preference") => {
    const context = await browser.newContext({ reducedMotion });
    await ben.enter(context);
    await context.addInitScript(countTravels);
    const board = await BoardPage.open(await context.newPage(), camelot, projectId);
    await expect(board.card(2)).toContainText("Queued · position 1");
    return board;
  };
  const [calm, moving] = [await open("reduce"), await open("no-preference")];
  gates[0]?.open();
  for (const board of [calm, moving]) await expect(board.card(2)).toHaveAttribute("data-column", "running");
  await expect.poll(() => travelsOf(moving)).toEqual(["running"]);
  expect(await travelsOf(calm)).toEqual([]);
  const durations = (board: BoardPage) =>
    board.card(2).evaluate((card) => {
      const { transitionDuration, animationName } = getComputedStyle(card);
      return { isStill: transitionDuration.split(", ").every((one) => Number.parseFloat(one) === 0), animationName };
    });
  expect(await durations(calm)).toEqual({ isStill: true, animationName: "none" });
  expect((await durations(moving)).isStill).toBe(false);
  gates[1]?.open();
});

/** Notes the column of every card that is moved. */
function countTravels(): void {
  const travels: string[] = [];
  Object.assign(globalThis, { travels });
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    if (this instanceof HTMLElement && this.dataset.taskId !== undefined) travels.push(this.dataset.column ?? "");
    return animate.apply(this, how);
  };
}

function travelsOf({ page }: BoardPage): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as { travels: string[] }).travels);
}
