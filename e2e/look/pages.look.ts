/** Every page of a working day, as three people would see it: light, dark, and on a phone. */
import { copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { Camelot } from "../support/camelot";
import { type Day, makeDay } from "./scene";

const ROOT = path.resolve(import.meta.dirname, "../..");
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const VIEWS = {
  light: { viewport: DESK, colorScheme: "light" },
  dark: { viewport: DESK, colorScheme: "dark" },
  phone: { viewport: PHONE, colorScheme: "light" },
} as const;

interface Look {
  readonly name: string;
  readonly path: (day: Day) => string;
  /** What has to be there before the picture is taken, or is opened first. */
  readonly ready: (page: Page, day: Day) => Promise<void>;
  readonly signedOut?: true;
}

const heading = (name: string | RegExp) => (page: Page) =>
  expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
const board = ({ projectId }: Day) => `/projects/${projectId}`;
/** A task as one opens it from the board: beside it, and on a phone in its place. */
const task =
  (which: keyof Day["tasks"], tab: RegExp, shown: RegExp) =>
  async (page: Page, { tasks }: Day) => {
    const card = page.locator(`[data-task-number="${tasks[which].number}"]`);
    if (!(await card.isVisible())) await page.getByRole("button", { name: COLUMNS[which] }).click();
    await card.getByRole("link").first().click();
    await page.getByRole("tab", { name: tab }).click();
    await expect(page.getByRole("tabpanel").filter({ hasText: shown })).toBeVisible();
  };
const COLUMNS = { running: /^Running/, waiting: /^Waiting/, review: /^Review/ } as const;
const dialog = (press: (page: Page) => Promise<void>) => async (page: Page) => {
  await press(page);
  await expect(page.getByRole("dialog").last()).toBeVisible();
};

const LOOKS: readonly Look[] = [
  { name: "sign-in", path: () => "/sign-in", ready: heading("Sign in"), signedOut: true },
  {
    name: "board",
    path: board,
    ready: (page) => expect(page.locator("[data-task-number]:visible").first()).toBeVisible(),
  },
  {
    name: "new-task",
    path: board,
    ready: dialog((page) => page.getByRole("button", { name: "New task" }).first().click()),
  },
  { name: "task-running", path: board, ready: task("running", /^Output/, /line/) },
  { name: "task-waiting", path: board, ready: task("waiting", /^Waiting/, /position/) },
  { name: "task-review", path: board, ready: task("review", /^Output/, /Five retries/) },
  { name: "task-diff", path: board, ready: task("review", /^Diff/, /RETRIES/) },
  { name: "pool", path: () => "/pool", ready: heading("Pool") },
  { name: "profile", path: ({ nora }) => `/people/${nora.id}`, ready: heading(/Nora/) },
  { name: "people", path: () => "/people", ready: heading("People") },
  { name: "agents", path: () => "/agents", ready: heading("Agents") },
  { name: "settings", path: () => "/settings", ready: heading("Settings") },
  { name: "account", path: () => "/account", ready: heading("Account") },
  { name: "project-settings", path: (day) => `${board(day)}/settings`, ready: heading("Shop") },
  { name: "new-project", path: () => "/projects/new", ready: heading("New project") },
];
/** Those that docs/look.md shows, by name and view. */
const IN_DOCS =
  /^(board|task-diff|pool|profile)-(light|dark)$|^(board|task-running)-phone$|^task-(waiting|review)-light$/;

let camelot: Camelot;
let day: Day;
test.beforeAll(async () => {
  camelot = await Camelot.start();
  day = await makeDay(camelot);
});
test.afterAll(async () => {
  day.end();
  await camelot.remove();
});

for (const [view, options] of Object.entries(VIEWS)) {
  for (const look of LOOKS) {
    test(`${look.name}, ${view}`, async ({ browser }) => {
      const page = await open(browser, options, look);
      await page.goto(camelot.url + look.path(day));
      await look.ready(page, day);
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      // Names and charts come after the page.
      await page.waitForLoadState("networkidle");
      const name = `${look.name}-${view}`;
      const file = path.join(ROOT, "look", `${name}.png`);
      await page.screenshot({ path: file, animations: "disabled" });
      await page.context().close();
      if (!process.env.CAMELOT_LOOK_DOCS || !IN_DOCS.test(name)) return;
      await mkdir(path.join(ROOT, "docs", "look"), { recursive: true });
      await copyFile(file, path.join(ROOT, "docs", "look", `${name}.png`));
    });
  }
}

async function open(browser: Browser, options: (typeof VIEWS)[keyof typeof VIEWS], look: Look): Promise<Page> {
  const context = await browser.newContext({ ...options, reducedMotion: "reduce" });
  if (!look.signedOut) await day.nora.enter(context);
  return context.newPage();
}
