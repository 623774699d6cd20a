/** What others do elsewhere is on the screen of whoever is in already, on every page, and nobody reloads by hand. */
import { expect, type Page, test } from "@playwright/test";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Looker } from "./support/looker";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

let camelot: Camelot;
let ann: Person;
let projectId: string;
test.beforeAll(async () => {
  camelot = await Camelot.start();
  ann = await Person.signUp(camelot, "Ann");
  projectId = (await ann.makeProject("Shop", makeRepository(camelot.dataDir))).id;
});
test.afterAll(() => camelot.remove());

const people = (page: Page) => page.getByRole("region", { name: "People" });

test("[L5][S2] who signs up is among the people at once, and a role that is given can be used at once", async ({
  browser,
}) => {
  const anns = await ann.openPage(browser);
  await BoardPage.open(anns, camelot, projectId);
  const ben = await Person.signUp(camelot, "Ben");
  await anns.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "People" }).click();
  await expect(people(anns).getByRole("row").filter({ hasText: "Ben" })).toBeVisible();

  const bens = await ben.openPage(browser);
  await bens.goto(`${camelot.url}/people`);
  await expect(people(bens).getByRole("row").filter({ hasText: "Ann" })).toBeVisible();
  await Person.signUp(camelot, "Cora");
  for (const page of [anns, bens]) {
    await expect(people(page).getByRole("row").filter({ hasText: "Cora" })).toBeVisible();
  }

  await expect(bens.getByRole("region", { name: "Invitations" })).toHaveCount(0);
  await anns.getByRole("button", { name: "Change Ben" }).click();
  await anns.getByRole("menuitem", { name: "Make an administrator" }).click();
  await expect(people(bens).getByRole("row").filter({ hasText: "Ben" })).toContainText("administrator");
  await expect(bens.getByRole("button", { name: "Change Cora" })).toBeVisible();
  await ben.must("POST", "/invitations", { email: "guest@example.test" });
  for (const page of [anns, bens]) {
    await expect(page.getByRole("region", { name: "Invitations" })).toContainText("guest@example.test");
  }
});

test("[S1][L5] a new name is on everybody's board at once, and a new password turns every other browser of one's own away", async ({
  browser,
}) => {
  const gil = await Person.signUp(camelot, "Gil");
  await ann.addMember(projectId, gil);
  const anns = await ann.openPage(browser);
  await anns.goto(`${camelot.url}/people`);
  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(`${camelot.url}/sign-in?next=/people`);
  await elsewhere.getByLabel("Email").fill(gil.email);
  await elsewhere.getByLabel("Password").fill(gil.password);
  await elsewhere.getByRole("button", { name: "Sign in" }).click();
  await expect(people(elsewhere).getByRole("row").filter({ hasText: "Gil" })).toBeVisible();

  const here = await gil.openPage(browser);
  await here.goto(`${camelot.url}/account`);
  const you = here.getByRole("region", { name: "You" });
  await expect(async () => {
    await you.getByLabel("Name").fill("Gil Blas");
    await you.getByRole("button", { name: "Change name" }).click({ timeout: 1_000 });
  }).toPass();
  await expect(people(anns).getByRole("row").filter({ hasText: "Gil Blas" })).toBeVisible();

  await you.getByLabel("Current password").fill(gil.password);
  await you.getByLabel("New password").fill("quite another one");
  await you.getByRole("button", { name: "Change password" }).click();
  await expect(here.getByText("Every other browser is signed out.", { exact: false }).last()).toBeVisible();
  await expect(elsewhere.getByRole("link", { name: "Sign in" })).toBeVisible();
  await here.reload();
  await expect(you.getByLabel("Name")).toHaveValue("Gil Blas");
  await new Looker(here).look("the account page");
  await elsewhere.goto(`${camelot.url}/sign-in`);
  await elsewhere.getByLabel("Email").fill(gil.email);
  await elsewhere.getByLabel("Password").fill("quite another one");
  await elsewhere.getByRole("button", { name: "Sign in" }).click();
  await elsewhere.waitForURL(`${camelot.url}/`);
});

