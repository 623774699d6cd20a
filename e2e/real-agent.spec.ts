/**
 * The real Claude Code and Codex, with a model server of ours on 127.0.0.1, as people see them in the browser: added, tried,
 * watched, answered, followed up, and stepping aside when a login is over.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Browser, expect, type Page, test } from "@playwright/test";
import type { Session } from "../server/contract/sessions";
import type { UsageDays } from "../server/contract/usage";
import { USAGE } from "../server/testing/fake-model/answers.mjs";
import { startFakeModel } from "../server/testing/fake-model/server.mjs";
import { environmentOf, REAL_AGENTS, type RealAgent } from "../server/testing/real-agents";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Looker } from "./support/looker";
import { Person } from "./support/person";
import { git, makeRepository } from "./support/repository";

test.setTimeout(300_000);

/** A real agent starts, works and leaves on a busy machine. */
const PATIENT = { timeout: 90_000 };
const AGENTS = REAL_AGENTS.filter(({ name }) => name !== "gemini");
/** What one call of the model uses, as agents tell it: what is written to the cache counts as input. */
const CALL = { input: USAGE.input + USAGE.cacheWrite, cachedInput: USAGE.cacheRead, output: USAGE.output };

let model: Awaited<ReturnType<typeof startFakeModel>>;
let camelot: Camelot;
/** What a project gives its agents, so that they speak with our model. */
const variables = new Map<string, string>();

test.beforeAll(async () => {
  model = await startFakeModel();
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "camelot-home-"));
  let environment: Record<string, string> = {};
  for (const agent of AGENTS) environment = { ...environment, ...(await environmentOf(agent, model.url, home)) };
  const { PATH = "", HOME = "", ...rest } = environment;
  for (const [name, value] of Object.entries(rest)) variables.set(name, value);
  camelot = await Camelot.start({ PATH, HOME, PER_USER_MAX: "1" });
});
test.afterAll(async () => {
  await camelot.remove();
  await model.close();
  fs.rmSync(camelot.environment.HOME ?? "", { recursive: true, force: true });
});

interface Scene {
  readonly person: Person;
  readonly page: Page;
  readonly board: BoardPage;
  readonly projectId: string;
  readonly repository: string;
  /** Of the agents that were made. */
  agent(agent: RealAgent, settings: object): Promise<string>;
}

/** Somebody with a project of their own. The first one is the administrator. */
async function begin(browser: Browser, name: string): Promise<Scene> {
  const person = await Person.signUp(camelot, name);
  const context = await browser.newContext();
  await person.enter(context);
  const repository = makeRepository(camelot.dataDir, name.toLowerCase());
  const { id: projectId } = await person.makeProject(`Shop of ${name}`, repository);
  for (const [variable, value] of variables) {
    await person.must("PUT", `/projects/${projectId}/variables/${variable}`, { value });
  }
  const page = await context.newPage();
  const board = await BoardPage.open(page, camelot, projectId);
  const agent = async ({ name: kind }: RealAgent, settings: object) => {
    const wish = { name: TITLES[kind], kind, settings, projectId };
    return (await person.must<{ id: string }>("POST", "/agents", wish)).id;
  };
  return { person, page, board, projectId, repository, agent };
}

const TITLES: Readonly<Record<RealAgent["name"], string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
};

async function dispatched({ person, projectId }: Scene, agentId: string, prompt: string): Promise<Session> {
  const task = await person.makeTask(projectId, "Say hello", prompt, agentId);
  return (await person.dispatch(task.id)).session;
}

