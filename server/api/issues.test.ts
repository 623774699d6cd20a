/** Issues that come in as tasks (W4): real rows and a GitHub of one repository on this machine; only git is played. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Task } from "../contract/tasks";
import type { RemotePlace } from "../ports/remotes";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { type FakeGitHub, fakeGitHub, spareOf } from "../testing/fake-github";
import { makeTestFolder } from "../testing/git-repositories";

vi.setConfig({ testTimeout: 60_000 });
const TOKEN = "github_pat_0123456789abcdef";

let github: FakeGitHub;
let remove: () => Promise<void>;
let world: ApiWorld;
/** What git says of every project's remote. */
let remote: RemotePlace | null;

beforeAll(async () => {
  const made = await makeTestFolder();
  remove = made.remove;
  github = await fakeGitHub(made.folder, TOKEN, { "a.txt": "one\n" });
  world = await apiWorld();
  Object.assign(world.workspace, { remote: async () => remote });
  await world.addUser("anna", "admin");
  await world.addUser("bob");
});
beforeEach(() => {
  github.issues.length = 0;
  remote = remoteOf("acme/shop");
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  github.close();
  await world.close();
  await remove();
});

const remoteOf = (repository: string): RemotePlace => ({
  kind: "remote",
  address: `${new URL(github.apiUrl).origin}/${repository}.git`,
  base: "main",
});
const tie = (project: string, more: Record<string, unknown> = {}) =>
  world.ask("anna", "PUT", `/projects/${project}/github`, {
    body: { token: TOKEN, apiUrl: github.apiUrl, issueLabel: "camelot", ...more },
  });
const bringIn = (project: string, who = "anna") => world.ask(who, "POST", `/projects/${project}/github/issues`);
const tasksOf = async (project: string): Promise<Task[]> =>
  (await world.ask("anna", "GET", `/projects/${project}/tasks`)).body.items;
const settingsOf = async (project: string) => (await world.ask("bob", "GET", `/projects/${project}/github`)).body;

async function tied(more: Record<string, unknown> = {}): Promise<string> {
  const project = await world.project("anna", ["bob"]);
  const { status, body } = await tie(project, more);
  expect([status, body.code]).toEqual([200, undefined]);
  return project;
}

test("[W4] open issues with the label come in, oldest first, as cards in Backlog that link back; nothing is dispatched", async () => {
  const project = await tied();
  const one = github.addIssue({ title: "Search  for\npets", body: "Dogs,\r\nand cats." });
  const two = github.addIssue({ title: "", body: null, labels: ["bug", "Camelot"] });
  github.addIssue({ title: "Another label", labels: ["bug"] });
  github.addIssue({ title: "No label", labels: [] });
  const closed = github.addIssue({ title: "Closed" });
  Object.assign(github.issues.find(({ number }) => number === closed) ?? {}, { state: "closed" });
  world.told.length = 0;
  expect((await bringIn(project, "bob")).body).toEqual({ count: 2, isAll: true });
  const url = (number: number) => `${new URL(github.apiUrl).origin}/acme/shop/issues/${number}`;
  const tasks = await tasksOf(project);
  expect(tasks).toMatchObject([
    {
      number: 1,
      title: "Search for pets",
      // The only agent runs its prompt.
      prompt: `# Dogs,\n# and cats.\n\n# Issue #${one}: ${url(one)}`,
      issue: { repository: "acme/shop", number: one, url: url(one) },
    },
    { number: 2, title: `Issue #${two}`, prompt: expect.stringContaining(`# Issue #${two}\n`) },
  ]);
  for (const task of tasks) {
    expect(task).toMatchObject({ column: "backlog", session: null, sessionCount: 0, createdBy: "anna" });
    expect((await world.ask("bob", "GET", `/tasks/${task.id}`)).body.issue).toEqual(task.issue);
  }
  expect(tasks.map(({ orderKey }) => orderKey)).toEqual(tasks.map(({ orderKey }) => orderKey).sort());
  expect(world.told).toEqual([{ kind: "tasksChanged", about: project }]);
  const { issueLabel, issuesReadAt, issuesProblem } = await settingsOf(project);
  expect([issueLabel, Date.parse(issuesReadAt) > 0, issuesProblem]).toEqual(["camelot", true, null]);
});

