/** What is filtered stands in the address: a reload, the back button and an open task keep it, and nothing hidden is lost. */
import { expect, test } from "@playwright/test";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { hold, take } from "./support/drag";
import { Looker } from "./support/looker";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

let camelot: Camelot;
test.beforeAll(async () => {
  camelot = await Camelot.start();
});
test.afterAll(() => camelot.remove());

test("[B4][B3][B12] a filter lives in the address, says what it hides, and leaves hidden cards where they are", async ({
  page,
  context,
}) => {
  const ann = await Person.signUp(camelot, "Ann");
  const ben = await Person.signUp(camelot, "Ben");
  const { id: projectId } = await ann.makeProject("Shop", makeRepository(camelot.dataDir));
  await ann.addMember(projectId, ben);
  const titles = ["Rates of today", "Maps", "Rates of old", "Menus", "Rates for all"];
  for (const title of titles) await ann.makeTask(projectId, title, "true");
  await ben.makeTask(projectId, "Is of Ben", "true");
  await ann.enter(context);
  const board = await BoardPage.open(page, camelot, projectId);
  const filter = page.getByRole("search", { name: "Filter cards" });
  const shown = () => board.numbersIn("Backlog");
  await expect(board.card(6)).toBeVisible();
  const before = await shown();
  const rates = before.filter((number) => [1, 3, 5].includes(number));

  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expect(filter.getByRole("textbox")).toBeFocused();
  await page.keyboard.type("RATES");
  await expect(filter.getByRole("status")).toHaveText("3 of 6 cards · 3 hidden");
  await expect(page).toHaveURL(/\?q=RATES$/);
  await expect(board.column("Backlog")).toContainText("3 of 6");
  await expect.poll(shown).toEqual(rates);

  await page.reload();
  await expect(filter.getByRole("status")).toHaveText("3 of 6 cards · 3 hidden");
  await board.card(3).getByRole("link").click();
  await expect(page).toHaveURL(/\/tasks\/3\?q=RATES$/);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`${camelot.url}/projects/${projectId}?q=RATES`);
  await expect.poll(shown).toEqual(rates);

  // The first of them below the last one that is shown: right behind it, and not behind what is hidden.
  const [first = 0, second = 0, third = 0] = rates;
  await take(page, board.card(first));
  await expect(await hold(page, { below: board.card(third) })).toHaveClass(/is-line/);
  await page.mouse.up();
  await expect.poll(shown).toEqual([second, third, first]);
  // The page is there before it listens; the first one of a column stays there.
  await expect(async () => {
    await board.card(third).focus();
    await page.keyboard.press("Shift+ArrowUp");
    await expect.poll(shown, { timeout: 2_000 }).toEqual([third, second, first]);
  }).toPass();

  await page.keyboard.press("/");
  await expect(filter.getByRole("textbox")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(board.card(third)).toBeFocused();

  await filter.getByRole("combobox", { name: "State" }).selectOption({ label: "Failed" });
  await expect(filter.getByRole("status")).toHaveText("No card passes the filter · 6 hidden");
  await new Looker(page).look("a board on which everything is hidden");
  await page.goBack();
  await expect(filter.getByRole("status")).toHaveText("3 of 6 cards · 3 hidden");
  await filter.getByRole("button", { name: "Clear" }).click();
  await expect(page).toHaveURL(`${camelot.url}/projects/${projectId}`);
  const hidden = (numbers: readonly number[]) => numbers.filter((number) => !rates.includes(number));
  await expect.poll(async () => hidden(await shown())).toEqual(hidden(before));
  expect((await shown()).toSorted()).toEqual(before.toSorted());

  await page.goto(`${camelot.url}/projects/${projectId}?person=${ben.id}`);
  await expect(filter.getByRole("status")).toHaveText("1 of 6 cards · 5 hidden");
  await expect.poll(shown).toEqual([6]);
});
