/**
 * The pages of a project and what floats over them, in both themes and on a phone: axe finds nothing, the console stays
 * silent, nothing reaches out sideways.
 */
import { expect, test } from "@playwright/test";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { SCRIPT_MAX_KB, scriptsOf } from "./support/first-load";
import { Looker } from "./support/looker";
import { makeScene, type Scene } from "./support/scene";

/** Axe reads every page two or three times; on a busy machine that takes its time. */
test.setTimeout(600_000);

/** A page that is drawn like one of another state: a short run leaves it out. */
const LIKE_OTHERS: ReadonlySet<string> = new Set(["stopped", "done"]);
const IS_LONG = Boolean(process.env.CAMELOT_TEST_ALL);

let camelot: Camelot;
let scene: Scene;
test.beforeAll(async () => {
  camelot = await Camelot.start();
  scene = await makeScene(camelot);
});
test.afterAll(async () => {
  scene.end();
  await camelot.remove();
});

test("[B12] the scripts of a board’s first load stay small, and are all that it needs to be used", async ({
  browser,
}) => {
  const address = `${camelot.url}/projects/${scene.projectId}`;
  const sizes = await scriptsOf(scene.ann, address);
  const kB = [...sizes.values()].reduce((sum, one) => sum + one, 0);
  expect(kB, `KB by path: ${JSON.stringify([...sizes], null, 1)}`).toBeLessThanOrEqual(SCRIPT_MAX_KB);
  expect(kB).toBeGreaterThan(SCRIPT_MAX_KB / 2);

  const page = await scene.ann.openPage(browser);
  await page.route("**/*.js", (route) =>
    sizes.has(new URL(route.request().url()).pathname) ? route.continue() : route.abort(),
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(address);
  const done = page.getByRole("group", { name: "Column" }).getByRole("button", { name: "Done" });
  await expect(async () => {
    await done.click();
    await expect(done).toHaveAttribute("aria-pressed", "true", { timeout: 500 });
  }).toPass();
});

test("[B12][B7] the board, and a task in its states, alone", async ({ browser }) => {
  const page = await scene.ann.openPage(browser);
  const looker = new Looker(page);
  await BoardPage.open(page, camelot, scene.projectId);
  await looker.look("the board");
  for (const [state, { number }] of Object.entries(scene.tasks)) {
    if (!IS_LONG && LIKE_OTHERS.has(state)) continue;
    await page.goto(`${camelot.url}/projects/${scene.projectId}/tasks/${number}`);
    const tabs = await page.getByRole("tab").all();
    // What is behind the tabs looks the same in every state; which one is first does not.
    for (const tab of state === "succeeded" ? tabs : tabs.slice(0, 1)) {
      await tab.click();
      await expect(page.getByRole("tabpanel")).not.toBeEmpty();
      await looker.look(`a task in ${state}, ${await tab.textContent()}`);
    }
  }
  expect(looker.complaints()).toEqual([]);
});

test("[B12][B6][B10] what floats: a task beside the board, a new task, a menu, a question, a new agent", async ({
  browser,
}) => {
  const page = await scene.ann.openPage(browser);
  const looker = new Looker(page);
  const board = await BoardPage.open(page, camelot, scene.projectId);
  await page.getByRole("button", { name: "New task" }).first().click();
  await expect(page.getByRole("dialog", { name: "New task" })).toBeVisible();
  await looker.look("a new task");
  await page.keyboard.press("Escape");
  const card = board.card(scene.tasks.running.number);
  await card.hover();
  await card.getByRole("button", { name: /^More/ }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await looker.look("a card’s menu");
  await page.getByRole("menuitem", { name: "Stop", exact: true }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await looker.look("a question");
  await page.keyboard.press("Escape");
  await card.getByRole("link").first().click();
  await expect(page.getByRole("log")).toContainText("one line");
  await expect(page).toHaveTitle(/^#\d+ Runs until it is let go · Camelot$/);
  await looker.look("a task beside the board");
  await page.goto(`${camelot.url}/agents`);
  await page.getByRole("button", { name: "Add an agent" }).click();
  await expect(page.getByRole("dialog", { name: "Add an agent" })).toBeVisible();
  await looker.look("a new agent");
  if (IS_LONG) {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Try it: Shell" }).click();
    await expect(page.getByRole("dialog", { name: /^Try / })).toBeVisible();
    await looker.look("an agent that is tried");
  }
  expect(looker.complaints()).toEqual([]);
});