for (const agent of AGENTS) {
  test(`[B7][A4][A5][W2] ${agent.name}: its work is watched live, what it used is what the model sent, its branch holds the work, and a message goes on`, async ({
    browser,
  }) => {
    const scene = await begin(browser, agent.name === "codex" ? "Codexia" : "Claudia");
    const { page, board, person } = scene;
    const agentId = await scene.agent(agent, agent.free);
    const looker = new Looker(page);
    const gate = path.join(camelot.dataDir, `gate-${agent.name}`);
    const waits = `while [ ! -e '${gate}' ]; do sleep 0.1; done; echo let go`;
    const prompt = `@@write hello.txt hello there\n@@bash ${waits}\n@@say **All** done.`;
    const { id } = await dispatched(scene, agentId, prompt);
    await board.card(1).getByRole("link").first().click();
    const transcript = page.getByRole("log", { name: "Transcript" });
    await expect(transcript).toContainText("hello.txt", PATIENT);
    await expect(transcript).toContainText("at work", PATIENT);
    await expect(page.getByTestId("state")).toContainText("Running", PATIENT);
    await expect(page.getByText(/tokens so far/)).toBeVisible();
    fs.writeFileSync(gate, "");
    await expect(transcript).toContainText("All done.", PATIENT);
    await expect(transcript.locator("strong")).toHaveText("All");
    await expect(page.getByTestId("state")).toContainText("Succeeded", PATIENT);

    const { usage } = await person.session(id);
    const told = { input: 3 * CALL.input, cachedInput: 3 * CALL.cachedInput, output: 3 * CALL.output };
    expect(usage).toMatchObject({ ...told, partial: false });
    const panel = page.getByRole("region", { name: "Usage" });
    for (const tokens of Object.values(told)) await expect(panel).toContainText(tokens.toLocaleString("en"));
    const cost = usage?.costUsd ?? null;
    expect(cost === null).toBe(agent.name === "codex");
    await expect(panel).toContainText(cost === null ? "unknown" : `$${cost.toFixed(2)}`);
    await expect(page.getByTestId("outcome")).toContainText("The agent finished.");
    await expect(page.getByRole("button", { name: "Follow", exact: true })).toHaveAttribute("aria-pressed", "true");
    const branch = (await person.must<{ branch: string }>("GET", `/tasks/${(await person.session(id)).taskId}`)).branch;
    expect(git(scene.repository, "show", `${branch}:hello.txt`)).toBe("hello there\n");
    await looker.look(`a transcript of ${agent.name}`);

    await page.getByRole("textbox", { name: "Follow-up" }).fill("@@bash echo more >> hello.txt\n@@say Second done.");
    await page.getByRole("button", { name: /^Follow up/ }).click();
    await expect(transcript).toContainText("Second done.", PATIENT);
    await expect(page.getByTestId("state")).toContainText("Succeeded", PATIENT);
    expect(git(scene.repository, "show", `${branch}:hello.txt`)).toBe("hello there\nmore\n");
    await expect(panel).toContainText(
      `${(5 * (CALL.input + CALL.cachedInput + CALL.output)).toLocaleString("en")} tokens`,
    );
    await page.getByRole("button", { name: "Search the transcript" }).click();
    await page.getByRole("textbox", { name: /find/ }).fill("second done");
    await expect(page.locator("mark").first()).toHaveText(/second done/i);

    const { total, days } = await person.must<UsageDays>("GET", `/users/${person.id}/usage`);
    expect(days.at(-1)).toMatchObject({ sessions: 2, input: 5 * CALL.input, unknownCost: cost === null ? 2 : 0 });
    expect(total.costUsd === null).toBe(cost === null);
    await page.goto(`${camelot.url}/people/${person.id}`);
    await expect(page.getByRole("region", { name: "Tokens and cost" })).toContainText(cost === null ? "unknown" : "$");
    await looker.look("a profile with tokens and cost");
    expect(looker.complaints()).toEqual([]);
  });

  test(`[R12][R3] ${agent.name}: a question is still there after kill -9 and a start, is answered on the card, and the work goes on`, async ({
    browser,
  }) => {
    const scene = await begin(browser, agent.name === "codex" ? "Cora" : "Clara");
    const { page, board, person } = scene;
    const { id, taskId } = await dispatched(
      scene,
      await scene.agent(agent, agent.asking),
      "@@bash touch asked.txt\n@@say Went on.",
    );
    const card = board.card(1);
    await expect(card).toContainText("Needs you", PATIENT);
    await expect(card).toContainText("asked.txt");
    const asked = (await person.session(id)).question;
    await camelot.kill();
    await camelot.start();
    await expect(page.getByText(/Reconnecting/)).toBeHidden(PATIENT);
    await expect(card).toContainText("Needs you", PATIENT);
    expect((await person.session(id)).question?.id).toBe(asked?.id);
    await card.hover();
    await card.getByRole("button", { name: "Answer" }).click();
    await page.getByRole("menuitem", { name: `Answer: ${asked?.options[0]}`, exact: true }).click();
    await expect(card).toContainText("Succeeded", PATIENT);
    await card.getByRole("link").first().click();
    const transcript = page.getByRole("log", { name: "Transcript" });
    await expect(transcript).toContainText(`Answered: ${asked?.options[0]}`);
    await expect(transcript).toContainText("Went on.");
    const { branch } = await person.must<{ branch: string }>("GET", `/tasks/${taskId}`);
    expect(git(scene.repository, "ls-tree", "--name-only", branch)).toContain("asked.txt");
  });
}

test("[B10] agents that are on the machine come first in the form; one of them is added, tried, and shows what it says", async ({
  browser,
}) => {
  const scene = await begin(browser, "Tria");
  const { page } = scene;
  const looker = new Looker(page);
  await page.goto(`${camelot.url}/agents`);
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
  await page.getByRole("button", { name: "Try My Claude" }).click();
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
  const scene = await begin(browser, "Hilda");
  const { page, board } = scene;
  const [claude] = AGENTS;
  const agentId = await scene.agent(claude as RealAgent, (claude as RealAgent).free);
  const looker = new Looker(page);
  await dispatched(scene, agentId, "@@error 401");
  for (const words of ["Second.", "Third."]) await dispatched(scene, agentId, `@@say ${words}`);
  await expect(board.card(1)).toContainText("Failed", PATIENT);
  await expect(board.card(1)).toContainText("is not logged in");
  await expect(board.card(2)).toContainText("Queued · held", PATIENT);
  await expect(board.card(2)).toContainText("Claude Code is not logged in");
  await expect(board.card(2).getByRole("button", { name: "Try again" })).toBeVisible();
  await looker.look("a board with held cards");
  await page.goto(`${camelot.url}/people/${scene.person.id}`);
  await expect(page.getByRole("list", { name: "Line" })).toContainText("is not logged in");
  await expect(page.getByRole("list", { name: "Line" }).getByRole("button", { name: "Try again" })).toHaveCount(2);
  await looker.look("a line that is held");
  await page.goto(`${camelot.url}/agents`);
  await expect(page.getByText(/^Its sessions wait: Claude Code is not logged in/)).toBeVisible();
  await looker.look("an agent that is held");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText(/^Its sessions wait/)).toBeHidden();
  const again = await BoardPage.open(page, camelot, scene.projectId);
  for (const number of [2, 3]) await expect(again.card(number)).toContainText("Succeeded", PATIENT);
  expect(looker.complaints()).toEqual([]);
});