test("[W4] an agent that reads comes before one that runs its prompt as a script", async () => {
  const project = await tied();
  const agent = {
    name: "Reader",
    kind: "command",
    settings: { argv: ["cat"], promptVia: "stdin" },
    projectId: project,
  };
  const { body } = await world.ask("anna", "POST", "/agents", { body: agent });
  github.addIssue({ body: "Dogs." });
  await bringIn(project);
  expect(await tasksOf(project)).toMatchObject([
    { agentId: body.id, prompt: expect.stringMatching(/^Dogs\.\n\nIssue #/) },
  ]);
});

test("[W4] each comes in once: looked for again, by many at once, changed, its task deleted, its repository renamed", async () => {
  const project = await tied();
  for (let count = 0; count < 30; count++) github.addIssue();
  const counts = await Promise.all(Array.from({ length: 6 }, () => bringIn(project)));
  expect(counts.map(({ body }) => body.count).reduce((sum, one) => sum + one, 0)).toBe(30);
  const [first, second] = await tasksOf(project);
  expect((await bringIn(project)).body).toEqual({ count: 0, isAll: true });

  await world.ask("anna", "DELETE", `/tasks/${first?.id}`);
  await world.ask("anna", "POST", `/tasks/${second?.id}/move`, { body: { column: "done" } });
  const again = github.issues[2];
  github.issues[2] = { ...(again as NonNullable<typeof again>), title: "Another title" };
  remote = remoteOf("ACME/Shop");
  expect((await bringIn(project)).body).toEqual({ count: 0, isAll: true });
  // Under another name the same issues have the same ids.
  await world.sql`update imported_issues set repository = 'acme/former' where project_id = ${project}`;
  remote = remoteOf("acme/shop");
  expect((await bringIn(project)).body.count).toBe(0);
  expect(await tasksOf(project)).toHaveLength(29);

  await tie(project, { issueLabel: "" });
  await tie(project);
  github.addIssue({ title: "A new one" });
  expect((await bringIn(project)).body.count).toBe(1);
  expect((await tasksOf(project)).at(-1)).toMatchObject({ number: 31, title: "A new one" });
});

test("[W4] the database itself takes an issue once, whoever writes it", async () => {
  const project = await tied();
  const number = github.addIssue();
  await bringIn(project);
  const other = await world.task("anna", project);
  const write = (repository: string, of: number, id: number | null) =>
    world.sql`insert into imported_issues values (${other}, ${project}, ${github.apiUrl}, ${repository}, ${of}, ${id})`;
  await expect(write("Acme/SHOP", number, null)).rejects.toThrow(/imported_issues_once"/);
  await expect(write("acme/renamed", number, 3_000_000_000 + number)).rejects.toThrow(/imported_issues_once_renamed"/);
  await write("acme/renamed", number, null);
});

test("[W4] two projects of one repository have a label and the issues each", async () => {
  const [one, other] = [await tied(), await tied({ issueLabel: "later" })];
  github.addIssue({ labels: ["camelot", "later"] });
  github.addIssue({ labels: ["later"] });
  expect((await bringIn(one)).body.count).toBe(1);
  expect((await bringIn(other)).body.count).toBe(2);
  expect((await bringIn(one)).body.count).toBe(0);
});

test("[W4] of more than 500 the newest come in, and that is said", async () => {
  const project = await tied();
  for (let count = 0; count < 510; count++) github.addIssue({ title: `No. ${count}` });
  expect((await bringIn(project)).body).toEqual({ count: 500, isAll: false });
  expect((await settingsOf(project)).issuesProblem).toMatch(/^Only the newest 500 with the label are read/);
  for (const issue of github.issues.slice(-20)) issue.state = "closed";
  expect((await bringIn(project)).body).toEqual({ count: 10, isAll: true });
  expect((await settingsOf(project)).issuesProblem).toBeNull();
});

test("[W4] what stands in the way is one plain sentence, told at once and kept with the settings", async () => {
  const project = await tied();
  github.addIssue();
  const refused = async () => {
    const { status, body } = await bringIn(project);
    const { issuesProblem } = await settingsOf(project);
    return [status, body.code, body.reason, body.until ?? null, body.message, issuesProblem === body.message];
  };
  const no = (reason: string, sentence: RegExp, isKept = true, until: string | null = null) => [
    ...[409, "ISSUES_REFUSED", reason, until],
    ...[expect.stringMatching(sentence), isKept],
  ];
  await tie(project, { issueLabel: null });
  expect(await refused()).toEqual(
    no("no-label", /has no label for issues: an owner sets one in its settings\.$/, false),
  );
  await tie(project, { token: "another-token-than-that" });
  expect(await refused()).toEqual(no("bad-token", /refuses the project's token/));
  await tie(project);
  github.mood.mayReadIssues = false;
  expect(await refused()).toEqual(no("no-right", /has not the right for this in acme\/shop on GitHub\. It says: /));
  github.mood.mayReadIssues = true;
  remote = null;
  expect(await refused()).toEqual(no("not-found", /has no remote, which is not on the GitHub behind/));
  remote = { kind: "remote", address: "https://gitlab.com/acme/shop.git", base: "main" };
  expect(await refused()).toEqual(no("not-found", /is pushed to https:\/\/gitlab\.com\/acme\/shop\.git, which is not/));
  remote = remoteOf("acme/unknown");
  expect(await refused()).toEqual(no("not-found", /GitHub does not know acme\/unknown, or/));
  remote = remoteOf("acme/shop");
  await tie(project, { apiUrl: "http://127.0.0.1:9/api/v3" });
  remote = { ...remoteOf("acme/shop"), address: "http://127.0.0.1:9/acme/shop.git" };
  expect(await refused()).toEqual(no("away", /127\.0\.0\.1:9 cannot be reached .*Nothing was lost; try again\.$/));
  remote = remoteOf("acme/shop");
  await tie(project, { token: spareOf(TOKEN) });
  const until = Math.ceil(Date.now() / 1_000) + 600;
  github.mood.limitedUntil = until;
  const iso = new Date(until * 1_000).toISOString();
  expect(await refused()).toEqual(no("rate-limited", /until \d\d:\d\d UTC: its rate limit is used up\.$/, true, iso));
  github.mood.limitedUntil = null;
  await world.ask("anna", "DELETE", `/projects/${project}/github`);
  expect(await refused()).toEqual(no("no-token", /has no token for GitHub: an owner sets one/, false));
  expect(await tasksOf(project)).toEqual([]);
  await tie(project);
  expect((await bringIn(project)).body.count).toBe(1);
});

test("[W4] a label is what GitHub can be asked for; without a word of it, it stays, and with whoever set it", async () => {
  const project = await tied();
  await world.ask("anna", "PUT", `/projects/${project}/members/bob`, { body: { role: "owner" } });
  const set = (body: unknown) => world.ask("bob", "PUT", `/projects/${project}/github`, { body });
  for (const [issueLabel, sentence] of [
    ["x".repeat(51), "A label has 50 characters at most."],
    ["bug,camelot", "GitHub can be asked for a label without commas and line breaks only."],
    ["a\nb", "GitHub can be asked for a label without commas and line breaks only."],
    ["a\u0000b", "GitHub can be asked for a label without commas and line breaks only."],
    [7, "“issueLabel” has to be text."],
  ]) {
    const { status, body } = await set({ issueLabel });
    expect([status, body.message, body.field]).toEqual([400, sentence, "issueLabel"]);
  }
  const bare = await world.project("anna");
  const noToken = await world.ask("anna", "PUT", `/projects/${bare}/github`, { body: { issueLabel: "camelot" } });
  expect([noToken.status, noToken.body.field]).toEqual([400, "token"]);
  expect((await set({ token: TOKEN })).body.issueLabel).toBe("camelot");
  const setterOf = async () =>
    (await world.sql`select issue_label_by from project_github where project_id = ${project}`)[0];
  expect(await setterOf()).toEqual({ issue_label_by: "anna" });
  expect((await set({ issueLabel: " ready: 🚀 & “go” " })).body.issueLabel).toBe("ready: 🚀 & “go”");
  expect(await setterOf()).toEqual({ issue_label_by: "bob" });
  github.addIssue({ labels: ["ready: 🚀 & “go”"] });
  expect((await bringIn(project)).body.count).toBe(1);
  expect(await tasksOf(project)).toMatchObject([{ createdBy: "bob" }]);
  expect((await set({ issueLabel: "" })).body).toMatchObject({ issueLabel: null, isSet: true });
});
