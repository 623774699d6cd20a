/**
 * One whole story, told twice: with a thumb on a phone, and with a keyboard alone. From the first page to a change that is
 * merged.
 */
import { expect, type Locator, type Page, test } from "@playwright/test";
import { makeGate } from "./support/agents";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { git, makeRepository } from "./support/repository";

const PHONE = { width: 390, height: 844 };
/** More stops than any page has on the way to what is wanted. */
const TABS_MAX = 150;

/** Every key and every tap is waited for; on a busy machine that takes its time. */
test.setTimeout(240_000);

let camelot: Camelot;
test.beforeAll(async () => {
  camelot = await Camelot.start();
});
test.afterAll(() => camelot.remove());

interface Hand {
  press(what: Locator): Promise<void>;
  write(where: Locator, text: string): Promise<void>;
}

class Thumb implements Hand {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(what: Locator): Promise<void> {
    const isRadio = (await what.getAttribute("type")) === "radio";
    await (isRadio ? what.locator("xpath=ancestor::label") : what).tap();
    expect(await this.#page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  }

  async write(where: Locator, text: string): Promise<void> {
    await where.tap();
    await where.fill(text);
  }
}

class Keys implements Hand {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(what: Locator): Promise<void> {
    await this.#reach(what);
    await this.#page.keyboard.press((await what.getAttribute("type")) === "radio" ? "Space" : "Enter");
  }

  async write(where: Locator, text: string): Promise<void> {
    await this.#reach(where);
    await this.#page.keyboard.press("Control+a");
    await this.#page.keyboard.type(text);
  }

  /** The way everything is reached: stop by stop, and among radio buttons and tabs by arrow. */
  async #reach(what: Locator): Promise<void> {
    await expect(what).toBeVisible();
    for (let stops = 0; stops < TABS_MAX; stops += 1) {
      if (await what.evaluate((one) => one === document.activeElement)) return;
      const isBeside = await what.evaluate((one) => {
        const near = document.activeElement;
        if (near === null || near === one) return false;
        const isRadio = near instanceof HTMLInputElement && one instanceof HTMLInputElement && one.type === "radio";
        if (isRadio) return near.name === one.name;
        return near.role === "tab" && near.parentElement === one.parentElement;
      });
      await this.#page.keyboard.press(isBeside ? "ArrowRight" : "Tab");
    }
    throw new Error(`It cannot be reached by keyboard: ${what}`);
  }
}

/** From signing up to the merged change, by nothing but this hand. */
async function story(page: Page, hand: Hand, name: string): Promise<BoardPage> {
  const repository = makeRepository(camelot.dataDir, name.toLowerCase());
  const gate = makeGate(camelot.dataDir, name);
  await page.goto(`${camelot.url}/sign-up`);
  await hand.write(page.getByLabel("Name"), name);
  await hand.write(page.getByLabel("Email"), `${name.toLowerCase()}@example.test`);
  await hand.write(page.getByLabel("Password"), "correct horse battery");
  await hand.press(page.getByRole("button", { name: "Create account" }));
  await hand.press(page.getByRole("radio", { name: /folder/i }));
  await hand.write(page.getByLabel("Path"), repository);
  await hand.write(page.getByLabel("Name"), `Shop of ${name}`);
  await hand.press(page.getByRole("button", { name: "Make it and continue" }));
  await hand.write(page.getByLabel("Title"), "Say hello");
  await hand.write(page.getByLabel("Prompt"), `${gate.script}; echo hello > hello.txt`);
  await hand.press(page.getByRole("button", { name: /^Create and dispatch/ }));

  await expect(page.getByRole("log")).toContainText(`${name} line 2`);
  gate.open();
  const state = page.getByTestId("state");
  await expect(state).toContainText("Succeeded");
  await hand.press(page.getByRole("tab", { name: /^Diff/ }));
  await expect(page.getByRole("region", { name: "hello.txt" })).toContainText("hello");
  await hand.press(page.getByRole("button", { name: "Merge into main" }));
  await expect(state).toContainText("Merged into main");
  expect(git(repository, "show", "main:hello.txt")).toBe("hello\n");
  await hand.press(page.getByRole("button", { name: "Close" }));
  await expect(page.getByRole("region", { name: "Task #1" })).toBeHidden();
  return new BoardPage(page);
}

test("[B12][B11] a whole story by touch on a phone: sign up, project, task, watch, merge", async ({ browser }) => {
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  const thumb = new Thumb(page);
  const board = await story(page, thumb, "Thea");
  await thumb.press(page.getByRole("group", { name: "Column" }).getByRole("button", { name: /^Done/ }));
  await expect(board.card(1)).toContainText("Merged into main");
  await thumb.press(page.getByRole("button", { name: "New task" }).last());
  const dialog = page.getByRole("dialog", { name: "New task" });
  await thumb.write(dialog.getByLabel("Title"), "Next");
  await thumb.write(dialog.getByLabel("Prompt"), "echo next");
  await thumb.press(dialog.getByRole("button", { name: "Create", exact: true }));
  await thumb.press(page.getByRole("group", { name: "Column" }).getByRole("button", { name: /^Backlog/ }));
  await thumb.press(board.card(2).getByRole("link", { name: "Next" }));
  const panel = page.getByRole("region", { name: "Task #2" });
  await thumb.press(panel.getByRole("button", { name: "Dispatch" }));
  await expect(panel.getByTestId("state")).toContainText("Succeeded");
  await context.close();
});

test("[A11Y-1][B4][B11] the same story by keyboard alone", async ({ page }) => {
  const keys = new Keys(page);
  const board = await story(page, keys, "Kay");
  await expect(board.card(1)).toContainText("Merged into main");
  await expect(board.card(1)).toHaveAttribute("data-column", "done");
});
