/** Two people at the same board at the same time: neither loses a card, a word or the hold of what is in the hand. */
import { type Browser, expect, test } from "@playwright/test";
import type { Task } from "../server/contract/tasks";
import { makeGate } from "./support/agents";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { hold, isHeld, take } from "./support/drag";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

let camelot: Camelot;
test.beforeAll(async () => {
  camelot = await Camelot.start({ PER_USER_MAX: "1" });
});
test.afterAll(() => camelot.remove());

interface Pair {
  readonly ann: Person;
  readonly ben: Person;
  readonly projectId: string;
  /** Cards in Backlog. */
  readonly tasks: readonly Task[];
  readonly gate: ReturnType<typeof makeGate>;
}

/** `name`: of the project, and what tells the two from those of another story. */
async function begin(name: string, cards: number): Promise<Pair> {
  const [ann, ben] = [await Person.signUp(camelot, `Ann ${name}`), await Person.signUp(camelot, `Ben ${name}`)];
  const { id: projectId } = await ann.makeProject(name, makeRepository(camelot.dataDir, name.toLowerCase()));
  await ann.addMember(projectId, ben);
  const gate = makeGate(camelot.dataDir, name);
  const tasks: Task[] = [];
  for (let n = 1; n <= cards; n += 1) tasks.push(await ann.makeTask(projectId, `Card ${n}`, gate.script));
  return { ann, ben, projectId, tasks, gate };
}

async function boardOf(person: Person, browser: Browser, projectId: string): Promise<BoardPage> {
  return BoardPage.open(await person.openPage(browser), camelot, projectId);
}

test("[B3][B5] one card in two hands: who lets go first wins, the other keeps hold through every change, and is told", async ({
  browser,
}) => {
  const { ann, ben, projectId, tasks, gate } = await begin("Hands", 4);
  const [anns, bens] = [await boardOf(ann, browser, projectId), await boardOf(ben, browser, projectId)];
  const order = await anns.numbersIn("Backlog");
  const [first = 0, second = 0, , last = 0] = order;
  const renamed = tasks.find(({ number }) => number === second);

  await take(anns.page, anns.card(first));
  await hold(anns.page, { below: anns.card(last) });
  await ben.must("PATCH", `/tasks/${renamed?.id}`, { title: "Renamed meanwhile" });
  const added = await ben.makeTask(projectId, "Added meanwhile", "true");
  await expect(anns.card(second)).toContainText("Renamed meanwhile");
  await expect(anns.card(added.number)).toBeVisible();
  expect(await isHeld(anns.page)).toBe(true);

  await take(bens.page, bens.card(first));
  await hold(bens.page, { in: bens.column("Waiting") });
  await bens.page.mouse.up();
  for (const board of [anns, bens]) await expect(board.card(first)).toHaveAttribute("data-column", "running");
  expect(await isHeld(anns.page)).toBe(true);
  await anns.page.mouse.up();
  await expect(anns.page.getByText(`#${first}: Somebody else moved this card: it is in Running now.`)).toBeVisible();
  for (const board of [anns, bens]) {
    await expect(board.card(first)).toHaveAttribute("data-column", "running");
    await expect(board.card(first)).toHaveCount(1);
    const left = new Set([...order, added.number]);
    left.delete(first);
    expect(new Set(await board.numbersIn("Backlog"))).toEqual(left);
  }
  gate.open();
});

