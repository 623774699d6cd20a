/** The work goes out as a pull request: set up, opened, read back, its comments sent to the agent, merged on GitHub. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import type { Task } from "../server/contract/tasks";
import { type FakeGitHub, fakeGitHub, lineComment } from "../server/testing/fake-github";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Looker } from "./support/looker";
import { Person } from "./support/person";

test.setTimeout(240_000);

const AGENT = path.join(import.meta.dirname, "support/obedient-agent.sh");
const TOKEN = "github_pat_0123456789abcdef";

let camelot: Camelot;
let ann: Person;
let github: FakeGitHub;
let projectId: string;
let agentId: string;
test.beforeAll(async () => {
  camelot = await Camelot.start();
  ann = await Person.signUp(camelot, "Ann");
  const hub = path.join(camelot.dataDir, "hub");
  fs.mkdirSync(hub);
  github = await fakeGitHub(hub, TOKEN, { "search.txt": "wifi\n" });
  ({ id: projectId } = await ann.makeProject("Shop", github.cloneUrl));
  const agent = { name: "Obedient", kind: "command", settings: { argv: ["bash", AGENT], promptVia: "stdin" } };
  ({ id: agentId } = await ann.must<{ id: string }>("POST", "/agents", { ...agent, projectId }));
});
test.afterAll(async () => {
  github.close();
  await camelot.remove();
});

test("[W4][W5][A3] a pull request is set up, opened, read back, sent back with its comments, and merged on GitHub", async ({
  page,
}) => {
  await ann.enter(page.context());
  await page.goto(`${camelot.url}/projects/${projectId}/settings`);
  const settings = page.getByRole("region", { name: "GitHub" });
  await expect(settings).toContainText("no token");
  await settings.getByLabel("Address of the API").fill(github.apiUrl);
  await settings.getByLabel("Token", { exact: true }).fill(TOKEN);
  await settings.getByRole("button", { name: "Save" }).click();
  await expect(settings).toContainText("token set");
  await expect(settings).toContainText("Pull requests go to acme/shop.");
  await expect(settings.getByLabel("Token", { exact: true })).toHaveValue("");
  const looker = new Looker(page);
  await looker.look("a project with a token");

  const task = await ann.makeTask(projectId, "Search for pets", "pets", agentId);
  const read = () => ann.must<Task>("GET", `/tasks/${task.id}`);
  await ann.dispatch(task.id);
  await expect.poll(async () => (await read()).column, { timeout: 90_000 }).toBe("review");
  const board = await BoardPage.open(page, camelot, projectId);
  await board.card(task.number).getByRole("link").first().click();
  const panel = page.getByRole("region", { name: `Task #${task.number}` });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(panel.getByRole("button", { name: "Close" })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await panel.getByRole("button", { name: "Pull request", exact: true }).click();
  await expect(panel.getByTestId("state")).toContainText("Pull request #418");
  await expect(board.card(task.number)).toHaveAttribute("data-column", "done");

  github.said.runs = [
    { name: "unit", status: "completed", conclusion: "failure", html_url: "https://github.com/unit" },
  ];
  github.said.comments = [lineComment(1, "nora", "search.txt", 1, "dogs and cats")];
  await panel.getByRole("tab", { name: "Pull request #418" }).click();
  await panel.getByRole("button", { name: "Refresh" }).click();
  await expect(panel.getByRole("region", { name: "Checks" })).toContainText("1 failed");
  await expect(panel.getByRole("article", { name: "Comment by nora" })).toContainText("dogs and cats");
  await looker.look("a pull request with a check and a comment");
  expect(looker.complaints()).toEqual([]);

  await panel.getByRole("button", { name: "Send back to the agent" }).click();
  const box = panel.getByRole("textbox", { name: "Follow-up" });
  await expect(box).toHaveValue(
    /^Comments on pull request 418:\n\n### `search\.txt:1` \(nora\)\n[\s\S]*\n\ndogs and cats$/,
  );
  await expect(box).toBeFocused();
  await panel.getByRole("button", { name: /^Follow up/ }).click();
  await expect.poll(async () => (await read()).sessionCount, { timeout: 90_000 }).toBe(2);
  await expect.poll(async () => (await read()).column, { timeout: 90_000 }).toBe("review");
  await panel.getByRole("button", { name: "Update pull request" }).click();
  await expect(panel.getByTestId("state")).toContainText("Pull request #418");
  expect(github.pulls).toHaveLength(1);

  await github.merge(418);
  await panel.getByRole("tab", { name: "Pull request #418" }).click();
  await panel.getByRole("button", { name: "Refresh" }).click();
  await expect(panel.getByTestId("state")).toContainText("Merged into main");
  await expect(board.card(task.number)).toContainText("Merged into main");
});
