/** What one wants to press or read is in reach: the filter on a phone, a task's button while there is news, the header's words. */
import { expect, type Locator, type Page, test } from "@playwright/test";
import { makeGate } from "./support/agents";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Looker } from "./support/looker";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";
import { reachesOut } from "./support/sideways";

const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1280, height: 800 };

let camelot: Camelot;
/** Who came first is the administrator, and may invite people. */
let admin: Person;
test.beforeAll(async () => {
  camelot = await Camelot.start({ PER_USER_MAX: "2" });
  admin = await Person.signUp(camelot, "Ann of the long names");
});
test.afterAll(() => camelot.remove());

test("[B4][B7][B12][A4] on a phone the filter is one press away, news leaves the task's button free, and Shell costs nothing", async ({
  page,
  context,
}) => {
  const ann = await Person.signUp(camelot, "Ann");
  const { id: projectId } = await ann.makeProject("Shop", makeRepository(camelot.dataDir));
  const task = await ann.makeTask(projectId, "Say hello", "echo hello > hello.txt");
  await ann.dispatch(task.id);
  await ann.enter(context);
  const board = await BoardPage.open(page, camelot, projectId);
  await expect(board.card(1)).toHaveAttribute("data-state", "succeeded");
  await expect(board.card(1)).toContainText("1 file");
  await expect(board.card(1)).not.toContainText("—");

  await page.setViewportSize(PHONE);
  await page.getByRole("button", { name: "Filter cards" }).click();
  await expect(page.getByRole("search", { name: "Filter cards" }).getByRole("textbox")).toBeFocused();
  await new Looker(page).look("the filter of a board on a phone");

  await page.goto(`${camelot.url}/projects/${projectId}/tasks/1`);
  const news = page.locator("[data-sonner-toast]");
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size);
    await page.getByRole("button", { name: "Copy branch name" }).click();
    await expect(news.first()).toBeVisible();
    const send = page.getByRole("button", { name: "Follow up" });
    await send.scrollIntoViewIfNeeded();
    // It slides in: where it comes to rest is what counts.
    await expect(async () => expect(await overlap(news.last(), send)).toBe(false)).toPass();
  }
});

test("[B12][B7][B1] on a phone the buttons of a task and of a card are large enough for a thumb", async ({
  browser,
}, info) => {
  const ann = await Person.signUp(camelot, "Ann of the thumbs");
  const { id: projectId } = await ann.makeProject("Thumbs", makeRepository(camelot.dataDir, "thumbs"));
  const task = await ann.makeTask(projectId, "Say hello to everybody who comes by", "echo hello > hello.txt");
  await ann.makeTask(projectId, "Say hello to everybody who comes by, and then to all of those who stay", "true");
  await ann.dispatch(task.id);
  const page = await ann.openPage(browser);
  const board = await BoardPage.open(page, camelot, projectId);
  await expect(board.card(1)).toHaveAttribute("data-state", "succeeded");
  await page.setViewportSize(PHONE);
  await page.getByRole("button", { name: /^Backlog/ }).click();
  await board.card(2).focus();
  for (const name of ["Dispatch", "More actions for #2"]) {
    expect(await isForThumbs(board.card(2).getByRole("button", { name })), name).toBe(true);
  }
  const shoot = async (what: string) => {
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.screenshot({ path: info.outputPath(`${what}-${theme}.png`) });
    }
  };
  await shoot("card");
  await page.getByRole("button", { name: /^Review/ }).click();
  await board.card(1).getByRole("link").click();
  const beside = page.getByRole("region", { name: "Task #1" });
  for (const name of ["Merge", "More actions", "Close", "Change the title", "Copy branch name", "Follow up"]) {
    const button = beside.getByRole("button", { name }).first();
    await button.scrollIntoViewIfNeeded();
    expect(await isForThumbs(button), name).toBe(true);
  }
  await shoot("follow-up");
  await beside.getByRole("button", { name: "Close" }).scrollIntoViewIfNeeded();
  await shoot("task");
  expect(await reachesOut(page)).toEqual([]);
});

/** As high as the design wants it, and what is pressed some way beside it still presses it. */
function isForThumbs(button: Locator): Promise<boolean> {
  return button.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const isHit = [-21, 21].every((by) => one.contains(document.elementFromPoint(x, y + by)));
    return height >= 36 && width >= 36 && isHit;
  });
}

