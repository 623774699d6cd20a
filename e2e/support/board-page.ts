/** The board as a person sees and uses it: by roles, labels and words, never by class names. */
import { expect, type Locator, type Page } from "@playwright/test";
import type { Camelot } from "./camelot";

export class BoardPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  static async open(page: Page, camelot: Camelot, projectId: string): Promise<BoardPage> {
    await page.goto(`${camelot.url}/projects/${projectId}`);
    const board = new BoardPage(page);
    await expect(board.column("Backlog")).toBeVisible();
    return board;
  }

  column(name: "Backlog" | "Waiting" | "Running" | "Review" | "Done"): Locator {
    return this.page.getByRole("region", { name, exact: false }).and(this.page.locator("[data-column]"));
  }

  card(number: number): Locator {
    return this.page.locator(`[data-task-number="${number}"]`);
  }

  figures(): Locator {
    return this.page.getByTestId("figures");
  }

  async newTask(title: string, prompt: string, how: "Create" | "Create and dispatch"): Promise<void> {
    await this.page.getByRole("button", { name: "New task" }).first().click();
    const dialog = this.page.getByRole("dialog", { name: "New task" });
    await dialog.getByLabel("Title").fill(title);
    await dialog.getByLabel("Prompt").fill(prompt);
    await dialog.getByRole("button", { name: how, exact: true }).click();
    await expect(dialog).toBeHidden();
  }

  async choose(number: number, entry: string): Promise<void> {
    await this.card(number).getByRole("button", { name: /^More/ }).click();
    await this.page.getByRole("menuitem", { name: entry }).click();
  }

  /** The numbers of the cards in a column, from above. */
  async numbersIn(name: "Backlog" | "Waiting" | "Running" | "Review" | "Done"): Promise<number[]> {
    const cards = await this.column(name).locator("[data-task-number]").all();
    return Promise.all(cards.map(async (card) => Number(await card.getAttribute("data-task-number"))));
  }
}
