/**
 * Every page outside of a project, in both themes and on a phone: axe finds nothing, the console stays silent, nothing
 * reaches out sideways. Those of a project: project-pages.spec.ts.
 */
import { expect, test } from "@playwright/test";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Looker } from "./support/looker";
import { Person } from "./support/person";
import { makeScene, type Scene } from "./support/scene";

/** Axe reads every page two or three times; on a busy machine that takes its time. */
test.setTimeout(300_000);

let camelot: Camelot;
let scene: Scene;
test.beforeAll(async () => {
  camelot = await Camelot.start();
  scene = await makeScene(camelot);
});
test.afterAll(async () => {
  scene.end();
  await camelot.remove();
});

async function idOf(project: string): Promise<string> {
  const { items } = await scene.ann.must<{ items: { id: string; name: string }[] }>("GET", "/projects");
  const found = items.find(({ name }) => name === project);
  if (found === undefined) throw new Error(`There is no ${project}.`);
  return found.id;
}

test("[B12] who asks for the icon where it used to be gets it", async ({ request }) => {
  const answer = await request.get(`${camelot.url}/favicon.ico`);
  expect(answer.status()).toBe(200);
  expect(answer.headers()["content-type"]).toBe("image/svg+xml");
});

test("[B12][B10] pages for people who are not signed in", async ({ page }) => {
  const looker = new Looker(page);
  for (const [path, heading] of [
    ["/sign-in", "Sign in"],
    ["/sign-up", "Create an account"],
    ["/invitation/never-made", "This invitation is not valid"],
  ] as const) {
    await page.goto(camelot.url + path);
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
    await looker.look(path);
  }
  expect(looker.complaints()).toEqual([]);
});

test("[B12][B10][B11] pages outside of a project, with a last board that is not the first", async ({ browser }) => {
  const page = await scene.ann.openPage(browser);
  const looker = new Looker(page);
  await BoardPage.open(page, camelot, scene.projectId);
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain(scene.projectId);
  for (const [path, heading] of [
    ["/pool", "Pool"],
    ["/agents", "Agents"],
    ["/people", "People"],
    [`/people/${scene.ann.id}`, "Ann"],
    [`/people/${scene.ben.id}`, scene.ben.name],
    ["/account", "Account"],
    ["/settings", "Settings"],
    ["/projects/new", "New project"],
    [`/projects/${scene.projectId}/settings`, "Shop"],
  ] as const) {
    await page.goto(camelot.url + path);
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
    await expect(page.getByRole("button", { name: "Project: Shop" })).toBeVisible();
    await expect(page.getByRole("banner").getByTestId("figures")).toContainText("Waiting 2");
    await looker.look(path);
  }
  expect(looker.complaints()).toEqual([]);
  await page.goto(`${camelot.url}/nothing/here`);
  await expect(page.getByRole("heading", { name: "This is not here" })).toBeVisible();
  await looker.look("a page that is not there");
  expect(looker.complaints(/status of 404.*\/nothing\/here\)$/)).toEqual([]);
});

test("[B11] the project one was last in stays in the header and takes the new task, whichever of its pages it was", async ({
  browser,
}) => {
  const page = await scene.ann.openPage(browser);
  const shop = scene.projectId;
  const zebra = await idOf("Zebra");
  for (const [path, name] of [
    [`/projects/${zebra}/settings`, "Zebra"],
    [`/projects/${shop}/tasks/${scene.tasks.done.number}`, "Shop"],
    [`/projects/${zebra}`, "Zebra"],
  ] as const) {
    await page.goto(camelot.url + path);
    await expect(page.getByRole("button", { name: `Project: ${name}` })).toBeVisible();
    for (const place of ["Pool", "Agents", "People"]) {
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: place }).click();
      await expect(page.getByRole("heading", { name: place, level: 1 })).toBeVisible();
      await expect(page.getByRole("button", { name: `Project: ${name}` })).toBeVisible();
      const drawn = await page.request.get(page.url());
      expect(await drawn.text()).toContain(`aria-label="Project: ${name}"`);
    }
    await page.getByRole("button", { name: "New task" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New task" });
    await dialog.getByLabel("Title").fill("Belongs where one was");
    await dialog.getByLabel("Prompt").fill("true");
    const made = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/tasks"));
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    expect(new URL((await made).url()).pathname).toBe(`/api/v1/projects/${path.split("/")[2]}/tasks`);
    await expect(dialog).toBeHidden();
  }
});

test("[B12][B11] the guide of somebody who has no project yet", async ({ browser }) => {
  const page = await (await Person.signUp(camelot, "Zoe")).openPage(browser);
  const looker = new Looker(page);
  await page.goto(camelot.url);
  await expect(page.getByRole("heading", { name: "From nothing to a running agent" })).toBeVisible();
  await looker.look("the guide");
  expect(looker.complaints()).toEqual([]);
});
