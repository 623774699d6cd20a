/**
 * Real agents, with a model server of ours on 127.0.0.1, as people see them in the browser: watched, answered and followed
 * up. A long run does both with each of them; a short one each of both once.
 */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import type { Session } from "../server/contract/sessions";
import type { UsageDays } from "../server/contract/usage";
import { USAGE } from "../server/testing/fake-model/answers.mjs";
import { REAL_AGENTS, type RealAgent } from "../server/testing/real-agents";
import { Looker } from "./support/looker";
import { PATIENT, RealAgents } from "./support/real-agents";
import { git } from "./support/repository";

test.setTimeout(300_000);

const IS_LONG = Boolean(process.env.CAMELOT_TEST_ALL);
const WATCHED = REAL_AGENTS.filter(({ name }) => IS_LONG || name === "claude-code");
const ASKING = REAL_AGENTS.filter(({ name }) => IS_LONG || name === "codex");

const CALL = { input: USAGE.input + USAGE.cacheWrite, cachedInput: USAGE.cacheRead, output: USAGE.output };
/** What one call of the model uses, as each tells it. Gemini counts what came from the cache as input, and no thoughts. */
const CALLS: Readonly<Record<RealAgent["name"], typeof CALL>> = {
  "claude-code": CALL,
  codex: CALL,
  gemini: { input: CALL.input + CALL.cachedInput, cachedInput: 0, output: CALL.output - USAGE.reasoning },
};

let real: RealAgents;
test.beforeAll(async () => {
  real = await RealAgents.start();
});
test.afterAll(() => real.remove());

for (const agent of WATCHED) {
  test(`[B7][A4][A5][W2] ${agent.name}: its work is watched live, what it used is what the model sent, its branch holds the work, and a message goes on`, async ({
    browser,
  }) => {
    const desk = await real.begin(browser, `${agent.name} fan`);
    const { page, board, person } = desk;
    const agentId = await desk.agent(agent, agent.free);
    const looker = new Looker(page);
    const gate = path.join(real.camelot.dataDir, `gate-${agent.name}`);
    // Codex goes on after ten seconds of a command that waits: for it the model waits.
    const isHeldByModel = agent.name === "codex";
    const held = isHeldByModel
      ? `@@gate ${gate}\n@@bash echo let go`
      : `@@bash while [ ! -e '${gate}' ]; do sleep 0.1; done; echo let go`;
    const prompt = `@@write hello.txt hello there\n${held}\n@@say **All** done.`;
    const { id } = await desk.dispatched(agentId, prompt);
    await board.card(1).getByRole("link").first().click();
    const transcript = page.getByRole("log", { name: "Transcript" });
    await expect(transcript).toContainText("hello.txt", PATIENT);
    if (!isHeldByModel) await expect(transcript).toContainText("at work", PATIENT);
    await expect(page.getByTestId("state")).toContainText("Running", PATIENT);
    // An ACP agent tells what it used when it has ended.
    if (agent.format !== "acp") await expect(page.getByText(/tokens so far/)).toBeVisible();
    fs.writeFileSync(gate, "");
    await expect(transcript).toContainText("All done.", PATIENT);
    await expect(transcript.locator("strong")).toHaveText("All");
    await expect(page.getByTestId("state")).toContainText("Succeeded", PATIENT);

    const { usage } = await person.session(id);
    const call = CALLS[agent.name];
    const told = { input: 3 * call.input, cachedInput: 3 * call.cachedInput, output: 3 * call.output };
    expect(usage).toMatchObject({ ...told, partial: false });
    const panel = page.getByRole("region", { name: "Usage" });
    for (const tokens of Object.values(told)) await expect(panel).toContainText(tokens.toLocaleString("en"));
    const cost = usage?.costUsd ?? null;
    expect(cost === null).toBe(agent.name !== "claude-code");
    await expect(panel).toContainText(cost === null ? "unknown" : `$${cost.toFixed(2)}`);
    await expect(page.getByTestId("outcome")).toContainText("The agent finished.");
    await expect(page.getByRole("button", { name: "Follow", exact: true })).toHaveAttribute("aria-pressed", "true");
    const branch = (await person.must<{ branch: string }>("GET", `/tasks/${(await person.session(id)).taskId}`)).branch;
    expect(git(desk.repository, "show", `${branch}:hello.txt`)).toBe("hello there\n");
    await looker.look(`a transcript of ${agent.name}`);

    await page.getByRole("textbox", { name: "Follow-up" }).fill("@@bash echo more >> hello.txt\n@@say Second done.");
    await page.getByRole("button", { name: /^Follow up/ }).click();
    await expect(transcript).toContainText("Second done.", PATIENT);
    await expect(page.getByTestId("state")).toContainText("Succeeded", PATIENT);
    // One that cannot go on with its conversation begins anew with the task: writes its file again, and makes more calls.
    const written = git(desk.repository, "show", `${branch}:hello.txt`);
    if (agent.resumes) expect(written).toBe("hello there\nmore\n");
    else expect(written).toContain("hello there\n");
    const { taskId } = await person.session(id);
    const { items } = await person.must<{ items: Session[] }>("GET", `/tasks/${taskId}/sessions`);
    const second = items.find((session) => session.id !== id)?.usage;
    const calls = 3 + (agent.resumes ? 2 : (second?.output ?? 0) / call.output);
    expect(second?.input).toBe((calls - 3) * call.input);
    const tokens = calls * (call.input + call.cachedInput + call.output);
    await expect(panel).toContainText(`${tokens.toLocaleString("en")} tokens`);
    await page.getByRole("button", { name: "Search the transcript" }).click();
    await page.getByRole("textbox", { name: /find/ }).fill("second done");
    await expect(page.locator("mark").first()).toHaveText(/second done/i);

    const { total, days } = await person.must<UsageDays>("GET", `/users/${person.id}/usage`);
    expect(days.at(-1)).toMatchObject({ sessions: 2, input: calls * call.input, unknownCost: cost === null ? 2 : 0 });
    expect(total.costUsd === null).toBe(cost === null);
    await page.goto(`${real.camelot.url}/people/${person.id}`);
    await expect(page.getByRole("region", { name: "Tokens and cost" })).toContainText(cost === null ? "unknown" : "$");
    await looker.look("a profile with tokens and cost");
    expect(looker.complaints()).toEqual([]);
  });
}

for (const agent of ASKING) {
  test(`[R12][R3] ${agent.name}: a question is still there after kill -9 and a start, is answered on the card, and the work goes on`, async ({
    browser,
  }) => {
    const desk = await real.begin(browser, `${agent.name} asker`);
    const { page, board, person } = desk;
    const { id, taskId } = await desk.dispatched(
      await desk.agent(agent, agent.asking),
      "@@bash touch asked.txt\n@@say Went on.",
    );
    const card = board.card(1);
    await expect(card).toContainText("Needs you", PATIENT);
    await expect(card).toContainText("asked.txt");
    const asked = (await person.session(id)).question;
    await real.camelot.kill();
    await real.camelot.start();
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
    expect(git(desk.repository, "ls-tree", "--name-only", branch)).toContain("asked.txt");
  });
}
