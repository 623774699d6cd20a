/**
 * Words as people may write them: ten thousand letters without a gap, joined emoji, right-to-left text, letters that turn
 * text around. They are shown as text, fit at a desk and on a phone, and turn nothing that stands beside them.
 */
import { expect, type Page, test } from "@playwright/test";
import type { Task } from "../server/contract/tasks";
import { makeGate } from "./support/agents";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { misfits } from "./support/fit";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

test.setTimeout(300_000);

const TITLE_MAX = 10_000;
const DESK = { width: 1_280, height: 800 };
const PHONE = { width: 390, height: 844 };
const WITHOUT_GAP = "<b>Donaudampfschiff</b>".repeat(TITLE_MAX).slice(0, TITLE_MAX);
const EMOJI = `Ship ${"👩‍👩‍👧‍👦🚀".repeat(750)}`;
const RIGHT_TO_LEFT = `\u202e${"دفع الفاتورة لשלם ".repeat(500)}`;
const WORDS = "Pay what is owed to whom it is owed, and ".repeat(TITLE_MAX).slice(0, TITLE_MAX);

/** Task pages that are drawn like another one: a short run leaves them out. */
const LIKE_OTHERS: ReadonlySet<string> = new Set(process.env.CAMELOT_TEST_ALL ? [] : ["running", "waiting"]);

let camelot: Camelot;
test.beforeAll(async () => {
  camelot = await Camelot.start({ PER_USER_MAX: "1" });
});
test.afterAll(() => camelot.remove());

async function fitsBoth(page: Page, what: string): Promise<void> {
  for (const window of [DESK, PHONE]) {
    await page.setViewportSize(window);
    await expect.poll(() => misfits(page), { message: `${what}, ${window.width} px` }).toEqual([]);
  }
  await page.setViewportSize(DESK);
}

test("[B12][B1][S3] ten thousand letters, emoji and right-to-left text fit on every page, as text, and turn nothing around", async ({
  browser,
}) => {
  const ann = await Person.signUp(camelot, "Ann");
  const { id: projectId } = await ann.makeProject(`Shop ${"لשלם🚀".repeat(30)}`, makeRepository(camelot.dataDir));
  const gate = makeGate(camelot.dataDir, "long");
  const make = (title: string, prompt: string) => ann.makeTask(projectId, title, prompt);
  const over = await make(WORDS, `echo '${WITHOUT_GAP}'; echo '${WITHOUT_GAP}' > '${"long-name-".repeat(20)}.txt'`);
  const { session } = await ann.dispatch(over.id);
  await expect.poll(async () => (await ann.session(session.id)).status).toBe("succeeded");
  const running = await make(WITHOUT_GAP, gate.script);
  const waiting = await make(EMOJI, gate.script);
  const planned = await make(RIGHT_TO_LEFT, RIGHT_TO_LEFT);
  for (const { id } of [running, waiting]) await ann.dispatch(id);

  const page = await ann.openPage(browser);
  await page.setViewportSize(DESK);
  const board = await BoardPage.open(page, camelot, projectId);
  for (const task of [over, running, waiting, planned]) await expect(board.card(task.number)).toBeVisible();
  await expect(board.card(running.number)).toContainText("<b>Donau");
  await expect(board.card(waiting.number).getByRole("link")).not.toContainText("\ufffd");
  await fitsBoth(page, "the board");
  // What forces a direction ends with the title: beside it "#4" still begins with its sign.
  expect(await page.evaluate(isNumberInOrder, planned.number)).toBe(true);

  const open = async (task: Task, path: string) => {
    await page.goto(`${camelot.url}${path}`);
    await expect(page.getByRole("main").getByText(task.title.slice(5, 25), { exact: false }).first()).toBeAttached();
  };
  for (const [state, task] of Object.entries({ over, running, waiting, planned })) {
    if (LIKE_OTHERS.has(state)) continue;
    await open(task, `/projects/${projectId}/tasks/${task.number}`);
    // Where it goes on is told by "…", not by half a sentence.
    const heading = page.getByRole("main").getByRole("heading", { level: 1 });
    await expect(heading).toHaveCSS("-webkit-line-clamp", "3");
    expect(await heading.evaluate((one) => one.scrollHeight > one.clientHeight)).toBe(true);
    expect(
      await heading.evaluate((one) => one.clientHeight / Number.parseFloat(getComputedStyle(one).lineHeight)),
    ).toBe(3);
    const tabs = await page.getByRole("tab").all();
    for (const tab of state === "over" ? tabs : tabs.slice(0, 1)) {
      await tab.click();
      await fitsBoth(page, `the task in ${state}, ${await tab.textContent()}`);
    }
  }
  await open(waiting, "/pool");
  await fitsBoth(page, "the pool");
  await open(waiting, `/people/${ann.id}`);
  await fitsBoth(page, "the profile");

  await BoardPage.open(page, camelot, projectId);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search or jump to" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("donau");
  await expect(palette.getByRole("option").first()).toContainText("Donau");
  await fitsBoth(page, "the palette");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "New task" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New task" });
  await dialog.getByLabel("Title").fill(WITHOUT_GAP);
  await dialog.getByLabel("Prompt").fill(WITHOUT_GAP);
  await fitsBoth(page, "a new task");
  await page.keyboard.press("Escape");
  await board.card(planned.number).getByRole("link").click();
  await expect(page.getByRole("region", { name: `Task #${planned.number}` })).toBeVisible();
  await fitsBoth(page, "a task beside the board");
  gate.open();
});

/** The sign of a card's number stands left of its figures. */
function isNumberInOrder(number: number): boolean {
  const text = document.querySelector(`[data-task-number="${number}"] .num`)?.firstChild;
  if (!text) return false;
  const place = (from: number) => {
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, from + 1);
    return range.getBoundingClientRect().left;
  };
  const first = text.textContent === "#" ? text.parentElement?.getBoundingClientRect().left : place(0);
  const last = text.nextSibling ? text.parentElement?.getBoundingClientRect().right : place(1);
  return Number(first) < Number(last);
}
