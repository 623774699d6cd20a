/** What lies over something else: the dock of a phone, a card that is dragged; and what a terminal does not draw. */
import { expect, type Page, test } from "@playwright/test";
import { makeGate } from "./support/agents";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { hold, take } from "./support/drag";
import { underDock } from "./support/fit";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

let camelot: Camelot;
let ann: Person;
test.beforeAll(async () => {
  camelot = await Camelot.start({ PER_USER_MAX: "1" });
  ann = await Person.signUp(camelot, "Ann");
});
test.afterAll(() => camelot.remove());

// Every control of every page: minutes, and for the long run.
if (process.env.CAMELOT_TEST_ALL) {
  test("[B12] on small phones every control of every page can be brought above the dock", async ({ browser }, info) => {
    test.setTimeout(300_000);
    const { id } = await ann.makeProject("Shop", makeRepository(camelot.dataDir, "dock"));
    const gate = makeGate(camelot.dataDir, "dock");
    const over = await ann.makeTask(id, "Over", "echo new > new.txt");
    const { session } = await ann.dispatch(over.id);
    await expect.poll(async () => (await ann.session(session.id)).status).toBe("succeeded");
    const running = await ann.makeTask(id, "Running", gate.script);
    const waiting = await ann.makeTask(id, "Waiting", gate.script);
    const plan = await ann.makeTask(id, "Plan", "echo later");
    for (const task of [running, waiting]) await ann.dispatch(task.id);
    const tasks = [over, running, waiting, plan].map(({ number }) => `/projects/${id}/tasks/${number}`);
    const pages = [
      "/projects/new",
      `/projects/${id}`,
      `/projects/${id}/settings`,
      ...tasks,
      "/pool",
      "/people",
      "/agents",
    ];
    const page = await ann.openPage(browser);
    for (const path of [...pages, `/people/${ann.id}`, "/account", "/settings"]) {
      for (const window of [PHONE, SMALLEST]) {
        await page.setViewportSize(window);
        await page.goto(`${camelot.url}${path}`);
        await expect(page.locator("main:not([aria-busy]) :is(h1, h2)").first()).toBeAttached();
        await page.waitForLoadState("networkidle");
        expect(await underDock(page), `${path} at ${window.width} × ${window.height}`).toEqual([]);
      }
      if (path === "/projects/new") {
        await page.setViewportSize(PHONE);
        await inBothThemes(page, async (theme) => {
          await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
          await page.screenshot({ path: info.outputPath(`new-project-${theme}.png`) });
        });
      }
    }
    gate.open();
  });
}

const PHONE = { width: 390, height: 667 };
const SMALLEST = { width: 360, height: 640 };

async function inBothThemes(page: Page, look: (theme: "light" | "dark") => Promise<void>): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await look(theme);
  }
  await page.emulateMedia({ colorScheme: null });
}

test("[B3] a waiting card that is dragged has a ground of its own, so that its words can be read over others", async ({
  browser,
}, info) => {
  const { id } = await ann.makeProject("Drag", makeRepository(camelot.dataDir, "drag"));
  const gate = makeGate(camelot.dataDir, "drag");
  for (const title of ["One", "Two", "Three"]) await ann.dispatch((await ann.makeTask(id, title, gate.script)).id);
  const page = await ann.openPage(browser);
  const board = await BoardPage.open(page, camelot, id);
  await expect(board.card(3)).toContainText("Queued");
  await take(page, board.card(3));
  await hold(page, { below: board.card(2) });
  const copy = page.locator(".drag-copy");
  await inBothThemes(page, async (theme) => {
    const ground = await copy.evaluate((card) => getComputedStyle(card).backgroundColor);
    expect(ground).not.toMatch(/transparent|, 0\)|\/ /);
    await page.screenshot({ path: info.outputPath(`drag-${theme}.png`) });
  });
  await page.keyboard.press("Escape");
  await page.mouse.up();
  gate.open();
});

test("[B7] the terminal says what it does not draw, draws more on demand, and leads to the whole output", async ({
  browser,
}, info) => {
  const { id } = await ann.makeProject("Terminal", makeRepository(camelot.dataDir, "terminal"));
  const line = `head -c 700000 /dev/zero | tr '\\0' x; echo; echo 'last line'`;
  const task = await ann.makeTask(id, "Much", `echo 'first line'; seq 100000; ${line}`);
  const few = await ann.makeTask(id, "Few", "echo all of it");
  for (const one of [task, few]) await ann.dispatch(one.id);
  const page = await ann.openPage(browser);
  const open = async (number: number) => {
    await page.goto(`${camelot.url}/projects/${id}/tasks/${number}`);
    await expect(page.getByTestId("state")).toContainText("Succeeded", { timeout: 90_000 });
    await page.getByRole("tab", { name: "Terminal" }).click();
  };
  const terminal = page.getByRole("region", { name: "Terminal" });
  const note = page.getByText(/of earlier output is not drawn here: Output has what is kept/);
  const megabytes = async () => Number.parseFloat((await note.textContent()) ?? "");
  await open(task.number);
  await expect(note).toBeVisible();
  await expect(terminal).toContainText("last line");
  // Only the end of the long line came at first.
  await expect(terminal).toContainText("xxxxxxxxxx");
  const before = await note.textContent();
  await page.getByRole("button", { name: "Load and draw earlier output" }).click();
  await expect(note).not.toHaveText(before ?? "");
  await expect(terminal).toContainText("last line");
  expect(await megabytes()).toBeGreaterThan(0);
  for (const window of [{ width: 1_280, height: 800 }, PHONE]) {
    await page.setViewportSize(window);
    await inBothThemes(page, async (theme) => {
      await page.screenshot({ path: info.outputPath(`terminal-${window.width}-${theme}.png`) });
    });
  }
  await page.getByRole("button", { name: "Open Output" }).click();
  await expect(page.getByRole("tab", { name: "Output" })).toHaveAttribute("aria-selected", "true");
  await open(few.number);
  await expect(terminal).toContainText("all of it");
  await expect(page.getByText("not drawn here")).toHaveCount(0);
});

