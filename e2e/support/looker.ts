/** Looks at a page as somebody picky would: contrast and roles (axe) in both themes, mistakes in the console, and the width of a phone. */
import { expect, type Page } from "@playwright/test";
import axe from "axe-core";
import { reachesOut } from "./sideways";

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** A short run reads the dark colours on the phone only: they are the same on a desk. */
const IS_LONG = Boolean(process.env.CAMELOT_TEST_ALL);

export class Looker {
  readonly page: Page;
  readonly #mistakes: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on("pageerror", (error) => this.#mistakes.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.#mistakes.push(`${message.text()} (${message.location().url})`);
    });
  }

  /** `what` names it where something is found. */
  async look(what: string): Promise<void> {
    const { page } = this;
    await page.setViewportSize(DESK);
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    expect(await this.#found(), what).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    if (IS_LONG) expect(await this.#found(["color-contrast"]), `${what}, dark`).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await this.#found(), `${what}, dark, on a phone`).toEqual([]);
    expect(await reachesOut(page), `${what}: wider than a phone`).toEqual([]);
    await page.setViewportSize(DESK);
  }

  /** What the browser complained about since the last time, leaving out what is expected. */
  complaints(expected: RegExp = /^$/): readonly string[] {
    return this.#mistakes.splice(0).filter((mistake) => !expected.test(mistake));
  }

  /** Its source is read once per document: that costs more than a look does. */
  async #found(only?: string[]): Promise<string[]> {
    const { page } = this;
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
    return page.evaluate(async (rules) => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      const { violations } = await axe.run(document, {
        resultTypes: ["violations"],
        ...(rules === undefined ? {} : { runOnly: { type: "rule" as const, values: rules } }),
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
      );
    }, only);
  }
}
