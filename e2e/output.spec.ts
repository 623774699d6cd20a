/** Watching an agent that writes far more than anybody can read: the end is there at once, the beginning on demand. */
import { expect, type Page, test } from "@playwright/test";
import { makeGate } from "./support/agents";
import { Camelot } from "./support/camelot";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

/** 100 MB: two million lines of 50 bytes, then a last one, held back until the story lets it go. */
const LINES = 2_000_000;
const FLOOD = `seq -f 'line %07.0f of a story that goes on for very long' 1 ${LINES}`;

test.setTimeout(480_000);

let camelot: Camelot;
test.beforeAll(async () => {
  camelot = await Camelot.start();
});
test.afterAll(() => camelot.remove());

const log = (page: Page) => page.getByRole("log");

test("[LOG-3][B12] 100 MB watched live: the last line is there when it ends, the page answers, what was before is loaded by scrolling up", async ({
  page,
  context,
  browser,
}) => {
  const ann = await Person.signUp(camelot, "Ann");
  await ann.enter(context);
  const project = await ann.makeProject("Shop", makeRepository(camelot.dataDir));
  const task = await ann.makeTask(project.id, "Writes and writes", `sleep 2; ${FLOOD}; echo "the very last line"`);
  const { session } = await ann.dispatch(task.id);
  await page.goto(`${camelot.url}/projects/${project.id}/tasks/${task.number}`);
  await expect(log(page)).toContainText(/line \d{7} of a story/, { timeout: 90_000 });

  // Somebody who comes late begins at the end and not at the first byte.
  const late = await browser.newContext();
  await ann.enter(late);
  const second = await late.newPage();
  await second.goto(`${camelot.url}/projects/${project.id}/tasks/${task.number}`);
  await expect(second.getByText(/MB earlier/)).toBeVisible({ timeout: 90_000 });

  const isOver = async () => (await ann.session(session.id)).finishedAt !== null;
  await expect.poll(isOver, { timeout: 120_000, intervals: [50] }).toBe(true);
  for (const viewer of [page, second]) {
    await expect(log(viewer)).toContainText("the very last line");
    await expect(viewer.getByTestId("outcome")).toContainText("The agent finished.");
  }
  // Nobody had to read a hundred megabytes to get there.
  await expect(page.getByText(/^10\d\.\d MB earlier$/)).toBeVisible();

  await page.getByRole("button", { name: "Load earlier output" }).click();
  for (let n = 0; n < 8; n += 1) await log(page).evaluate((box) => box.scrollBy({ top: -4_000 }));
  await expect(page.getByRole("button", { name: "Follow", exact: true })).toHaveAttribute("aria-pressed", "false");
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(log(page)).toContainText("the very last line");
  await late.close();
});

test("[LOG-3][LOG-4] who scrolled up to the first line while an agent goes on meets every line once and in order, to the end", async ({
  page,
  context,
}) => {
  const ann = await Person.signUp(camelot, "Andrea");
  await ann.enter(context);
  const project = await ann.makeProject("Quay", makeRepository(camelot.dataDir, "quay"));
  const gate = makeGate(camelot.dataDir, "count");
  // 3 MB before the gate and 3 MB behind it: more than one page holds.
  const count = (from: number, to: number) => `seq -f "count %.0f $long" ${from} ${to}`;
  const script = `long=$(printf 'x%.0s' $(seq 400)); ${count(1, 7_500)}; ${gate.wait}; ${count(7_501, 15_000)}`;
  const task = await ann.makeTask(project.id, "Counts", script);
  await ann.dispatch(task.id);
  await page.goto(`${camelot.url}/projects/${project.id}/tasks/${task.number}`);
  await expect(log(page)).toContainText("count 7500 x", { timeout: 90_000 });
  // Whoever goes on scrolling up does so also in the moment in which more has come and the place was kept.
  const climber = await log(page).evaluateHandle((box) => {
    const watcher = new MutationObserver(() => box.scrollTo({ top: 0 }));
    watcher.observe(box, { subtree: true, attributes: true, attributeFilter: ["style"] });
    return watcher;
  });
  const toTheTop = async () => {
    // Where more was read the place is kept, so that it is scrolled once more when nothing is left to read.
    const isAllRead = (await page.getByText(/MB earlier|kB earlier/).count()) === 0;
    await log(page).evaluate((box) => box.scrollTo({ top: 0 }));
    return isAllRead && (await countsOn(page)).includes(1);
  };
  await expect.poll(toTheTop, { timeout: 180_000, intervals: [50] }).toBe(true);
  await climber.evaluate((watcher) => watcher.disconnect());
  await expect(page.getByRole("button", { name: "Follow", exact: true })).toHaveAttribute("aria-pressed", "false");
  gate.open();
  await expect(page.getByTestId("outcome")).toBeVisible({ timeout: 90_000 });
  expect(await countsOn(page)).toContain(1);

  // From end to end of what the page holds: where more is read behind it, no line is missing and none comes twice.
  const ends = new Set<number>();
  const toTheEnd = async () => {
    const shown = await countsOn(page);
    expect(shown).toEqual(shown.map((_, place) => (shown[0] ?? 0) + place));
    ends.add(shown.at(-1) ?? 0);
    await log(page).evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
    return ends.has(15_000);
  };
  await expect.poll(toTheEnd, { timeout: 60_000, intervals: [50] }).toBe(true);
  expect(ends.size).toBeGreaterThan(2);
  await expect(page.getByRole("button", { name: "Follow", exact: true })).toHaveAttribute("aria-pressed", "true");
});

