/** What a card says as time goes by, and what opening and closing leaves behind: on the real server, with real agents. */
import fs from "node:fs";
import path from "node:path";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import type { Session } from "../server/contract/sessions";
import type { UsageDays } from "../server/contract/usage";
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

async function begin(context: BrowserContext, name: string): Promise<{ person: Person; projectId: string }> {
  const person = await Person.signUp(camelot, name);
  await person.enter(context);
  const { id } = await person.makeProject(`Shop of ${name}`, makeRepository(camelot.dataDir, name.toLowerCase()));
  return { person, projectId: id };
}

test("[R9][B1] an agent that falls silent is called quiet, one that repeats itself is not; both are adopted after a restart", async ({
  page,
  context,
}) => {
  const { person, projectId } = await begin(context, "Ann");
  await person.must("PATCH", `/projects/${projectId}`, { quietNoticeSeconds: 10 });
  const gate = path.join(camelot.dataDir, "gate-moments");
  const untilGate = (body: string) => `while [ ! -e '${gate}' ]; do ${body} sleep 0.2; done`;
  const silent = await person.makeTask(projectId, "Falls silent", `echo one; ${untilGate("")}`);
  const busy = await person.makeTask(projectId, "Says the same", untilGate("echo again;"));
  for (const { id } of [silent, busy]) await person.dispatch(id);
  const board = await BoardPage.open(page, camelot, projectId);
  await expect(board.card(silent.number)).toContainText(/· quiet for 1\d s/, { timeout: 90_000 });
  await expect(board.card(busy.number)).toContainText("again");
  await expect(board.card(busy.number)).not.toContainText("quiet");
  await camelot.leave();
  await camelot.start();
  await expect(board.card(busy.number)).toContainText(/Running\s*· adopted \d\d:\d\d/, { timeout: 90_000 });
  await expect(board.card(silent.number)).toContainText(/· quiet for/);
  fs.writeFileSync(gate, "");
  for (const { number } of [silent, busy]) await expect(board.card(number)).toContainText("Succeeded");
  // What ended last stands first.
  const ended = await Promise.all([silent, busy].map(async ({ id }) => (await taskOf(person, id)).session?.finishedAt));
  const newest = (ended[0] ?? "") > (ended[1] ?? "") ? silent.number : busy.number;
  expect((await board.numbersIn("Review"))[0]).toBe(newest);
});

test("[R7][B1] who stops an agent that does not listen sees when it will be forced", async ({ page, context }) => {
  const { person, projectId } = await begin(context, "Ben");
  const deaf = await person.makeTask(
    projectId,
    "Does not listen",
    "trap '' TERM; echo deaf; while :; do sleep 1; done",
  );
  const { session } = await person.dispatch(deaf.id);
  const board = await BoardPage.open(page, camelot, projectId);
  await expect(board.card(deaf.number)).toContainText("deaf");
  await person.must("POST", `/sessions/${session.id}/cancel`);
  await expect(board.card(deaf.number)).toContainText(/Stopping.*asked to stop · forced in [1-9] s/s);
  await expect(board.card(deaf.number)).toContainText("Cancelled", { timeout: 90_000 });
});

test("[R12] a question stands on the card, under the thumb and on the task's page, with its answers", async ({
  page,
  context,
}) => {
  const { person, projectId } = await begin(context, "Cleo");
  const gate = makeGate(camelot.dataDir, "asks");
  const task = await person.makeTask(projectId, "Asks", gate.script);
  const { session } = await person.dispatch(task.id);
  const board = await BoardPage.open(page, camelot, projectId);
  await expect(board.card(task.number)).toContainText("asks line");
  ask(session, { id: "q1", text: "Drop Node 18?\nTwo helpers depend on it.", options: ["Drop it", "Keep it"] });
  const card = board.card(task.number);
  await expect(card).toContainText(/Needs you.*Drop Node 18/s);
  await card.hover();
  await card.getByRole("button", { name: "Answer" }).click();
  await expect(page.getByRole("menuitem", { name: "Answer: Keep it" })).toBeVisible();
  await expect(page.getByRole("menu")).toContainText("Two helpers depend on it.");
  await page.keyboard.press("Escape");

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: `Answer #${task.number}` }).click();
  const question = page.getByRole("region", { name: "Question of the agent" });
  await expect(question).toContainText("Two helpers depend on it.");
  // The shell reads its script and nothing after it: that is said, and nothing is said to be answered.
  await question.getByRole("button", { name: "Keep it" }).click();
  await expect(
    page.getByText(new RegExp(`^#${task.number}: This agent reads its prompt and nothing after`)),
  ).toBeVisible();
  await expect(question.getByRole("button", { name: "Keep it" })).toBeEnabled();
  gate.open();
});

