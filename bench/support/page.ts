/** Looks at a board from inside of its page: when it can be used, how it draws while a card is dragged, what it holds. */
import type { BrowserContext, Page } from "@playwright/test";

const CARD = "[data-column] [data-task-number]";
const LIMIT_MS = 60_000;
const DRAG_STEPS = 90;
const TAKE_TRIES = 50;
const TAKE_AGAIN_MS = 200;
const DRAG_REACH = 320;

/** Milliseconds from asking for the page until a card is drawn and React listens to it. */
export async function untilUsable(page: Page): Promise<number> {
  const usable = await page.waitForFunction(
    (selector) => {
      const button = document.querySelector(`${selector} button`) ?? document.querySelector(selector);
      const isListenedTo = button !== null && Object.keys(button).some((key) => key.startsWith("__reactProps"));
      return isListenedTo ? performance.now() : null;
    },
    CARD,
    { polling: "raf", timeout: LIMIT_MS },
  );
  return Number(await usable.jsonValue());
}

/** Frames a second while a card is moved through its column and beside it, and the longest of them. */
export async function drag(page: Page): Promise<{ fps: number; longestMs: number }> {
  const card = page.locator(CARD).nth(2);
  const box = await card.boundingBox();
  if (box === null) throw new Error("There is no card to drag.");
  const [x, y] = [box.x + box.width / 2, box.y + 12];
  await take(page, x, y);
  await page.evaluate(countFrames);
  for (let step = 1; step <= DRAG_STEPS; step += 1) {
    const turn = (step / DRAG_STEPS) * 2 * Math.PI;
    await page.mouse.move(x + DRAG_REACH * Math.sin(turn), y + DRAG_REACH * (1 - Math.cos(turn)));
  }
  const frames = await page.evaluate(() => (window as unknown as { stopFrames(): number[] }).stopFrames());
  await page.keyboard.press("Escape");
  await letGo(page);
  const gaps = frames.slice(1).map((at, i) => at - (frames[i] ?? at));
  const tookMs = (frames.at(-1) ?? 0) - (frames[0] ?? 0);
  return { fps: (1_000 * gaps.length) / tookMs, longestMs: Math.max(...gaps) };
}

/** The code for dragging is fetched soon after the page; until then a press is no drag. */
async function take(page: Page, x: number, y: number): Promise<void> {
  for (let tries = 0; tries < TAKE_TRIES; tries += 1) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 12, y + 12, { steps: 4 });
    if (await page.evaluate(() => document.body.classList.contains("is-dragging"))) return;
    await letGo(page);
    await page.waitForTimeout(TAKE_AGAIN_MS);
  }
  throw new Error("A card cannot be dragged.");
}

/** Not over a card: that would be a click on it. */
async function letGo(page: Page): Promise<void> {
  await page.mouse.move(1, 1);
  await page.mouse.up();
}

function countFrames(): void {
  const frames: number[] = [];
  let isOver = false;
  const frame = (at: number) => {
    frames.push(at);
    if (!isOver) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  Object.assign(window, {
    stopFrames() {
      isOver = true;
      return frames;
    },
  });
}

interface Entry extends PerformanceEntry {
  readonly hadRecentInput?: boolean;
  readonly value?: number;
  readonly interactionId?: number;
}

/** What is sent into a page was translated first, and calls a helper of the translator that the page has not. */
export function understand(context: BrowserContext): Promise<unknown> {
  return context.addInitScript({ content: "globalThis.__name ??= (named) => named;" });
}

/** Before the page is opened: the browser tells of these only while somebody listens. */
export async function watchVitals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const vitals = { lcpMs: 0, cls: 0, inpMs: 0 };
    Object.assign(window, { vitals });
    const watch = (type: string, heard: (entry: Entry) => void) => {
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) heard(entry);
      });
      observer.observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
    };
    watch("largest-contentful-paint", (entry) => {
      vitals.lcpMs = entry.startTime;
    });
    watch("layout-shift", (entry) => {
      if (!entry.hadRecentInput) vitals.cls += entry.value ?? 0;
    });
    watch("event", (entry) => {
      if (entry.interactionId) vitals.inpMs = Math.max(vitals.inpMs, entry.duration);
    });
  });
}

export function vitalsOf(page: Page): Promise<{ lcpMs: number; cls: number; inpMs: number }> {
  return page.evaluate(() => (window as unknown as { vitals: { lcpMs: number; cls: number; inpMs: number } }).vitals);
}

/** What somebody does who looks around: a card's menu, the dialog for a new task. */
export async function interact(page: Page): Promise<void> {
  for (let n = 0; n < 5; n += 1) {
    const card = page.locator(CARD).nth(n);
    await card.hover();
    await card.getByRole("button", { name: /^More/ }).click();
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
  }
  await page.getByRole("button", { name: "New task" }).first().click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Megabytes of script memory that are still held after a collection. */
export async function liveSetSize(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 1_000_000;
}
