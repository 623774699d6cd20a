/** The database answers nothing for a while: an open board says so by itself, and is right again by itself. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

test.setTimeout(180_000);

/** How soon people are told, milliseconds: two looks of the server, each of two seconds and a second's rest, and some more. */
const TOLD_WITHIN_MS = 15_000;

let camelot: Camelot;
test.beforeAll(async () => {
  camelot = await Camelot.start();
});
test.afterAll(() => camelot.remove());

test("[B13] a board says when the database does not answer and what moment it shows, and is right by itself afterwards", async ({
  browser,
}) => {
  const ann = await Person.signUp(camelot, "Ann");
  const { id: projectId } = await ann.makeProject("Shop", makeRepository(camelot.dataDir));
  const page = await ann.openPage(browser);
  const board = await BoardPage.open(page, camelot, projectId);
  // Heard live, and so the page is connected: whoever only begins to connect is told that instead.
  const before = await ann.makeTask(projectId, "Here before", "true");
  await expect(board.card(before.number)).toBeVisible();
  const banner = page.getByRole("status").filter({ hasText: "The database does not answer" });
  await expect(banner).toHaveCount(0);

  const thaw = freeze(path.join(camelot.dataDir, "postgres"));
  try {
    await expect(banner).toContainText(/· showing \d\d:\d\d:\d\d/, { timeout: TOLD_WITHIN_MS });
    await expect(page.locator(".figures .live")).toHaveClass(/off/);
    await expect(board.card(before.number)).toBeVisible();
  } finally {
    thaw();
  }
  await expect(banner).toHaveCount(0, { timeout: TOLD_WITHIN_MS });
  const after = await ann.makeTask(projectId, "Made afterwards", "true");
  await expect(board.card(after.number)).toBeVisible();
});

/** Stops every process of the cluster where it stands; what comes back lets them go on. */
function freeze(home: string): () => void {
  const parent = Number(readFileSync(path.join(home, "data", "postmaster.pid"), "utf8").split("\n")[0]);
  // The parent first: it then makes no more children, and takes none away.
  process.kill(parent, "SIGSTOP");
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim().split(/\s+/).map(Number);
  for (const child of children) send(child, "SIGSTOP");
  return () => {
    for (const pid of [...children, parent]) send(pid, "SIGCONT");
  };
}

/** Some of a cluster's processes live for a moment only: one that has ended meanwhile needs no signal. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