test("[R12] an answer reaches only the question it was read with: its menu closes once another is asked, and a late one is refused", async ({
  page,
  context,
}) => {
  const { person, projectId } = await begin(context, "Edda");
  const agent = await makeScripted(person, projectId);
  const task = await person.makeTask(projectId, "Asks twice", "ask First question\nask Second question", agent.id);
  const { session } = await person.dispatch(task.id);
  const board = await BoardPage.open(page, camelot, projectId);
  const card = board.card(task.number);
  const menu = page.getByRole("menu");
  const openAnswers = async (question: string) => {
    await expect(card).toContainText(new RegExp(`Needs you.*${question}`, "s"), { timeout: 90_000 });
    await card.hover();
    await card.getByRole("button", { name: "Answer" }).click();
    await expect(menu).toContainText(question);
  };
  await openAnswers("First question");
  const first = (await person.session(session.id)).question;
  expect(new Date(first?.askedAt ?? "").toISOString()).toBe(first?.askedAt);
  // Somebody else is faster, and the agent asks the next thing while the menu is still open.
  await person.must("POST", `/sessions/${session.id}/answer`, { questionId: first?.id, option: "Reject" });
  await expect(menu).toBeHidden();
  await openAnswers("Second question");
  const late = await person.call("POST", `/sessions/${session.id}/answer`, { questionId: first?.id, option: "Allow" });
  expect(late).toMatchObject({
    status: 409,
    body: { code: "CONFLICT", message: expect.stringMatching(/^It asks something else by now: .*Second question/) },
  });
  await page.getByRole("menuitem", { name: "Answer: Allow" }).click();
  await expect(card).toContainText("Succeeded", { timeout: 90_000 });
  expect(await person.output(session.id)).toContain("Answered: rejected, allowed.");
});

test("[A4][B8] figures that cannot be are unknown on the task's page, and add up to nothing that breaks the profile", async ({
  page,
  context,
}) => {
  const { person, projectId } = await begin(context, "Flora");
  const agent = await makeScripted(person, projectId);
  const absurd = 'cost 1e308\ntokens {"inputTokens":-3,"outputTokens":1e30,"totalTokens":"x"}';
  const honest = 'cost 0.25\ntokens {"inputTokens":1240,"outputTokens":25}';
  const board = await BoardPage.open(page, camelot, projectId);
  for (const prompt of [absurd, absurd, honest]) {
    const task = await person.makeTask(projectId, "Tells figures", prompt, agent.id);
    await person.dispatch(task.id);
    await expect(board.card(task.number)).toContainText("Succeeded", { timeout: 90_000 });
  }
  for (const whose of [`/users/${person.id}`, `/projects/${projectId}`]) {
    const { total } = await person.must<UsageDays>("GET", `${whose}/usage`);
    expect(total).toMatchObject({ sessions: 1, input: 1_240, output: 25, costUsd: 0.25, unknownCost: 2 });
  }
  await page.goto(`${camelot.url}/projects/${projectId}/tasks/1`);
  await expect(page.getByRole("region", { name: "Usage" })).toContainText("Unknown");
  const sums = page.getByRole("region", { name: "Tokens and cost" });
  await page.goto(`${camelot.url}/people/${person.id}`);
  await expect(sums).toContainText("$0.25, and unknown for 2 sessions");
  // Refused as it is by a server that is asked too often.
  const body = JSON.stringify({ code: "TOO_MANY_REQUESTS", message: "Too many requests; try again in a moment." });
  const address = `**/api/v1/users/${person.id}/usage*`;
  await page.route(address, (route) => route.fulfill({ status: 429, contentType: "application/json", body }));
  await page.reload();
  await expect(sums.getByRole("alert")).toContainText("Too many requests");
  await page.unroute(address);
  // The page asks by itself too, and takes the button away with the answer: it is pressed where it still stands.
  await sums.getByRole("button", { name: "Try again" }).evaluateAll((buttons) => {
    for (const button of buttons) button.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });
  await expect(sums).toContainText("$0.25, and unknown for 2 sessions");
});