test("[B5] what another one does while a dialog is open or a title is written leaves dialog, focus and words alone", async ({
  browser,
}) => {
  const { ann, ben, projectId, tasks, gate } = await begin("Words", 2);
  const [one, other] = tasks as [Task, Task];
  const board = await boardOf(ann, browser, projectId);
  const { page } = board;
  await page.getByRole("button", { name: "New task" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New task" });
  await dialog.getByLabel("Title").fill("Half a ");
  await ben.must("PATCH", `/tasks/${one.id}`, { title: "Renamed under the dialog" });
  await ann.dispatch(other.id);
  await expect(board.card(one.number)).toContainText("Renamed under the dialog");
  await expect(board.card(other.number)).toHaveAttribute("data-column", "running");
  await expect(dialog.getByLabel("Title")).toBeFocused();
  await page.keyboard.type("title");
  await expect(dialog.getByLabel("Title")).toHaveValue("Half a title");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(dialog).toBeHidden();

  await board.card(one.number).getByRole("link").click();
  const panel = page.getByRole("region", { name: `Task #${one.number}` });
  await panel.getByRole("button", { name: "Change the title" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Ann’s own");
  await ben.must("PATCH", `/tasks/${one.id}`, { title: "Ben’s own" });
  await expect(board.card(one.number)).toContainText("Ben’s own");
  await expect(panel.getByRole("textbox", { name: "Title" })).toHaveValue("Ann’s own");
  await expect(panel.getByRole("textbox", { name: "Title" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(board.card(one.number)).toContainText("Ann’s own");
  await page.keyboard.press("Escape");

  // What ends while one is asked about it has ended, and was not stopped.
  await board.card(other.number).hover();
  await board.card(other.number).getByRole("button", { name: /^More/ }).click();
  await page.getByRole("menuitem", { name: "Stop", exact: true }).click();
  const question = page.getByRole("alertdialog", { name: `Stop #${other.number}?` });
  await expect(question).toBeVisible();
  gate.open();
  await expect(board.card(other.number)).toContainText("Succeeded");
  await question.getByRole("button", { name: "Stop" }).click();
  await expect(question).toBeHidden();
  await expect(board.card(other.number)).toContainText("Succeeded");
});

test("[B5][B12] on a phone the column one reads stays, with its place, whatever others begin and end", async ({
  browser,
}) => {
  const { ann, ben, projectId, tasks, gate } = await begin("Phone", 20);
  const page = await ben.openPage(browser);
  await page.setViewportSize({ width: 390, height: 500 });
  const board = await BoardPage.open(page, camelot, projectId);
  const picked = page.getByRole("group", { name: "Column" }).getByRole("button", { pressed: true });
  await expect(picked).toContainText("Backlog");
  const [card] = tasks;
  await board.card(card?.number ?? 0).scrollIntoViewIfNeeded();
  const place = () =>
    page.evaluate(() => [scrollY, document.querySelector('[data-column="backlog"] .cards')?.scrollTop]);
  const before = await place();
  await ann.dispatch(tasks.at(-1)?.id ?? "");
  await expect(page.getByRole("group", { name: "Column" })).toContainText(/Running\s*1\//);
  await expect(picked).toContainText("Backlog");
  gate.open();
  await expect(page.getByRole("group", { name: "Column" })).toContainText(/Review\s*1/);
  await expect(picked).toContainText("Backlog");
  expect(await place()).toEqual(before);
});

test("[BRD-1][B3] thirty moves at once by two people leave one order, the same on both boards as on a new one", async ({
  browser,
}) => {
  const { ann, ben, projectId, tasks } = await begin("Many", 10);
  const live = [await boardOf(ann, browser, projectId), await boardOf(ben, browser, projectId)];
  const move = (n: number) => {
    const [task, before] = [tasks[n % 10], tasks[(n * 7 + 3) % 10]];
    const column = n % 5 === 0 ? "done" : "backlog";
    const body = { column, before: column === "done" || before === task ? null : before?.id };
    return (n % 2 === 0 ? ann : ben).call("POST", `/tasks/${task?.id}/move`, body);
  };
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => move(n)));
  for (const { status } of answers) expect([200, 409]).toContain(status);

  // What was heard move by move is what somebody sees who has just come.
  const fresh = await boardOf(ben, browser, projectId);
  const [backlog, done] = [await fresh.numbersIn("Backlog"), await fresh.numbersIn("Done")];
  expect([...backlog, ...done].toSorted((one, other) => one - other)).toEqual(tasks.map(({ number }) => number));
  for (const board of live) {
    await expect.poll(() => board.numbersIn("Backlog")).toEqual(backlog);
    await expect.poll(() => board.numbersIn("Done")).toEqual(done);
  }
});

test("[BRD-3][B3][P17] a card is moved to Done under a running agent and deleted under a waiting one: both ask, and nothing is left behind", async ({
  browser,
}) => {
  const { ann, projectId, tasks, gate } = await begin("Under", 3);
  const [running, waiting, next] = tasks as [Task, Task, Task];
  for (const { id } of tasks) await ann.dispatch(id);
  const board = await boardOf(ann, browser, projectId);
  const { page } = board;
  await expect(board.card(next.number)).toContainText("Queued · position 2");
  const choose = async (task: Task, entry: string) => {
    await board.card(task.number).hover();
    await board.choose(task.number, entry);
    const question = page.getByRole("alertdialog");
    await expect(question).toBeVisible();
    return question;
  };
  await (await choose(waiting, "Delete task")).getByRole("button", { name: "Keep it" }).click();
  await expect(board.card(waiting.number)).toContainText("Queued · position 1");
  await (await choose(waiting, "Delete task")).getByRole("button", { name: "Delete" }).click();
  await expect(board.card(waiting.number)).toHaveCount(0);
  await expect(board.card(next.number)).toContainText("Queued · position 1");

  await (await choose(running, "Stop and move to Done")).getByRole("button", { name: "Keep running" }).click();
  await expect(board.card(running.number)).toHaveAttribute("data-column", "running");
  await (await choose(running, "Stop and move to Done")).getByRole("button", { name: "Stop and move" }).click();
  await expect(board.card(running.number)).toHaveAttribute("data-column", "done", { timeout: 90_000 });
  await expect(board.card(next.number)).toHaveAttribute("data-column", "running");
  await expect(board.figures()).toContainText("Waiting 0");
  gate.open();
  await expect(board.card(next.number)).toContainText("Succeeded");
  expect((await ann.must<{ running: number; queued: number }>("GET", "/me")).running).toBe(0);
});
