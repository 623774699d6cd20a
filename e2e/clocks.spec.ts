/** Browsers whose clocks are wrong, in zones with odd offsets: everybody sees one truth about how long something waited and ran. */
import { type Browser, expect, type Page, test } from "@playwright/test";
import type { Session } from "../server/contract/sessions";
import { makeGate } from "./support/agents";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

const SEVEN_MINUTES_MS = 420_000;
/** What is shown may differ so much from what was, in seconds; and by the second in which one looks. */
const NEAR_SECONDS = 2;
/** So long it waits, and so long it runs, at least. */
const LOOK_AFTER_SECONDS = 5;

interface Viewer {
  readonly page: Page;
  readonly zone: string;
}

test("[TIME-1][B1][B7][R5] with clocks that differ every browser tells waiting and running apart, and neither is negative", async ({
  browser,
}) => {
  const camelot = await Camelot.start({ PER_USER_MAX: "1" });
  try {
    const ann = await Person.signUp(camelot, "Ann");
    const project = await ann.makeProject("Shop", makeRepository(camelot.dataDir));
    const [before, gate] = [makeGate(camelot.dataDir, "before"), makeGate(camelot.dataDir, "it")];
    const inFront = await ann.makeTask(project.id, "In front", before.script);
    const task = await ann.makeTask(project.id, "Waits, then runs", gate.script);
    await ann.dispatch(inFront.id);
    const { session } = await ann.dispatch(task.id);
    const viewers = [
      await viewer(browser, ann, "Asia/Kathmandu", -SEVEN_MINUTES_MS),
      await viewer(browser, ann, "America/St_Johns", SEVEN_MINUTES_MS),
    ];
    for (const { page } of viewers) await page.goto(`${camelot.url}/projects/${project.id}/tasks/${task.number}`);

    await passed(session.queuedAt);
    for (const { page } of viewers) {
      await near(page, "Waited", async () => secondsSince(session.queuedAt));
      await expect(fact(page, "Ran")).toHaveCount(0);
    }
    before.open();
    const started = await seen(ann, session.id, ({ phase }) => phase === "working");
    await camelot.leave();
    await camelot.start();
    const running = await seen(ann, session.id, ({ adoptedAt }) => adoptedAt !== null);
    await passed(started.startedAt);
    const waited = secondsBetween(started.queuedAt, started.startedAt);
    for (const { page } of viewers) {
      await near(page, "Waited", async () => waited);
      await near(page, "Ran", async () => secondsSince(started.startedAt));
    }
    for (const { page, zone } of viewers) {
      const board = await BoardPage.open(page, camelot, project.id);
      const inTheirZone = new Date(running.adoptedAt ?? "").toLocaleTimeString("en-GB", {
        hour: "2-digit",
        minute: "2-digit",
        timeZone: zone,
      });
      await expect(board.card(task.number)).toContainText(`adopted ${inTheirZone}`);
      await page.goto(`${camelot.url}/projects/${project.id}/tasks/${task.number}`);
    }
    gate.open();
    const over = await seen(ann, session.id, ({ status }) => status === "succeeded");
    for (const { page } of viewers) {
      await near(page, "Waited", async () => waited);
      await near(page, "Ran", async () => secondsBetween(over.startedAt, over.finishedAt));
      await expect(page.getByRole("main")).not.toContainText(/[-−]\d+ ?(s|min|h)\b/);
    }
    for (const time of [over.queuedAt, over.startedAt, over.finishedAt]) expect(time).toMatch(/T\d\d:\d\d:\d\d\.\d+Z$/);
  } finally {
    await camelot.remove();
  }
});

async function viewer(browser: Browser, person: Person, zone: string, aheadMs: number): Promise<Viewer> {
  const context = await browser.newContext({ timezoneId: zone });
  await person.enter(context);
  await context.addInitScript((ahead) => {
    const Right = Date;
    globalThis.Date = class extends Right {
      constructor(...given: []) {
        if (given.length === 0) super(Right.now() + ahead);
        else super(...given);
      }
      static override now = () => Right.now() + ahead;
    } as DateConstructor;
  }, aheadMs);
  return { page: await context.newPage(), zone };
}

function fact(page: Page, name: string) {
  return page.getByRole("term").filter({ hasText: new RegExp(`^${name}$`) });
}

/** What is shown is what is true, give or take. */
async function near(page: Page, name: string, truth: () => Promise<number>): Promise<void> {
  const shown = page.locator(`dt:text-is("${name}") + dd`);
  await expect(async () => {
    const text = (await shown.textContent()) ?? "";
    const seconds = secondsIn(text);
    expect(Math.abs(seconds - (await truth())), `${name}: ${text}`).toBeLessThanOrEqual(
      text.includes("min") ? 60 : NEAR_SECONDS,
    );
  }).toPass({ timeout: 15_000 });
}

function secondsIn(text: string): number {
  const [, minutes, seconds] = /^(?:(\d+) min)?\s*(?:(\d+) s)?(?: so far)?$/.exec(text.trim()) ?? [];
  if (minutes === undefined && seconds === undefined) throw new Error(`this is no duration: ${text}`);
  return Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}

function secondsBetween(from: string | null, to: string | null): number {
  return (Date.parse(to ?? "") - Date.parse(from ?? "")) / 1_000;
}

function secondsSince(time: string | null): number {
  return secondsBetween(time, new Date().toISOString());
}

async function passed(time: string | null): Promise<void> {
  await expect.poll(() => secondsSince(time), { timeout: 90_000 }).toBeGreaterThan(LOOK_AFTER_SECONDS);
}

async function seen(person: Person, id: string, isSo: (session: Session) => boolean): Promise<Session> {
  await expect.poll(async () => isSo(await person.session(id)), { timeout: 90_000 }).toBe(true);
  return person.session(id);
}
