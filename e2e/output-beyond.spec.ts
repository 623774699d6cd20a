/** What stands far from the end of a long output: words are found there, and its first line is a press away. */
import { expect, type Page, test } from "@playwright/test";
import { Camelot } from "./support/camelot";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

const PHONE = { width: 390, height: 844 };

let camelot: Camelot;
let ann: Person;
let address: string;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  camelot = await Camelot.start();
  ann = await Person.signUp(camelot, "Ann");
  const project = await ann.makeProject("Mole", makeRepository(camelot.dataDir));
  const lines = (from: number, to: number) => `seq -f 'line %.0f of a story that goes on for very long' ${from} ${to}`;
  const script = [lines(1, 20_000), "echo 'the Sunken treasure'", lines(20_001, 140_000), "echo 'the last line'"];
  const task = await ann.makeTask(project.id, "Tells", script.join("; "));
  const { session } = await ann.dispatch(task.id);
  await expect.poll(async () => (await ann.session(session.id)).status, { timeout: 90_000 }).toBe("succeeded");
  address = `${camelot.url}/projects/${project.id}/tasks/${task.number}`;
});
test.afterAll(() => camelot.remove());

const log = (page: Page) => page.getByRole("log");
const follow = (page: Page) => page.getByRole("button", { name: "Follow", exact: true });

test.beforeEach(async ({ page, context }) => {
  await ann.enter(context);
  await page.setViewportSize(PHONE);
  await page.goto(address);
  await expect(log(page)).toContainText("the last line");
});

test("[LOG-3][B12][B7] a word of an early line is found in what is kept, by keyboard and on a phone, and the end is a press away", async ({
  page,
}) => {
  await page.getByRole("button", { name: "Search output" }).click();
  await page.keyboard.type("sunken treasure");
  const bar = page.getByRole("search");
  await expect(bar).toContainText("nothing");
  await expect(bar.getByRole("button", { name: /^Search the 6\.\d MB before$/ })).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await page.keyboard.press("Enter");
  await expect(log(page).locator(".is-hit mark")).toHaveText("Sunken treasure");
  await expect(log(page).locator(".is-hit")).toBeInViewport();
  await expect(bar).toContainText("1 of 1");
  await expect(log(page)).toContainText("line 20000 of a story");
  await expect(follow(page)).toHaveAttribute("aria-pressed", "false");

  // From there on, to what stands behind the window again.
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("line 120000 of");
  await page.keyboard.press("Enter");
  await expect(log(page).locator(".is-hit mark")).toHaveText("line 120000 of");
  await expect(follow(page)).toHaveAttribute("aria-pressed", "false");
  await follow(page).click();
  await expect(log(page)).toContainText("the last line");
});

test("[LOG-3][B12][B7] the first line of a long output is a press away, and it goes on from there", async ({
  page,
}) => {
  const first = page.getByRole("button", { name: "Go to the beginning" });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await first.focus();
  await page.keyboard.press("Enter");
  await expect(log(page)).toContainText("line 1 of a story");
  await expect(log(page)).toBeFocused();
  await expect(log(page).locator(".out-row").first()).toBeInViewport();
  await expect(follow(page)).toHaveAttribute("aria-pressed", "false");
  await expect(first).toHaveCount(0);
  await expect(async () => {
    await log(page).evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
    await expect(log(page)).toContainText("the last line", { timeout: 100 });
  }).toPass();
});
