import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeGitHub, fakeGitHub } from "../testing/fake-github";
import { makeTestFolder, runGit } from "../testing/git-repositories";
import { createGitHub } from "./client";

const TOKEN = "github_pat_0123456789abcdef";
const wanted = { head: "work", base: "main", title: "T", body: "B", isDraft: false };

let github: FakeGitHub;
let remove: () => Promise<void>;
const place = () => ({ apiUrl: github.apiUrl, repository: "acme/shop", token: TOKEN });

beforeAll(async () => {
  const made = await makeTestFolder();
  remove = made.remove;
  github = await fakeGitHub(made.folder, TOKEN, { "a.txt": "one\n" });
  const tree = await runGit(github.bare, "rev-parse", "main^{tree}");
  const commit = await runGit(github.bare, "commit-tree", tree, "-p", "main", "-m", "work");
  await runGit(github.bare, "branch", "work", commit);
});
afterAll(async () => {
  github.close();
  await remove();
});

test("[W4] two servers that open one branch in the same moment have one pull request", async () => {
  const [one, other] = [createGitHub({ now: Date.now }), createGitHub({ now: Date.now })];
  const [first, second] = await Promise.all([one.open(place(), wanted), other.open(place(), wanted)]);
  expect(first).toMatchObject({ kind: "pull-request", number: 418, state: "open" });
  expect(second).toEqual(first);
  expect(github.pulls).toHaveLength(1);
});

test("[W4] a used-up limit is kept by token: nobody asks with this one, and another one may", async () => {
  let now = 1_000_000;
  const client = createGitHub({ now: () => now });
  github.mood.limitedUntil = 1_060;
  expect(await client.read(place(), 418)).toMatchObject({ reason: "rate-limited", until: 1_060_000 });
  github.mood.limitedUntil = null;
  const asked = github.asked.length;
  now = 1_059_999;
  expect(await client.read(place(), 418)).toMatchObject({ reason: "rate-limited", until: 1_060_000 });
  expect(github.asked).toHaveLength(asked);
  expect(await client.read({ ...place(), token: "another-token" }, 418)).toMatchObject({ reason: "bad-token" });
  now = 1_060_000;
  expect(await client.read(place(), 418)).toMatchObject({ number: 418 });
});

test("[W4][A3] what GitHub has not is not found, and no sentence holds the token", async () => {
  const client = createGitHub({ now: Date.now });
  const answers = [
    await client.read({ ...place(), repository: "acme/other" }, 1),
    await client.open(place(), { ...wanted, head: `gone-${TOKEN}` }),
  ];
  expect(answers).toMatchObject([
    { reason: "not-found" },
    { reason: "refused", message: expect.stringContaining("invalid head or base") },
  ]);
  expect(JSON.stringify(answers)).not.toContain(TOKEN);
});

test("[W4] issues are read page by page, without pull requests, the newest 500 of them; unchanged ones cost nothing", async () => {
  const client = createGitHub({ now: Date.now });
  const read = async () => {
    const from = github.asked.length;
    const answer = await client.issues(place(), "Camelot");
    if (answer.kind === "refused") throw new Error(answer.message);
    return { ...answer, statuses: github.asked.slice(from).map(({ status }) => status) };
  };
  github.addIssue({ labels: ["other"] });
  const first = github.addIssue({ title: "The first", body: null });
  expect(await read()).toEqual({
    kind: "issues",
    issues: [{ number: first, id: 3_000_000_000 + first, title: "The first", body: "" }],
    isAll: true,
    statuses: [200],
  });
  expect((await read()).statuses).toEqual([304]);
  for (let count = 1; count < 120; count++) github.addIssue();
  const more = await read();
  expect([more.issues.length, more.isAll, more.statuses]).toEqual([120, true, [200, 200]]);
  expect((await read()).statuses).toEqual([304, 304]);
  for (let count = 120; count < 501; count++) github.addIssue();
  const most = await read();
  // With the pull request of the first test there are two more than that.
  expect([most.issues.length, most.isAll, most.statuses.length]).toEqual([500, false, 5]);
  expect(most.issues.map(({ number }) => number)).not.toContain(first);
});

test("[W4] what GitHub says of an issue is not believed where it cannot be", async () => {
  const client = createGitHub({ now: Date.now });
  github.issues.length = 0;
  const bad = [0, -1, 1.5, 2 ** 31, Number.NaN].map((number) => ({ number, title: "T", body: null, labels: ["odd"] }));
  github.issues.push(...bad.map((one) => ({ ...one, state: "open" as const })));
  expect(await client.issues(place(), "odd")).toEqual({ kind: "issues", issues: [], isAll: true });
});