test("[B12] figures are of one width, so that what counts keeps its place, and hyphens are as narrow as hyphens", async ({
  browser,
}) => {
  const page = await ann.openPage(browser);
  await page.goto(`${camelot.url}/people`);
  await expect(page.getByRole("heading", { name: "People" })).toBeVisible();
  const widths = await page.evaluate(async () => {
    await document.fonts.ready;
    const probe = document.body.appendChild(document.createElement("span"));
    const widthOf = (letter: string) => {
      probe.textContent = letter.repeat(100);
      return probe.getBoundingClientRect().width / 100;
    };
    const [one, eight, hyphen] = ["1", "8", "-"].map(widthOf);
    probe.remove();
    return { one, eight, hyphen };
  });
  expect(widths.one).toBe(widths.eight);
  expect(widths.hyphen).toBeLessThan(0.8 * Number(widths.eight));
});

test("[B7][B12] a page's first picture, before any script runs, names the agent on the card and in the task", async ({
  browser,
}) => {
  const { id } = await ann.makeProject("Named", makeRepository(camelot.dataDir, "named"));
  const task = await ann.makeTask(id, "Who does it", "true");
  await ann.dispatch(task.id);
  await expect.poll(async () => (await ann.must<{ column: string }>("GET", `/tasks/${task.id}`)).column).toBe("review");
  const context = await browser.newContext({ javaScriptEnabled: false });
  await ann.enter(context);
  const page = await context.newPage();
  await page.goto(`${camelot.url}/projects/${id}/tasks/${task.number}`);
  await expect(page.locator(".over-head")).toContainText("Shell");
  await page.goto(`${camelot.url}/projects/${id}`);
  await expect(page.getByRole("article")).toContainText("Shell");
  await context.close();
});

test("[B12] what was wrong is red wherever it stands, also in a dialog and around the field one is in", async ({
  browser,
}) => {
  const { id } = await ann.makeProject("Red", makeRepository(camelot.dataDir, "red"));
  const page = await ann.openPage(browser);
  const redOf = () =>
    page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = "var(--bad)";
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    });
  await page.goto(`${camelot.url}/projects/new`);
  await page.getByText("A folder on this machine").click();
  const folder = page.getByLabel("Path");
  await folder.fill("/nowhere/at/all");
  await folder.press("Enter");
  await expect(page.getByText("There is nothing at /nowhere/at/all.")).toHaveCSS("color", await redOf());
  await expect(page.locator(".field:focus-within")).toHaveCSS("outline-color", await redOf());
  await page.goto(`${camelot.url}/projects/${id}`);
  await page.getByRole("button", { name: "New task" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New task" });
  await dialog.getByLabel("Title").fill("a\u0000b");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(dialog.getByText(/NUL|cannot be|character/)).toHaveCSS("color", await redOf());
});

test("[B3][P5] what was pressed and is not answered yet is seen to be under way, and a second press does nothing", async ({
  browser,
}) => {
  const { id } = await ann.makeProject("Slow", makeRepository(camelot.dataDir, "slow"));
  const gate = makeGate(camelot.dataDir, "slow");
  for (const title of ["One", "Two", "Three"]) await ann.dispatch((await ann.makeTask(id, title, gate.script)).id);
  const page = await ann.openPage(browser);
  const board = await BoardPage.open(page, camelot, id);
  const third = board.card(3);
  await expect(third).toContainText("position 2");
  let asked = 0;
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/v1/sessions/*/reorder", async (route) => {
    asked += 1;
    await answered;
    await route.continue();
  });
  // The board is there before it listens.
  await expect(async () => {
    await third.focus();
    await page.keyboard.press("Shift+ArrowUp");
    await expect(third).toHaveAttribute("aria-busy", "true", { timeout: 2_000 });
  }).toPass();
  expect(await third.evaluate((card) => getComputedStyle(card, "::after").height)).toBe("2px");
  await expect(third).toContainText("position 2");
  await page.keyboard.press("Shift+ArrowUp");
  answer();
  await expect(third).toContainText("position 1");
  await expect(third).not.toHaveAttribute("aria-busy");
  expect(asked).toBe(1);
  gate.open();
});
