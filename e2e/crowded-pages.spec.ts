/** Pages on which much stands: what one came to change stays in reach, and text keeps its distance from the lines. */
import { expect, type Locator, type Page, test } from "@playwright/test";
import { makeGate } from "./support/agents";
import { Camelot } from "./support/camelot";
import { misfits } from "./support/fit";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

test.setTimeout(300_000);

const WAITING = 36;
const DESK = { width: 1_440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** A row of two lines, and what lies between its text and the line above or below, pixels. */
const ROW_LEAST = 52;
const GAP_LEAST = 5;
/** Seconds of a year. */
const A_YEAR = 31_536_000;

let camelot: Camelot;
test.beforeAll(async () => {
  camelot = await Camelot.start({ PER_USER_MAX: "1" });
});
test.afterAll(() => camelot.remove());

const bottomOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().bottom + scrollY);

test(`[B9] with ${WAITING} waiting, caps and people's counts are in reach, folded and unfolded, and everybody in line can be seen`, async ({
  browser,
}) => {
  const ann = await Person.signUp(camelot, "Ann");
  const { id: projectId } = await ann.makeProject("Shop", makeRepository(camelot.dataDir));
  const gate = makeGate(camelot.dataDir, "crowd");
  for (let n = 0; n <= WAITING; n += 1) {
    const task = await ann.makeTask(projectId, `Task ${n}`, gate.script);
    await ann.dispatch(task.id);
  }
  const page = await ann.openPage(browser);
  await page.setViewportSize(DESK);
  await page.goto(`${camelot.url}/pool`);
  const line = page.getByRole("region", { name: "Line" });
  const save = page.getByRole("button", { name: "Save caps" });
  const counts = page.locator(`[data-person="${ann.id}"]`);
  await expect(line.locator("[data-session]")).toHaveCount(10);
  await expect(line).toContainText("26 more");
  for (const part of [save, counts]) expect(await bottomOf(part)).toBeLessThan(DESK.height);

  await line.getByRole("button", { name: `Show all ${WAITING}` }).click();
  await expect(line.locator("[data-session]")).toHaveCount(WAITING);
  for (const part of [save, counts]) expect(await bottomOf(part)).toBeLessThan(DESK.height + 100);
  const last = line.locator("[data-session]").last();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport();
  // Its heads stay where they are.
  await expect(line.getByRole("columnheader", { name: "Position" })).toBeInViewport();
  await line.getByRole("button", { name: /^Mine/ }).click();
  await expect(line.locator("[data-session]")).toHaveCount(10);
  await line.getByRole("button", { name: "Everyone" }).click();
  await page.setViewportSize(PHONE);
  await expect.poll(() => misfits(page)).toEqual([]);
  gate.open();
});

test("[B9][P22] the figures of a server that has run for a year find room, at every width", async ({ browser }) => {
  const ann = await Person.signUp(camelot, "Year");
  const page = await ann.openPage(browser);
  await page.route("**/api/v1/pool/health", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: afterAYear(await answer.json()) });
  });
  await page.goto(`${camelot.url}/pool`);
  await expect(page.getByRole("region", { name: "Health" })).toContainText(String(A_YEAR));
  for (const width of [2_560, 1_440, 1_280, 1_024, 901, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => misfits(page), { message: `${width} px` }).toEqual([]);
  }
  // The page goes on asking: what it asks of a server that is gone would fail whichever story comes next.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.close();
});

test("[B10] the rows of the agents' table are as high as two lines need, and no text touches a line, at a desk and on a phone", async ({
  browser,
}) => {
  const bob = await Person.signUp(camelot, "Bob");
  const { id: projectId } = await bob.makeProject("Inn", makeRepository(camelot.dataDir, "inn"));
  const command = { kind: "command", settings: { argv: ["cat", "-"], promptVia: "stdin" }, projectId };
  for (const name of ["Echo", "Another"]) await bob.must("POST", "/agents", { name, ...command });
  const page = await bob.openPage(browser);
  await page.goto(`${camelot.url}/agents`);
  await expect(page.getByRole("row", { name: /Echo/ })).toBeVisible();
  for (const window of [DESK, PHONE]) {
    await page.setViewportSize(window);
    await expect.poll(() => misfits(page)).toEqual([]);
    const rows = await rowsOf(page);
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const { height, gap } of rows) {
      expect(height).toBeGreaterThanOrEqual(ROW_LEAST);
      expect(gap).toBeGreaterThanOrEqual(GAP_LEAST);
    }
  }
});

/** The same answer with every count as high as in a year at one a second. */
function afterAYear(answer: object): object {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => {
      if (typeof value === "number") return [name, A_YEAR];
      return [name, typeof value === "object" && value !== null ? afterAYear(value) : value];
    }),
  );
}

/** Of each row: its height, and how near any of its text comes to the lines above and below. */
function rowsOf(page: Page) {
  return page.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) => {
      const { top, bottom, height } = row.getBoundingClientRect();
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      let gap = Number.POSITIVE_INFINITY;
      while (walker.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        for (const box of range.getClientRects()) {
          if (box.width > 0) gap = Math.min(gap, box.top - top, bottom - box.bottom);
        }
      }
      return { height, gap };
    }),
  );
}
