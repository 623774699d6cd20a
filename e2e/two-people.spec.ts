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

test("[B3] of two people who act on one card one wins, the other sees why, and no card is lost", async ({
  browser,
}) => {
  const ann = await Person.signUp(camelot, "Anna");
  const ben = await Person.signUp(camelot, "Benno");
  const { id: projectId } = await ann.makeProject("Shared", makeRepository(camelot.dataDir, "shared"));
  await ann.addMember(projectId, ben);
  const gate = makeGate(camelot.dataDir, "both");
  const tasks = [
    await ann.makeTask(projectId, "One", gate.script),
    await ann.makeTask(projectId, "Other", gate.script),
  ];
  const context = await browser.newContext();
  await ann.enter(context);
  const board = await BoardPage.open(await context.newPage(), camelot, projectId);
  await expect(board.card(2)).toBeVisible();
  const [sent, put] = (await board.numbersIn("Backlog")).map((number) => tasks.find((task) => task.number === number));
  if (sent === undefined || put === undefined) throw new Error("Both cards are in Backlog.");

  /** What Ann asks for reaches the server only after Ben was there. */
  const afterBen = async (call: RegExp, benActs: () => Promise<unknown>) =>
    board.page.route(call, async (route) => {
      await benActs();
      await route.continue();
    });
  await afterBen(/\/move$/, () => ben.must("POST", `/tasks/${put.id}/move`, { column: "done" }));
  await board.card(put.number).hover();
  await board.choose(put.number, "To the top");
  await expect(board.page.getByText(`#${put.number}: Somebody else moved this card: it is in Done now.`)).toBeVisible();
  await expect(board.card(put.number)).toHaveAttribute("data-column", "done");

  await afterBen(/\/dispatch$/, () => ben.dispatch(sent.id));
  await board.card(sent.number).hover();
  await board.choose(sent.number, "Dispatch");
  await expect(board.page.getByText(`#${sent.number} was dispatched already`)).toBeVisible();
  await expect(board.card(sent.number)).toHaveAttribute("data-column", "running");
  expect((await ben.must<{ items: unknown[] }>("GET", `/tasks/${sent.id}/sessions`)).items).toHaveLength(1);
  gate.open();
});