test("[B7] tasks looked at beside the board leave nothing in the history, and no window without a name", async ({
  page,
  context,
}) => {
  const { person, projectId } = await begin(context, "Dora");
  for (const title of ["First", "Second"]) await person.makeTask(projectId, title, "true");
  await page.goto(`${camelot.url}/people`);
  await expect(page.getByRole("heading", { name: "People", level: 1 })).toBeVisible();
  const board = await BoardPage.open(page, camelot, projectId);
  const entries = () => page.evaluate(() => history.length);
  const before = await entries();
  const names = await watchNames(page);
  await board.card(1).getByRole("link", { name: "First" }).click();
  await expect(page).toHaveTitle("#1 First · Camelot");
  await board.card(2).getByRole("link", { name: "Second" }).click({ force: true });
  await expect(page).toHaveTitle("#2 Second · Camelot");
  await expect.poll(entries).toBe(before + 1);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`${camelot.url}/projects/${projectId}`);
  await expect(page).toHaveTitle("Shop of Dora · Camelot");
  expect(await names()).not.toContain("");
  await page.goBack();
  await expect(page).toHaveURL(`${camelot.url}/people`);
});

test("[B11] a reload while the first task is written stays in the guide", async ({ page, context }) => {
  const zoe = await Person.signUp(camelot, "Zoe");
  await zoe.enter(context);
  await page.goto(camelot.url);
  await page.getByRole("button", { name: /Make it and continue/ }).click();
  await expect(page.getByRole("heading", { name: "What shall be done?" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "What shall be done?" })).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Write a greeting");
});

function taskOf(person: Person, id: string): Promise<{ session: Session | null }> {
  return person.must("GET", `/tasks/${id}`);
}

/** An agent with a protocol, see `support/acp-agent.mjs`. */
function makeScripted(person: Person, projectId: string): Promise<{ id: string }> {
  const settings = { argv: [process.execPath, path.join(import.meta.dirname, "support/acp-agent.mjs")] };
  return person.must("POST", "/agents", { name: "Scripted", kind: "acp", settings, projectId });
}

/** As a host writes it for an agent that asks. */
function ask({ id, attempt }: Session, question: { id: string; text: string; options: string[] }): void {
  const runs = path.join(camelot.dataDir, "runs");
  const folder = fs.readdirSync(runs).find((name) => name === `${id}.${attempt}`);
  if (folder === undefined) throw new Error(`There is no run folder of ${id}.`);
  const file = path.join(runs, folder, "question.json");
  fs.writeFileSync(`${file}.new`, JSON.stringify({ version: 2, ...question, askedAt: Date.now() }));
  fs.renameSync(`${file}.new`, file);
}

/** Everything the window is called from now on. */
async function watchNames(page: Page): Promise<() => Promise<string[]>> {
  const names = await page.evaluateHandle(() => {
    const seen = [document.title];
    new MutationObserver(() => seen.push(document.title)).observe(document.head, {
      childList: true,
      subtree: true,
      characterData: true,
    });
    return seen;
  });
  return () => names.jsonValue();
}