test("[S1] whoever lost their password gets a new one from an administrator, shown once, and enters with it", async ({
  browser,
}, info) => {
  const hugo = await Person.signUp(camelot, "Hugo");
  const hugos = await hugo.openPage(browser);
  await hugos.goto(`${camelot.url}/people`);
  await expect(people(hugos).getByRole("row").filter({ hasText: "Hugo" })).toBeVisible();
  const anns = await ann.openPage(browser);
  await anns.goto(`${camelot.url}/people`);
  await expect(async () => {
    await anns.getByRole("button", { name: "Change Hugo" }).click();
    await anns.getByRole("menuitem", { name: "New password…" }).click({ timeout: 1_000 });
  }).toPass();
  await anns
    .getByRole("alertdialog")
    .getByRole("button", { name: /password/ })
    .click();
  const shown = anns.getByRole("dialog").getByRole("textbox");
  await expect(shown).toHaveValue(/^[a-zA-Z2-9]{20}$/);
  await anns.screenshot({ path: info.outputPath("new-password.png") });
  await expect(hugos.getByRole("link", { name: "Sign in" })).toBeVisible();
  await hugos.goto(`${camelot.url}/sign-in`);
  await hugos.getByLabel("Email").fill(hugo.email);
  await hugos.getByLabel("Password").fill(await shown.inputValue());
  await hugos.getByRole("button", { name: "Sign in" }).click();
  await hugos.waitForURL(`${camelot.url}/`);
});

test("[L5] what another owner changes in a project's settings appears under what one types, which stays", async ({
  browser,
}) => {
  const dora = await Person.signUp(camelot, "Dora");
  await ann.addMember(projectId, dora, "owner");
  const page = await ann.openPage(browser);
  await page.goto(`${camelot.url}/projects/${projectId}/settings`);
  const general = page.getByRole("form", { name: "General" });
  await expect(page.getByRole("region", { name: "Members" })).toContainText("Dora");
  const name = general.getByLabel("Name");
  await name.fill("Half a ");

  const emil = await Person.signUp(camelot, "Emil");
  await dora.addMember(projectId, emil);
  await dora.must("PUT", `/projects/${projectId}/variables/COLOUR`, { value: "green" });
  await dora.must("PATCH", `/projects/${projectId}`, { name: "Store" });
  await expect(page.getByRole("region", { name: "Members" })).toContainText("Emil");
  await expect(page.getByRole("region", { name: "Variables and secrets" })).toContainText("COLOUR");
  await expect(page.getByRole("button", { name: "Project: Store" })).toBeVisible();
  await expect(name).toBeFocused();
  await page.keyboard.type("name");
  await expect(name).toHaveValue("Half a name");
});

test("[L5] agents and projects that others make, change and remove are right in every tab", async ({ browser }) => {
  const fay = await Person.signUp(camelot, "Fay");
  const page = await fay.openPage(browser);
  await page.goto(`${camelot.url}/agents`);
  const agents = page.getByRole("region", { name: "Agents" });
  await expect(agents.getByRole("row").filter({ hasText: "Shell" })).toBeVisible();
  const settings = { argv: ["cat", "-"], promptVia: "stdin" };
  const { id } = await ann.must<{ id: string }>("POST", "/agents", { name: "Echo", kind: "command", settings });
  await expect(agents.getByRole("row").filter({ hasText: "Echo" })).toBeVisible();
  await ann.must("PATCH", `/agents/${id}`, { name: "Parrot" });
  await expect(agents.getByRole("row").filter({ hasText: "Parrot" })).toBeVisible();
  await ann.must("DELETE", `/agents/${id}`);
  await expect(agents.getByRole("row").filter({ hasText: "Parrot" })).toHaveCount(0);

  const { id: gardenId } = await ann.makeProject("Garden", makeRepository(camelot.dataDir, "garden"));
  await ann.addMember(gardenId, fay);
  await expect(page.getByRole("button", { name: "Project: Garden" })).toBeVisible();
  await ann.must("DELETE", `/projects/${gardenId}`);
  await expect(page.getByRole("button", { name: "Project: Garden" })).toHaveCount(0);
});
