/** Told of one's own session in the browser: once, whichever tabs are open, and until its board was looked at. */
import { expect, type Page, test } from "@playwright/test";
import { makeGate } from "./support/agents";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Looker } from "./support/looker";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

let camelot: Camelot;
test.beforeAll(async () => {
  camelot = await Camelot.start();
});
test.afterAll(() => camelot.remove());

test("[B14] a session that ends is told by one of two tabs, counted by both and after a reload, and seen where its board is", async ({
  page,
  context,
}) => {
  const ann = await Person.signUp(camelot, "Ann");
  const { id: projectId } = await ann.makeProject("Shop", makeRepository(camelot.dataDir));
  const gate = makeGate(camelot.dataDir, "told");
  const task = await ann.makeTask(projectId, "Takes its time", gate.script);
  await ann.enter(context);
  await context.grantPermissions(["notifications"], { origin: camelot.url });
  await context.addInitScript(keepWhatIsTold);

  await page.goto(`${camelot.url}/account`);
  const choice = page.getByRole("checkbox", { name: "Notifications" });
  await expect(choice).not.toBeChecked();
  await choice.check();
  await new Looker(page).look("the account page");
  const other = await context.newPage();
  await page.goto(`${camelot.url}/pool`);
  await other.goto(`${camelot.url}/people`);
  const { session } = await ann.dispatch(task.id);
  for (const tab of [page, other]) await expect(tab.getByTestId("figures")).toContainText("Running 1/20");
  await expect.poll(async () => (await ann.output(session.id)).includes("told line 1")).toBe(true);
  // One of them has the browser's lock as soon as its code is there.
  await expect.poll(() => page.evaluate(async () => (await navigator.locks.query()).held?.length)).toBe(1);

  gate.open();
  await expect(page).toHaveTitle("(1) Pool · Camelot");
  await expect(other).toHaveTitle("(1) People · Camelot");
  expect([...(await told(page)), ...(await told(other))]).toEqual(["#1 succeeded"]);

  // Nobody is left to tell a tab that begins anew: the browser itself remembers.
  await other.close();
  await page.reload();
  await expect(page).toHaveTitle("(1) Pool · Camelot");
  const third = await context.newPage();
  await third.goto(`${camelot.url}/people`);
  await expect(third).toHaveTitle("(1) People · Camelot");

  await BoardPage.open(third, camelot, projectId);
  await expect(page).toHaveTitle("Pool · Camelot");
  await expect(third).toHaveTitle("Shop · Camelot");
  await third.close();
  await page.reload();
  await expect.poll(() => page.evaluate(async () => (await navigator.locks.query()).held?.length)).toBe(1);
  await expect(page).toHaveTitle("Pool · Camelot");
});

/** Shows them all the same. */
function keepWhatIsTold(): void {
  const heads: string[] = [];
  Object.assign(globalThis, {
    heads,
    Notification: class extends Notification {
      constructor(head: string, options?: NotificationOptions) {
        super(head, options);
        heads.push(head);
      }
    },
  });
}

function told(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as { heads: string[] }).heads);
}
