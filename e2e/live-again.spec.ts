/** Boards come right by themselves: after a cut connection, after a restart, after the laptop slept. */
import { expect, test } from "@playwright/test";
import { makeGate } from "./support/agents";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

let camelot: Camelot;
test.beforeAll(async () => {
  camelot = await Camelot.start();
});
test.afterAll(() => camelot.remove());

test("[L2][B5][BRD-2] a board that was cut off says so, and is right again without a reload", async ({
  page,
  context,
}) => {
  const ann = await Person.signUp(camelot, "Ann");
  await ann.enter(context);
  const project = await ann.makeProject("Shop", makeRepository(camelot.dataDir));
  const kept = await ann.makeTask(project.id, "Stays", "echo stays");
  const removed = await ann.makeTask(project.id, "Is deleted meanwhile", "echo gone");
  const board = await BoardPage.open(page, camelot, project.id);
  await expect(board.card(2)).toBeVisible();

  for (let round = 0; round < 3; round += 1) {
    await context.setOffline(true);
    await expect(page.getByText(/^Reconnecting · showing/)).toBeVisible({ timeout: 60_000 });
    const made = await ann.makeTask(project.id, `Made in round ${round}`, "echo made");
    await ann.must("PATCH", `/tasks/${kept.id}`, { title: `Stays, round ${round}` });
    if (round === 0) await ann.must("DELETE", `/tasks/${removed.id}?confirm=true`);
    await context.setOffline(false);
    await expect(page.getByText(/^Reconnecting · showing/)).toBeHidden({ timeout: 90_000 });
    await expect(board.card(made.number)).toContainText(`Made in round ${round}`);
    await expect(board.card(1)).toContainText(`Stays, round ${round}`);
    await expect(board.card(2)).toHaveCount(0);
  }
});

test("[B13][B4] what is pressed without a connection is not done, now or later, and that is said", async ({
  page,
  context,
}) => {
  const ann = await Person.signUp(camelot, "Anna");
  await ann.enter(context);
  const project = await ann.makeProject("Pier", makeRepository(camelot.dataDir, "pier"));
  await ann.makeTask(project.id, "Stays where it is", "echo stays");
  const board = await BoardPage.open(page, camelot, project.id);
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(board.card(1)).toBeFocused({ timeout: 500 });
  }).toPass();
  // What draws news comes about a second after the page; without it news waits for the connection.
  await expect(page.locator('section[aria-label^="Notifications"]')).toBeAttached();
  await context.setOffline(true);
  await expect(page.getByText(/^Reconnecting · showing/)).toBeVisible({ timeout: 60_000 });
  const said = page.getByText("#1: Nothing was done: no connection to the server. Try again when it is back.");
  await page.keyboard.press("d");
  await expect(said).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(/^Reconnecting · showing/)).toBeHidden({ timeout: 90_000 });
  await expect(said).toBeHidden();
  await expect(board.card(1)).toHaveAttribute("data-column", "backlog");
  await page.keyboard.press("d");
  await expect(board.card(1)).toContainText("Succeeded", { timeout: 90_000 });
});

test("[L2][R5][P12] a server restart with a running and a waiting session leaves every open board right", async ({
  page,
  context,
}) => {
  const ann = await Person.signUp(camelot, "Andrea");
  await ann.enter(context);
  const project = await ann.makeProject("Quay", makeRepository(camelot.dataDir, "quay"));
  const gates = ["a", "b", "c"].map((name) => makeGate(camelot.dataDir, `quay-${name}`));
  for (const gate of gates) await ann.dispatch((await ann.makeTask(project.id, "Waits at the quay", gate.script)).id);
  const board = await BoardPage.open(page, camelot, project.id);
  await expect(board.card(3)).toContainText("Queued · position 1");
  await camelot.leave();
  await expect(page.getByText(/restarting|^Reconnecting/).first()).toBeVisible();
  await camelot.start();
  for (const gate of gates) gate.open();
  for (const number of [1, 2, 3]) await expect(board.card(number)).toContainText("Succeeded", { timeout: 90_000 });
  await page.reload();
  for (const number of [1, 2, 3]) await expect(board.card(number)).toContainText("Succeeded");
});
