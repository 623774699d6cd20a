/** Whoever reads or writes goes on reading and writing, whatever others do to the card or the project meanwhile. */
import { expect, type Page, test } from "@playwright/test";
import { makeGate } from "./support/agents";
import { Camelot } from "./support/camelot";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

let camelot: Camelot;
test.beforeAll(async () => {
  camelot = await Camelot.start();
});
test.afterAll(() => camelot.remove());

const state = (page: Page) => page.getByTestId("state").first();
const shown = (page: Page) => page.getByRole("tab", { selected: true });

test("[B5] another’s retry takes away neither a half-written prompt, nor its focus, nor the output one reads", async ({
  browser,
}) => {
  const ada = await Person.signUp(camelot, "Ada");
  const bob = await Person.signUp(camelot, "Bob");
  const { id } = await ada.makeProject("Kept", makeRepository(camelot.dataDir, "kept"));
  await ada.addMember(id, bob);
  const gate = makeGate(camelot.dataDir, "second");
  const task = await ada.makeTask(id, "Retry webhooks", `if [ -e again ]; then ${gate.script}; fi; touch again`);
  await ada.dispatch(task.id);
  const reading = await ada.openPage(browser);
  const writing = await ada.openPage(browser);
  for (const page of [reading, writing]) {
    await page.goto(`${camelot.url}/projects/${id}/tasks/${task.number}`);
    await expect(state(page)).toContainText("Succeeded");
  }
  await writing.getByRole("tab", { name: "Prompt" }).click();
  await writing.getByRole("button", { name: "Edit" }).click();
  const editor = writing.getByRole("textbox", { name: "Prompt" });
  await editor.fill("echo half a scr");
  await reading.getByRole("log").click();

  await bob.dispatch(task.id);
  for (const page of [reading, writing]) await expect(state(page)).toContainText("Running");
  await expect(editor).toBeFocused();
  await writing.keyboard.type("ipt");
  await expect(editor).toHaveValue("echo half a script");
  await expect(writing.getByText("it keeps the old prompt")).toBeVisible();
  await expect(shown(reading)).toHaveText("Output");
  await expect(reading.getByText("This is an earlier session.")).toBeVisible();

  gate.open();
  for (const page of [reading, writing]) await expect(state(page)).toContainText("Succeeded");
  await expect(editor).toHaveValue("echo half a script");
  await expect(shown(writing)).toContainText("Prompt");
  await reading.getByRole("button", { name: "Show the newest" }).click();
  await expect(reading.getByRole("log")).toContainText("second end");

  await writing.reload();
  await writing.getByRole("tab", { name: "Prompt · not saved" }).click();
  await expect(editor).toHaveValue("echo half a script");
  await bob.must("PATCH", `/tasks/${task.id}`, { prompt: "echo of Bob" });
  await expect(writing.getByText("The prompt was changed by somebody else meanwhile.")).toBeVisible();
  await writing.getByRole("button", { name: "Save" }).click();
  await expect(writing.getByText("echo half a script")).toBeVisible();
  await expect(writing.getByRole("tab", { name: "Prompt", exact: true })).toBeVisible();
});

test("[B5] who reads prompt, terminal or diff is left there when the session ends, and a dispatch of one’s own is news", async ({
  browser,
}) => {
  const ann = await Person.signUp(camelot, "Ann");
  const { id } = await ann.makeProject("Read", makeRepository(camelot.dataDir, "read"));
  const gate = makeGate(camelot.dataDir, "read");
  const task = await ann.makeTask(id, "Read on", `${gate.script}; echo new > new.txt`);
  const pages = await Promise.all([ann.openPage(browser), ann.openPage(browser), ann.openPage(browser)]);
  await ann.dispatch(task.id);
  const tabs = ["Prompt", "Terminal", "Diff"];
  for (const [place, page] of pages.entries()) {
    await page.goto(`${camelot.url}/projects/${id}/tasks/${task.number}`);
    // The page is there before it listens.
    await expect(async () => {
      await page.getByRole("tab", { name: tabs[place] }).click();
      await expect(shown(page)).toContainText(tabs[place] ?? "", { timeout: 1_000 });
    }).toPass();
  }
  gate.open();
  for (const [place, page] of pages.entries()) {
    await expect(state(page)).toContainText("Succeeded");
    await expect(shown(page)).toContainText(tabs[place] ?? "");
  }
  await ann.dispatch(task.id);
  for (const page of pages) await expect(shown(page)).toHaveText("Output");
});

test("[B5] a half-written setup script stays while another owner saves theirs", async ({ browser }) => {
  const cleo = await Person.signUp(camelot, "Cleo");
  const dan = await Person.signUp(camelot, "Dan");
  const { id } = await cleo.makeProject("Setup", makeRepository(camelot.dataDir, "setup"));
  await cleo.addMember(id, dan, "owner");
  const page = await cleo.openPage(browser);
  await page.goto(`${camelot.url}/projects/${id}/settings`);
  const script = page.getByLabel("Run by bash in the worktree before each agent");
  await script.fill("npm ci --half");
  await dan.must("PATCH", `/projects/${id}`, { setupScript: "make", name: "Renamed" });
  const general = page.getByRole("form", { name: "General" });
  await general.getByLabel("Base branch").fill("main ");
  await general.getByRole("button", { name: "Save" }).click();
  await expect(general.getByRole("button", { name: "Save" })).toBeDisabled();
  await expect(script).toHaveValue("npm ci --half");
});

test("[B13][B6] where a login expires over an open form, the way to a new one stands in the form, and what was typed is kept", async ({
  page,
  context,
}) => {
  const eve = await Person.signUp(camelot, "Eve");
  await eve.enter(context);
  const { id } = await eve.makeProject("Expired", makeRepository(camelot.dataDir, "expired"));
  await page.goto(`${camelot.url}/projects/${id}?text=typed`);
  const form = page.getByRole("dialog", { name: "New task" });
  const openForm = () =>
    expect(async () => {
      await page.keyboard.press("c");
      await expect(form).toBeVisible({ timeout: 1_000 });
    }).toPass();
  await openForm();
  await form.getByLabel("Title").fill("typed before it expired");
  await context.clearCookies();
  await form.getByRole("button", { name: "Create", exact: true }).click();
  await form.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Email").fill(eve.email);
  await page.getByLabel("Password").fill(eve.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${camelot.url}/projects/${id}?text=typed`);
  await openForm();
  await expect(form.getByLabel("Title")).toHaveValue("typed before it expired");
});
