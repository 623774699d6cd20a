/** What one wants to press is in reach: the filter on a phone, and a task's button while there is news. */
import { expect, type Locator, test } from "@playwright/test";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Looker } from "./support/looker";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1280, height: 800 };

let camelot: Camelot;
test.beforeAll(async () => {
  camelot = await Camelot.start();
});
test.afterAll(() => camelot.remove());

test("[B4][B7][B12][A4] on a phone the filter is one press away, news leaves the task's button free, and Shell costs nothing", async ({
  page,
  context,
}) => {
  const ann = await Person.signUp(camelot, "Ann");
  const { id: projectId } = await ann.makeProject("Shop", makeRepository(camelot.dataDir));
  const task = await ann.makeTask(projectId, "Say hello", "echo hello > hello.txt");
  await ann.dispatch(task.id);
  await ann.enter(context);
  const board = await BoardPage.open(page, camelot, projectId);
  await expect(board.card(1)).toHaveAttribute("data-state", "succeeded");
  await expect(board.card(1)).toContainText("1 file");
  await expect(board.card(1)).not.toContainText("—");

  await page.setViewportSize(PHONE);
  await page.getByRole("button", { name: "Filter cards" }).click();
  await expect(page.getByRole("search", { name: "Filter cards" }).getByRole("textbox")).toBeFocused();
  await new Looker(page).look("the filter of a board on a phone");

  await page.goto(`${camelot.url}/projects/${projectId}/tasks/1`);
  const news = page.locator("[data-sonner-toast]");
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size);
    await page.getByRole("button", { name: "Copy branch name" }).click();
    await expect(news.first()).toBeVisible();
    const send = page.getByRole("button", { name: "Follow up" });
    await send.scrollIntoViewIfNeeded();
    // It slides in: where it comes to rest is what counts.
    await expect(async () => expect(await overlap(news.last(), send)).toBe(false)).toPass();
  }
});

async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (a === null || b === null) throw new Error("one of the two is not drawn");
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