test("[B12][S4] on a phone long names of a project and an agent leave every list to choose from in its card", async ({
  browser,
}) => {
  const name = `Shop ${"with everything that one may buy ".repeat(5)}`.trim();
  const { id } = await admin.makeProject(name, makeRepository(camelot.dataDir, "long"));
  const settings = { argv: ["true", "{{prompt}}"], promptVia: "argument" };
  await admin.must("POST", "/agents", { name: name.slice(0, 100), kind: "command", projectId: id, settings });
  await admin.makeTask(id, "Say hello", "echo hello");
  const phone = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  await admin.enter(phone);
  const page = await phone.newPage();
  for (const [path, list] of [
    ["/people", "Where the link leads"],
    ["/agents", null],
    ["/account", "Scope"],
    [`/projects/${id}/settings`, null],
    [`/projects/${id}`, null],
  ] as const) {
    await page.goto(camelot.url + path);
    await expect(page.getByRole("main").getByRole("heading").first()).toBeAttached();
    if (list !== null) await expect(page.getByRole("combobox", { name: list })).toBeVisible();
    await expect.poll(() => reachesOut(page), { message: path }).toEqual([]);
  }
  await page.getByRole("button", { name: "Filter cards" }).click();
  await expect(page.getByRole("search", { name: "Filter cards" }).getByRole("combobox").first()).toBeVisible();
  await expect.poll(() => reachesOut(page), { message: "the filter" }).toEqual([]);
  await page.getByRole("button", { name: "New task" }).click();
  await expect(page.getByRole("dialog").getByRole("combobox", { name: "Agent" })).toBeVisible();
  await expect.poll(() => reachesOut(page), { message: "a new task" }).toEqual([]);
  await phone.close();
});

test("[W4][B12] why Push cannot be pressed is learnt by keyboard and by touch, on the task's own page", async ({
  browser,
}) => {
  const ann = await Person.signUp(camelot, "Ann without a remote");
  const { id } = await ann.makeProject("Sample", makeRepository(camelot.dataDir, "no-remote"));
  const task = await ann.makeTask(id, "Say hello", "echo hello > hello.txt");
  const { session } = await ann.dispatch(task.id);
  await expect.poll(async () => (await ann.session(session.id)).status).toBe("succeeded");
  const phone = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  await ann.enter(phone);
  const why = "The project’s repository has no remote to push to. Add one with “git remote add”.";
  for (const [page, press] of [
    [await ann.openPage(browser), "keyboard"],
    [await phone.newPage(), "touch"],
  ] as const) {
    await page.goto(`${camelot.url}/projects/${id}/tasks/1`);
    const push = page.getByRole("button", { name: "Push", exact: true });
    await expect(push).toHaveAccessibleDescription(why);
    await expect(push).toHaveAttribute("aria-disabled", "true");
    if (press === "touch") {
      const { x, y, width, height } = (await push.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await page.touchscreen.tap(x + width / 2, y + height / 2);
    } else {
      await page.getByRole("link", { name: "Board" }).last().focus();
      await page.keyboard.press("Tab");
      await expect(push).toBeFocused();
      await page.keyboard.press("Enter");
    }
    await expect(page.locator("[data-sonner-toast]").first()).toHaveText(why);
    await expect(push).toBeVisible();
  }
  await phone.close();
});

test("[B11][B12][B2] the header keeps the project's name: the search gives way first, then the words beside the seats", async ({
  browser,
}, info) => {
  const ann = await Person.signUp(camelot, "Ann of the header");
  const { id } = await ann.makeProject("Sample shop", makeRepository(camelot.dataDir, "header"));
  const gate = makeGate(camelot.dataDir, "header");
  const page = await ann.openPage(browser);
  await BoardPage.open(page, camelot, id);
  const wait = async (count: number) => {
    for (let made = 0; made < count; made += 1) await ann.dispatch((await ann.makeTask(id, "Wait", gate.wait)).id);
  };
  const look = async (what: string) => {
    for (const width of [901, 940, 1023, 1024, 1081, 1180, 1181, 1240, 1241, 1280, 1366, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: info.outputPath(`${what}-${width}.png`), clip: { x: 0, y: 0, width, height: 60 } });
      const cut = await cutInHeader(page);
      expect(cut.name, `the name, ${what}, ${width} px`).toBe(false);
      expect(cut.words && !cut.search, `words are cut beside a long search, ${what}, ${width} px`).toBe(false);
      expect(cut.key, `the key of the search, ${what}, ${width} px`).toBe(false);
      expect(await reachesOut(page), `${what}, ${width} px`).toEqual([]);
    }
  };
  const figures = page.getByTestId("figures");
  await expect(figures).toContainText("You 0/2");
  await look("idle");
  await wait(3);
  await expect(figures).toContainText("You 2/2 +1");
  await look("busy");
  await wait(9);
  await admin.must("PATCH", "/pool", { paused: true });
  await expect(figures).toHaveText("Paused · Running 2/20 · Waiting 10 · You 2/2 +10");
  await look("paused");
  await admin.must("PATCH", "/pool", { paused: false });
  gate.open();
});

/** What of the header is not whole: it is smaller than its words, or reaches out of what it is in. */
function cutInHeader(page: Page) {
  return page.evaluate(() => {
    const all = (where: string) => [...document.querySelectorAll<HTMLElement>(`header.top ${where}`)];
    const isCut = (one: HTMLElement) => one.scrollWidth > one.clientWidth;
    const [search] = all(".search");
    return {
      name: all(".switch .cut").some(isCut),
      words: all(".figures .word > span").some(isCut),
      search: all(".search .words").some((one) => one.scrollHeight > one.clientHeight),
      key: search === undefined || isCut(search) || all(".search .kbd").some((one) => one.clientWidth < 30),
    };
  });
}

async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (a === null || b === null) throw new Error("one of the two is not drawn");
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