test("[LOG-3][LOG-4] who follows stays with the end when old lines are let go and the box becomes smaller in one picture", async ({
  page,
  context,
}) => {
  const ann = await Person.signUp(camelot, "Anna");
  await ann.enter(context);
  const project = await ann.makeProject("Pier", makeRepository(camelot.dataDir, "pier"));
  const first = makeGate(camelot.dataDir, "first");
  const second = makeGate(camelot.dataDir, "second");
  const lines = (from: number, to: number) => `seq -f 'line %.0f of a story that goes on for very long' ${from} ${to}`;
  // A little more than a window, then more than anybody is shown: what one holds becomes more, and then less at once.
  const script = [
    lines(1, 8_000),
    first.wait,
    lines(8_001, 12_000),
    second.wait,
    lines(12_001, 100_000),
    "echo last",
  ].join("; ");
  const task = await ann.makeTask(project.id, "Leaps", script);
  await ann.dispatch(task.id);
  await page.goto(`${camelot.url}/projects/${project.id}/tasks/${task.number}`);
  await expect(log(page)).toContainText("line 8000 of");
  first.open();
  await expect(log(page)).toContainText("line 12000 of");
  // Looked at before the flood begins; in an object, so that it is not waited for yet.
  const watch = await log(page).evaluateHandle((box) => {
    const rows = box.querySelector<HTMLElement>(".out-rows");
    if (!rows) throw new Error("There are no rows.");
    let before = rows.offsetHeight;
    const isSmaller = new Promise<boolean>((resolve) => {
      new MutationObserver((_, watcher) => {
        const isLess = rows.offsetHeight < before;
        before = rows.offsetHeight;
        if (!isLess) return;
        watcher.disconnect();
        // In the same task as the rows, as when the agent's end brings a line above the output.
        box.style.maxHeight = `${box.clientHeight - 100}px`;
        resolve(true);
      }).observe(rows, { attributes: true });
    });
    return { isSmaller };
  });
  second.open();
  expect(await watch.evaluate(({ isSmaller }) => isSmaller)).toBe(true);
  await expect(log(page)).toContainText("last");
  await expect(page.getByTestId("outcome")).toContainText("The agent finished.");
  await expect(page.getByRole("button", { name: "Follow", exact: true })).toHaveAttribute("aria-pressed", "true");
});

/** The numbers of the lines whose beginning is drawn, from above. */
function countsOn(page: Page): Promise<number[]> {
  return log(page).evaluate((box) => {
    const rows = [...box.querySelectorAll(".out-row")];
    return rows.flatMap((row) => /^count (\d+) /.exec(row.textContent ?? "")?.[1] ?? []).map(Number);
  });
}

test("[SEC-4][S3] what an agent prints, names and commits is text: nothing runs, and only an address of the web is a link", async ({
  page,
  context,
}) => {
  const evil = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
  const script = [
    `echo '${evil}'`,
    String.raw`printf '\033]8;;javascript:window.hacked=1\033\\press me\033]8;;\033\\\n'`,
    String.raw`printf '\033]8;;https://elsewhere.example/a\033\\our bank\033]8;;\033\\\n'`,
    `echo '${evil}' > '<img src=x onerror=hacked>.html'`,
  ].join("\n");
  const eve = await Person.signUp(camelot, "Eve");
  const { id: projectId } = await eve.makeProject("Quay", makeRepository(camelot.dataDir, "jetty"));
  const task = await eve.makeTask(projectId, evil, script);
  const { session } = await eve.dispatch(task.id);
  await expect.poll(async () => (await eve.session(session.id)).status).toBe("succeeded");
  await eve.enter(context);
  await page.goto(`${camelot.url}/projects/${projectId}/tasks/${task.number}`);
  await expect(page.getByRole("heading", { level: 1 }).first()).toContainText(evil);
  await expect(log(page)).toContainText(evil);
  await expect(log(page)).toContainText("press me");
  const link = log(page).getByRole("link");
  await expect(link).toHaveCount(1);
  await expect(link).toHaveAttribute("href", "https://elsewhere.example/a");
  await expect(link).toHaveAttribute("rel", /noopener/);
  // It is called otherwise, so that it says where it leads.
  await expect(log(page)).toContainText("https://elsewhere.example/a");
  await page.getByRole("tab", { name: "Terminal" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("press me");
  await page.getByRole("tab", { name: /^Diff/ }).click();
  await expect(page.getByRole("region", { name: "<img src=x onerror=hacked>.html" })).toContainText(evil);
  expect(await page.evaluate(() => "hacked" in window)).toBe(false);
});
