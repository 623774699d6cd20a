/** Two people, two browsers, one board: what runs and what waits is the same on both, without a reload. */
import { expect, test } from "@playwright/test";
import { makeGate } from "./support/agents";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Person } from "./support/person";
import { git, makeRepository } from "./support/repository";

let camelot: Camelot;
test.beforeAll(async () => {
  camelot = await Camelot.start({ PER_USER_MAX: "2" });
});
test.afterAll(() => camelot.remove());

test("[B5][P4][P13][P14][W1][W2] the third of three tasks waits, says why, and moves to Running by itself on both boards", async ({
  browser,
}) => {
  const repository = makeRepository(camelot.dataDir);
  const ann = await Person.signUp(camelot, "Ann");
  const ben = await Person.signUp(camelot, "Ben");
  const project = await ann.makeProject("Shop", repository);
  await ann.addMember(project.id, ben);
  const gates = ["first", "second", "third"].map((name) => makeGate(camelot.dataDir, name));

  const [annsBrowser, bensBrowser] = [await browser.newContext(), await browser.newContext()];
  await ann.enter(annsBrowser);
  await ben.enter(bensBrowser);
  const anns = await BoardPage.open(await annsBrowser.newPage(), camelot, project.id);
  const bens = await BoardPage.open(await bensBrowser.newPage(), camelot, project.id);
  const annsProfile = await annsBrowser.newPage();
  await annsProfile.goto(`${camelot.url}/people/${ann.id}`);

  for (const [index, gate] of gates.entries()) {
    const name = ["first", "second", "third"][index];
    await anns.newTask(`The ${name} change`, `${gate.script}\necho ${name} > ${name}.txt`, "Create and dispatch");
  }
  for (const board of [anns, bens]) {
    await expect(board.card(1)).toContainText("Running");
    await expect(board.card(2)).toContainText("Running");
    await expect(board.card(3)).toContainText("Queued · position 1");
    await expect(board.card(3)).toContainText("limit 2/2 · #1, #2 are running");
    await expect(board.figures()).toContainText("Running 2/20");
    await expect(board.figures()).toContainText("Waiting 1");
  }
  await expect(anns.card(3)).toContainText("your limit");
  await expect(bens.card(3)).toContainText("Ann’s limit");
  await expect(annsProfile.getByRole("main")).toContainText("running 2 / limit 2 · queued 1");

  gates[0]?.open();
  for (const board of [anns, bens]) {
    await expect(board.card(1)).toHaveAttribute("data-column", "review");
    await expect(board.card(1)).toContainText("Succeeded");
    await expect(board.card(3)).toHaveAttribute("data-column", "running");
    await expect(board.figures()).toContainText("Waiting 0");
  }
  await expect(annsProfile.getByRole("main")).toContainText("running 2 / limit 2 · queued 0");

  await bens.card(3).getByRole("link", { name: "The third change" }).click();
  await expect(bens.page.getByRole("log")).toContainText("third line 3");
  gates[1]?.open();
  gates[2]?.open();
  await expect(bens.page.getByRole("log")).toContainText("third end");
  await expect(anns.card(3)).toContainText("Succeeded");
  expect(git(repository, "show", "camelot/3-the-third-change:third.txt").trim()).toBe("third");
  expect(git(repository, "status", "--porcelain")).toBe("");
});
