/** Work comes in from GitHub: a label is set, its issues become cards that link back, and nothing runs before a person says so. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import type { Task } from "../server/contract/tasks";
import { type FakeGitHub, fakeGitHub } from "../server/testing/fake-github";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Looker } from "./support/looker";
import { Person } from "./support/person";

test.setTimeout(240_000);

const TOKEN = "github_pat_0123456789abcdef";
/** The look of the minute may have come first. */
const PRESSED = /^(\d issues? came in|Nothing new)\.$/;

let camelot: Camelot;
let ann: Person;
let ben: Person;
let github: FakeGitHub;
let projectId: string;
test.beforeAll(async () => {
  camelot = await Camelot.start();
  [ann, ben] = [await Person.signUp(camelot, "Ann"), await Person.signUp(camelot, "Ben")];
  const hub = path.join(camelot.dataDir, "hub");
  fs.mkdirSync(hub);
  github = await fakeGitHub(hub, TOKEN, { "search.txt": "wifi\n" });
  ({ id: projectId } = await ann.makeProject("Shop", github.cloneUrl));
  await ann.addMember(projectId, ben);
  const agent = { name: "Reader", kind: "command", settings: { argv: ["cat"], promptVia: "stdin" } };
  await ann.must("POST", "/agents", { ...agent, projectId });
});
test.afterAll(async () => {
  github.close();
  await camelot.remove();
});

test("[W4][B7] a label is set, its issues come in as cards that link back, and once only", async ({
  page,
  browser,
}) => {
  const pets = github.addIssue({ title: "Search for pets", body: "Dogs,\nand **cats**. <!-- and nothing else -->" });
  const carts = github.addIssue({ title: "Delete carts nobody came back to", body: null, labels: ["bug", "camelot"] });
  github.addIssue({ title: "Not for agents", labels: ["bug"] });
  await ann.enter(page.context());
  await page.goto(`${camelot.url}/projects/${projectId}/settings`);
  const settings = page.getByRole("region", { name: "GitHub" });
  await settings.getByLabel("Address of the API").fill(github.apiUrl);
  await settings.getByLabel("Token", { exact: true }).fill(TOKEN);
  await expect(settings.getByRole("button", { name: "Bring in issues now" })).toBeHidden();
  await settings.getByLabel("Label of issues").fill("camelot");
  await expect(settings.getByLabel("Label of issues")).toHaveAccessibleDescription(
    /nothing runs before somebody has read/,
  );
  await settings.getByRole("button", { name: "Save" }).click();
  await settings.getByRole("button", { name: "Bring in issues now" }).click();
  await expect(settings.getByRole("status")).toHaveText(PRESSED);
  await settings.getByRole("button", { name: "Bring in issues now" }).click();
  await expect(settings.getByRole("status")).toHaveText("Nothing new.");
  const looker = new Looker(page);
  await looker.look("a project with a label for issues");

  const tasks = (await ann.must<{ items: Task[] }>("GET", `/projects/${projectId}/tasks`)).items;
  expect(tasks.map(({ column, sessionCount }) => [column, sessionCount])).toEqual([
    ["backlog", 0],
    ["backlog", 0],
  ]);
  const board = await BoardPage.open(page, camelot, projectId);
  const backlog = board.column("Backlog");
  await expect(backlog.getByRole("link", { name: "Search for pets" })).toBeVisible();
  const address = (number: number) => `${new URL(github.apiUrl).origin}/acme/shop/issues/${number}`;
  const leadsTo = async (link: ReturnType<typeof backlog.getByRole>, number: number) => {
    await expect(link).toHaveAttribute("href", address(number));
    await expect(link).toHaveAttribute("target", "_blank");
    await expect(link).toHaveAttribute("rel", "noopener noreferrer");
  };
  await leadsTo(backlog.getByRole("link", { name: `Issue #${carts}` }), carts);
  await looker.look("a board with cards from issues");
  await backlog.getByRole("link", { name: "Search for pets" }).click();
  const panel = page.getByRole("region", { name: "Task #1" });
  await leadsTo(panel.getByRole("link", { name: `Issue #${pets}` }), pets);
  await expect(panel.getByRole("tabpanel")).toContainText("Dogs,\nand **cats**. <!-- and nothing else -->");
  await expect(panel.getByRole("tabpanel")).toContainText(`Issue #${pets}: ${address(pets)}`);
  await looker.look("a task from an issue");
  expect(looker.complaints()).toEqual([]);

  // A board that is open hears of it; a member may press as well.
  const other = await ben.openPage(browser);
  await other.goto(`${camelot.url}/projects/${projectId}/settings`);
  const seen = other.getByRole("region", { name: "GitHub" });
  await expect(seen.getByLabel("Label of issues")).toBeHidden();
  github.addIssue({ title: "Add Finnish" });
  await seen.getByRole("button", { name: "Bring in issues now" }).click();
  await expect(seen.getByRole("status")).toHaveText(PRESSED);
  await expect(backlog.getByRole("link", { name: "Add Finnish" })).toBeVisible();
  github.mood.mayReadIssues = false;
  await seen.getByRole("button", { name: "Bring in issues now" }).click();
  await expect(seen.getByRole("alert")).toContainText("has not the right for this in acme/shop on GitHub.");
  await other.context().close();
});
