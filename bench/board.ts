/**
 * The board in a real browser: how much script it loads, how soon 500 cards can be used, how smoothly one is dragged, and
 * what its memory does under forty changes a second. The built product on its own PostgreSQL.
 */
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "@playwright/test";
import { Camelot } from "../e2e/support/camelot";
import { SCRIPT_MAX_KB } from "../e2e/support/first-load";
import { Person } from "../e2e/support/person";
import { CHROMIUM_ARGS, findChromium } from "../scripts/chromium.mjs";
import { atLeast, atMost, type Figure, type Measure, median, type Size } from "./figures";
import { onLeaving } from "./support/leaving";
import { drag, interact, liveSetSize, understand, untilUsable, vitalsOf, watchVitals } from "./support/page";

const CARDS = { full: 500, small: 30 };
const LOADS = { full: 7, small: 1 };
const AT_ONCE = 10;
const CHANGES_PER_SECOND = 40;
/** How long the changes come in a small run, minutes. */
const SMALL_MINUTES = 0.05;
const USABLE_MAX_MS = 1_000;
const DRAG_LEAST_FPS = 50;
const WINDOW = { width: 1_440, height: 900 };

export const measureBoard: Measure = async (size, say) => {
  const cards = CARDS[size.isSmall ? "small" : "full"];
  const camelot = await Camelot.start();
  const remove = onLeaving(() => camelot.remove());
  const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: CHROMIUM_ARGS });
  try {
    const ann = await Person.signUp(camelot, "Ann");
    const { id: projectId } = await ann.makeProject("Shop", "sample");
    const taskIds: string[] = [];
    for (let n = 0; n < cards; n += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, cards - n) }, (_, i) => `Card ${n + i}: a change to be made`);
      const made = await Promise.all(some.map((title) => ann.makeTask(projectId, title, "true")));
      taskIds.push(...made.map(({ id }) => id));
    }
    say(`${cards} cards are on the board`);
    const address = `${camelot.url}/projects/${projectId}`;
    const loaded = await loads(browser, ann, address, cards, LOADS[size.isSmall ? "small" : "full"]);
    return [...loaded, ...(await using(browser, ann, address, { taskIds, cards, size, say }))];
  } finally {
    await browser.close();
    await remove();
  }
};

/** Each in a browser that has nothing of it yet. The first is not counted: the server had never served the page. */
async function loads(browser: Browser, ann: Person, address: string, cards: number, count: number): Promise<Figure[]> {
  const usableMs: number[] = [];
  let scriptKB = 0;
  for (let n = 0; n <= count; n += 1) {
    const context = await browser.newContext({ viewport: WINDOW });
    await understand(context);
    await ann.enter(context);
    const page = await context.newPage();
    const scripts = collectScripts(page);
    await page.goto(address, { waitUntil: "commit" });
    const usable = await untilUsable(page);
    if (n > 0) usableMs.push(usable);
    scriptKB = (await scripts()) / 1_000;
    await context.close();
  }
  const usable = median(usableMs);
  return [
    {
      what: "script of the board's first load, gzip",
      value: scriptKB,
      unit: "KB",
      target: atMost(scriptKB, SCRIPT_MAX_KB, "KB"),
    },
    {
      what: `${cards} cards can be used after`,
      value: usable,
      unit: "ms",
      target: atMost(usable, USABLE_MAX_MS, "ms"),
      note: "from asking for the page, with an empty cache, until a card is drawn and answers",
    },
  ];
}

/** Compressed here, the same way whatever the server chose. */
function collectScripts(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    sizes.push(
      response.body().then(
        (body) => gzipSync(body).length,
        () => 0,
      ),
    );
  });
  return async () => (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
}

interface Watched {
  readonly taskIds: readonly string[];
  readonly cards: number;
  readonly size: Size;
  readonly say: (line: string) => void;
}

async function using(browser: Browser, ann: Person, address: string, watched: Watched): Promise<Figure[]> {
  const { taskIds, cards, size, say } = watched;
  const context = await browser.newContext({ viewport: WINDOW });
  await understand(context);
  await ann.enter(context);
  const page = await context.newPage();
  await watchVitals(page);
  await page.goto(address);
  await untilUsable(page);
  const { fps, longestMs } = await drag(page);
  await interact(page);
  const { lcpMs, cls, inpMs } = await vitalsOf(page);
  const minutes = size.isSmall ? SMALL_MINUTES : size.minutes;
  say(`${CHANGES_PER_SECOND} changes a second for ${minutes} min`);
  const { before, after, changes } = await underChanges(page, ann, taskIds, minutes);
  await context.close();
  return [
    {
      what: `dragging a card among ${cards}`,
      value: fps,
      unit: "fps",
      target: atLeast(fps, DRAG_LEAST_FPS, "fps"),
      note: `longest frame ${Math.round(longestMs)} ms`,
    },
    { what: "largest contentful paint (LCP)", value: lcpMs, unit: "ms", note: "good is up to 2,500" },
    { what: "layout shift (CLS)", value: cls, unit: "", note: "good is up to 0.1" },
    { what: "interaction to next paint (INP)", value: inpMs, unit: "ms", note: "good is up to 200" },
    {
      what: `memory of the page under ${CHANGES_PER_SECOND} changes a second, more after ${minutes} min`,
      unit: "MB",
      value: after - before,
      note: `${changes} changes; collected heap ${before.toFixed(1)} → ${after.toFixed(1)} MB`,
    },
  ];
}

async function underChanges(page: Page, ann: Person, taskIds: readonly string[], minutes: number) {
  let changes = 0;
  async function change(isLast: () => boolean): Promise<void> {
    const began = performance.now();
    for (let n = 0; !isLast(); n += 1) {
      const dueAt = began + (n * 1_000) / CHANGES_PER_SECOND;
      const waitMs = dueAt - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      const taskId = taskIds[n % taskIds.length] ?? "";
      await ann.must("PATCH", `/tasks/${taskId}`, {
        title: `Card ${n % taskIds.length}, changed the ${changes}th time`,
      });
      changes += 1;
    }
  }
  // Every card once, so that what is first used by a change is part of the memory before.
  const first = taskIds.length;
  await change(() => changes >= first);
  const before = await liveSetSize(page);
  const until = performance.now() + minutes * 60_000;
  await change(() => performance.now() > until);
  const after = await liveSetSize(page);
  return { before, after, changes: changes - first };
}
