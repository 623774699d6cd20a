/** A review where there is little room: on a phone, upright and on its side, and at a desk beside it. */
import { expect, type Page, test } from "@playwright/test";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

const WINDOWS = {
  phone: { width: 390, height: 844 },
  "phone on its side": { width: 844, height: 390 },
  desk: { width: 1280, height: 800 },
} as const;

test.setTimeout(60_000);

let camelot: Camelot;
let ann: Person;
let projectId: string;
test.beforeAll(async () => {
  camelot = await Camelot.start();
  ann = await Person.signUp(camelot, "Ann");
  ({ id: projectId } = await ann.makeProject("Shop", makeRepository(camelot.dataDir)));
  const task = await ann.makeTask(projectId, "List all places", "seq 700 | sed 's/^/place /' > places.txt");
  const { session } = await ann.dispatch(task.id);
  await expect.poll(async () => (await ann.session(session.id)).status, { timeout: 90_000 }).toBe("succeeded");
});
test.afterAll(() => camelot.remove());

/** The task's diff on a page of its own, or opened beside the board, which on a phone covers it. */
async function openDiff(page: Page, where: "page" | "beside"): Promise<void> {
  if (where === "page") await page.goto(`${camelot.url}/projects/${projectId}/tasks/1#diff`);
  else {
    const board = await BoardPage.open(page, camelot, projectId);
    const column = page.getByRole("button", { name: /^Review/ });
    if (await column.isVisible()) await column.click();
    await board.card(1).getByRole("link").first().click();
    await page.getByRole("tab", { name: /^Diff/ }).click();
  }
  const file = page.getByRole("region", { name: "places.txt" });
  await file.getByRole("button", { name: "places.txt" }).click();
  await expect(page.getByRole("button", { name: "Comment on line 1", exact: true })).toBeVisible();
}

/** The names of those that can be pressed on the screen. */
function linesSeen(): string[] {
  const seen = [...document.querySelectorAll("button[data-line]")].filter((button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) === button;
  });
  return seen.map((button) => button.getAttribute("aria-label") ?? "");
}

/** Nothing lies over its middle or its lower edge. */
function isInReach(button: Element): boolean {
  const { left, top, width, height } = button.getBoundingClientRect();
  return [height / 2, height - 2].every((down) =>
    button.contains(document.elementFromPoint(left + width / 2, top + down)),
  );
}

for (const [name, window] of Object.entries(WINDOWS)) {
  test(`[W5][B12] a comment on the lowest line is written in sight of what keeps it, however it grows: ${name}`, async ({
    page,
  }, info) => {
    await ann.enter(page.context());
    await page.setViewportSize(window);
    for (const where of ["page", "beside"] as const) {
      await openDiff(page, where);
      // So that lines are at the lower edge of whatever is scrolled.
      await page.getByRole("button", { name: "Comment on line 60", exact: true }).scrollIntoViewIfNeeded();
      const line = (await page.evaluate(linesSeen)).at(-1) ?? "";
      await page.getByRole("button", { name: line, exact: true }).click();
      await expect(page.getByRole("textbox", { name: line })).toBeFocused();
      const keep = page.getByRole("button", { name: /^Keep/ });
      await page.screenshot({ path: info.outputPath(`${where}-opened.png`) });
      for (const words of ["wifi", "\nparking\nprice"]) {
        await page.keyboard.insertText(words);
        for (const button of [keep, page.getByRole("button", { name: "Cancel" })]) {
          await expect.poll(() => button.evaluate(isInReach), { message: `${where}, ${words}` }).toBe(true);
        }
      }
      await page.keyboard.press("Control+Enter");
      const kept = page.getByRole("article", { name: line });
      await expect(kept).toContainText("price");
      await kept.getByRole("button", { name: "Remove" }).click();
    }
  });
}

for (const [name, window] of Object.entries(WINDOWS)) {
  test(`[W4][B12] lines of a diff fill the window, and a file's name stays above them: ${name}`, async ({
    page,
  }, info) => {
    await ann.enter(page.context());
    await page.setViewportSize(window);
    for (const where of ["page", "beside"] as const) {
      await openDiff(page, where);
      await page.screenshot({ path: info.outputPath(`${where}-top.png`) });
      // Far lines are drawn when they come near.
      expect(await page.locator("button[data-line]").count()).toBeLessThan(400);
      const room = page.getByRole("tabpanel");
      await room.hover();
      await page.mouse.wheel(0, 3_000);
      const seen = async () => (await page.evaluate(linesSeen)).length;
      const least = name === "desk" ? 0.5 : 0.6;
      await expect.poll(async () => (await seen()) * 20, { message: where }).toBeGreaterThan(window.height * least);
      await expect(page.getByRole("heading", { name: "places.txt" })).toBeInViewport({ ratio: 1 });
      await page.screenshot({ path: info.outputPath(`${where}-read.png`) });
    }
  });
}
