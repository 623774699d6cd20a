/** A real agent is added on the agents page and tried there; and it steps aside when its login is over. */
import { expect, test } from "@playwright/test";
import { REAL_AGENTS } from "../server/testing/real-agents";
import { BoardPage } from "./support/board-page";
import { Looker } from "./support/looker";
import { PATIENT, RealAgents } from "./support/real-agents";

test.setTimeout(300_000);

let real: RealAgents;
test.beforeAll(async () => {
  real = await RealAgents.start();
});
test.afterAll(() => real.remove());

test("[B10] agents that are on the machine come first in the form; one of them is added, tried, and shows what it says", async ({
  browser,
}) => {
  const desk = await real.begin(browser, "Tria");
  const { page } = desk;
  const looker = new Looker(page);
  await page.goto(`${real.camelot.url}/agents`);
  await page.getByRole("button", { name: "Add an agent" }).click();
  const form = page.getByRole("dialog", { name: "Add an agent" });
  const runs = form.getByLabel("What it runs");
  await expect(runs.locator("option").first()).toHaveText(/^(Claude Code|Codex|Gemini CLI) \d/, PATIENT);
  await runs.selectOption({ label: (await runs.locator("option", { hasText: "Claude Code" }).textContent()) ?? "" });
  await expect(form.getByLabel("Name", { exact: true })).toHaveValue("Claude Code");
  await looker.look("the form of Claude Code");
  await form.getByLabel("Name", { exact: true }).fill("My Claude");
  await form.getByLabel("Tools it never asks about, one per line").fill("Bash");
  await form.getByRole("button", { name: "Add", exact: true }).click();
  const row = page.getByRole("row", { name: /My Claude/ });
  await expect(row).toContainText(/2\.\d+\.\d+ · tested with 2\./);
  await page.getByRole("button", { name: "Try it: My Claude" }).click();
  const dialog = page.getByRole("dialog", { name: "Try My Claude" });
  await expect(dialog).toContainText("This makes an ordinary task “Try My Claude” in the project you choose");
  await dialog.getByLabel("What it shall do").fill("@@say Hello from the agent.");
  await dialog.getByRole("button", { name: "Try it" }).click();
  await expect(dialog.getByRole("log", { name: "Transcript" })).toContainText("Hello from the agent.", PATIENT);
  await expect(dialog.getByRole("status").first()).toContainText("Succeeded", PATIENT);
  await looker.look("an agent that was tried");
  await dialog.getByRole("link", { name: /^Open #/ }).click();
  await expect(page).toHaveURL(/\/tasks\/1$/);
  expect(looker.complaints()).toEqual([]);
});

test("[A8] a login that is over holds who comes next, says why on card, line and agents page, and lets go by Try again", async ({
  browser,
}) => {
  const desk = await real.begin(browser, "Hilda");
  const { page, board } = desk;
  const [claude] = REAL_AGENTS;
  if (claude === undefined) throw new Error("There is no agent.");
  const agentId = await desk.agent(claude, claude.free);
  const looker = new Looker(page);
  await desk.dispatched(agentId, "@@error 401");
  for (const words of ["Second.", "Third."]) await desk.dispatched(agentId, `@@say ${words}`);
  await expect(board.card(1)).toContainText("Failed", PATIENT);
  await expect(board.card(1)).toContainText("is not logged in");
  await expect(board.card(2)).toContainText("Queued · held", PATIENT);
  await expect(board.card(2)).toContainText("Claude Code is not logged in");
  await expect(board.card(2).getByRole("button", { name: "Try again" })).toBeVisible();
  await looker.look("a board with held cards");
  await page.goto(`${real.camelot.url}/people/${desk.person.id}`);
  await expect(page.getByRole("list", { name: "Line" })).toContainText("is not logged in");
  await expect(page.getByRole("list", { name: "Line" }).getByRole("button", { name: "Try again" })).toHaveCount(2);
  await looker.look("a line that is held");
  await page.goto(`${real.camelot.url}/agents`);
  await expect(page.getByText(/^Its next sessions wait: Claude Code is not logged in/)).toBeVisible();
  await looker.look("an agent that is held");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText(/^Its next sessions wait/)).toBeHidden();
  const again = await BoardPage.open(page, real.camelot, desk.projectId);
  for (const number of [2, 3]) await expect(again.card(number)).toContainText("Succeeded", PATIENT);
  expect(looker.complaints()).toEqual([]);
});
