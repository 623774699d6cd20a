/** From an empty installation to an agent's commit, the way a newcomer goes. */
import { expect, test } from "@playwright/test";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";

/** B11: account, project, task, result. */
const FIRST_RUN_LIMIT_MS = 120_000;

test("[B11][S1] a newcomer signs up, takes the sample repository, writes a task and watches it succeed within two minutes", async ({
  page,
}) => {
  const camelot = await Camelot.start();
  try {
    const began = Date.now();
    await page.goto(camelot.url);
    await page.getByLabel("Name").fill("Nora");
    await page.getByLabel("Email").fill("nora@example.test");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: /create|sign up/i }).click();
    await page
      .getByText(/sample repository/i)
      .first()
      .click();
    await page
      .getByRole("button", { name: /create|continue|make/i })
      .last()
      .click();
    await page.getByLabel("Title").fill("Write a greeting");
    await page.getByLabel("Prompt").fill("echo hello > greeting.txt\necho written");
    await page
      .getByRole("button", { name: /dispatch/i })
      .last()
      .click();
    await expect(page.getByRole("log")).toContainText("written");
    expect(Date.now() - began).toBeLessThan(FIRST_RUN_LIMIT_MS);
    await page.getByRole("link", { name: "Board" }).first().click();
    await expect(new BoardPage(page).card(1)).toContainText("Succeeded");
  } finally {
    await camelot.remove();
  }
});
