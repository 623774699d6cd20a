import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { routes } from "@/app/routes";
import type { Session } from "@/server/contract/sessions";
import type { Task } from "@/server/contract/tasks";
import { learnRoutes } from "../api";
import { headEntries } from "../task/head-entries";
import { suggestedSlot } from "../task/message-draft";
import { questionSlot } from "../ui/ask";
import { itemsOf, toFinish, toResolve } from "./conflict-message";
import { reviewEntries } from "./review-moves";
import { sampleMenuHelp, sampleSession, sampleTask } from "./sample";

const START = "2026-01-01T12:00:00.000Z";
const told = vi.hoisted((): { text: string; action?: { label: string; run: () => void } }[] => []);
vi.mock("../ui/toast", () => ({ toast: (news: (typeof told)[number]) => void told.push(news) }));
const asked: string[] = [];
let answers: { status: number; body: object }[];
const open = vi.fn();

learnRoutes(routes);

beforeEach(() => {
  asked.length = 0;
  answers = [];
  open.mockClear();
  for (const slot of [questionSlot, suggestedSlot]) slot.close();
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(pathname.replace("/api/v1", "") + search);
    const { status, body } = answers.shift() ?? { status: 200, body: sampleTask() };
    return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
  });
});
afterEach(() => vi.unstubAllGlobals());

function card(column: "review" | "done", task: Partial<Task> = {}, session: Partial<Session> = {}) {
  const ended = sampleSession({ status: "succeeded", startedAt: START, files: 2, ...session });
  return {
    column,
    live: null,
    liveId: null,
    task: sampleTask({ column, session: ended, branch: "camelot/12-retry", ...task }),
  };
}

const HELP = sampleMenuHelp({ open });
const press = (label: string, one = card("review")) =>
  reviewEntries(one, HELP)
    .find((entry) => entry.label === label)
    ?.run();
const question = async () => {
  await vi.waitFor(() => expect(questionSlot.held()).not.toBeNull());
  const held = questionSlot.held();
  if (held === null) throw new Error("Nothing is asked.");
  questionSlot.close();
  return held;
};

test("[W4] in Review one can merge, push and discard; what changed nothing says so; in Done what is left to do", () => {
  const offered = (one: ReturnType<typeof card>) =>
    reviewEntries(one, HELP).map(({ label, why }) => (why ? `${label}: ${why}` : label));
  expect(offered(card("review"))).toEqual(["Merge into main", "Push", "Discard"]);
  expect(offered(card("review", {}, { files: 0 }))).toEqual([
    "Merge into main: It changed no files.",
    "Push: It changed no files.",
    "Discard",
  ]);
  expect(offered(card("review", { branch: null }))).toEqual([]);
  const outcome = { at: START, by: "nora", commit: "c0ffee", base: "main" };
  const sent = { outcome: { ...outcome, kind: "merged" }, pushedAt: START, pushedBranch: "main" } as const;
  expect(offered(card("done", sent))).toEqual([]);
  expect(offered(card("done", { ...sent, pushedBranch: "camelot/12-retry" }))).toEqual(["Push main"]);
  expect(offered(card("done", { outcome: { ...outcome, kind: "merged" } }))).toEqual(["Push main"]);
  expect(offered(card("done", { outcome: { ...outcome, kind: "discarded", base: null } }))).toEqual(["Restore"]);
});

test("[W4] with a token for GitHub a branch can be offered, and the open pull request brought up to date", async () => {
  const open = { number: 418, url: "https://github.com/p", state: "open", isDraft: false, changedAt: START } as const;
  const labels = (one: ReturnType<typeof card>) =>
    headEntries(one, { ...HELP, hasGitHub: true }).buttons.map(({ label }) => label);
  expect(labels(card("review"))).toEqual(["Push", "Pull request", "Merge into main"]);
  const outcome = { kind: "requested", at: START, by: "nora", commit: null, base: "main" } as const;
  const requested = card("done", { pullRequest: open, outcome });
  expect(labels(requested)).toEqual(["Merge into main", "Push", "Update pull request", "Discard"]);
  const entries = reviewEntries(requested, { ...HELP, hasGitHub: true });
  entries.find(({ label }) => label === "Update pull request")?.run();
  await vi.waitFor(() => expect(asked).toEqual([`/tasks/${requested.task.id}/pull-request`]));
});

test("[W4] a task's head has Merge as its last button, what did not succeed may be retried there, and nothing is lost to the menu", () => {
  const head = (one: ReturnType<typeof card>) => {
    const { buttons, menu } = headEntries(one, HELP);
    return [buttons, menu].map((entries) => entries.flatMap((entry) => (entry.kind === "entry" ? entry.label : [])));
  };
  const rest = ["Move to Backlog", "Move to Review", "Move to Done", "Copy link", "Delete task"];
  expect(head(card("review"))).toEqual([
    ["Push", "Merge into main"],
    ["Retry", "Discard", ...rest],
  ]);
  expect(head(card("review", {}, { status: "failed" }))[0]).toEqual(["Retry", "Push", "Merge into main"]);
  expect(head(card("review", {}, { files: 0 }))[0]).toEqual(["Retry", "Move to Done"]);
  const merged = { kind: "merged", at: START, by: "nora", commit: "c0ffee", base: "main" } as const;
  expect(head(card("done", { outcome: merged }))).toEqual([["Push main"], rest]);
});

test("[W4][A5] a conflict names its files and of what kind it is in each, and one press fills the follow-up with both", async () => {
  const kinds = ["the same lines changed by both", "changed by one, deleted by the other"];
  const body = { code: "MERGE_CONFLICT", message: "Nothing was merged.", files: ["a b.ts", "src/c.ts"], kinds };
  answers.push({ status: 409, body });
  press("Merge into main");
  const { title, text, items, yes, answer } = await question();
  expect([title, text, items, yes]).toEqual([
    "#12 conflicts with main",
    "Nothing was merged.",
    ["a b.ts (the same lines changed by both)", "src/c.ts (changed by one, deleted by the other)"],
    "Send back to resolve",
  ]);
  answer(true);
  await vi.waitFor(() => expect(suggestedSlot.held()).not.toBeNull());
  expect(suggestedSlot.held()).toEqual({
    taskId: "t1",
    text: expect.stringContaining(
      "into `main` conflicts:\n\n- `a b.ts` (the same lines changed by both)\n- `src/c.ts` (changed by one, deleted by the other)\n\nBring the branch up to date",
    ),
  });
  // The sentence names a single one with its kind, and the dialog then leaves its list out.
  expect(itemsOf([{ file: "a b.ts", kind: "binary" }])).toEqual(["a b.ts"]);
  expect(toResolve("main", [{ file: "a b.ts", kind: null }])).toContain("conflicts:\n\n- `a b.ts`\n\nBring");
  expect(open).toHaveBeenCalledOnce();
  expect(asked).toEqual(["/tasks/t1/merge"]);
});

test("[W4] left as it is, a conflict fills nothing; one of a task in Done is sent back from Review", async () => {
  const refused = { status: 409, body: { code: "MERGE_CONFLICT", message: "Nothing was merged.", files: ["a"] } };
  answers.push(refused);
  press("Merge into main");
  (await question()).answer(false);
  answers.push(refused);
  press("Merge into main", card("done"));
  (await question()).answer(true);
  await vi.waitFor(() => expect(open).toHaveBeenCalledOnce());
  expect(asked).toEqual(["/tasks/t1/merge", "/tasks/t1/merge", "/tasks/t1/move"]);
});

test("[W4][A5] marks of a conflict are named before they are merged: merged after a yes, or sent back, or left", async () => {
  const body = { code: "CONFIRM", message: "A conflict is not resolved.", files: ["a b.ts"] };
  const marked = async (column: "review" | "done", id: string) => {
    answers.push({ status: 409, body });
    press("Merge into main", card(column, { id }));
    return question();
  };
  const { title, text, items, yes, no, isHarmless, answer } = await marked("review", "t1");
  expect([title, text, items]).toEqual(["#12 is still in conflict", "A conflict is not resolved.", ["a b.ts"]]);
  expect([yes, no, isHarmless]).toEqual(["Merge anyway", "Leave it", undefined]);
  answer(true);
  await vi.waitFor(() => expect(asked).toEqual(["/tasks/t1/merge", "/tasks/t1/merge?confirm=true", "/projects/p"]));
  (await marked("review", "t2")).answer(false);
  const { instead, answer: sayNo, items: files = [] } = await marked("done", "t3");
  sayNo(false);
  instead?.run(files);
  await vi.waitFor(() => expect(open).toHaveBeenCalledOnce());
  expect([instead?.label, suggestedSlot.held()]).toEqual([
    "Send back to resolve",
    { taskId: "t3", text: toFinish(["a b.ts"]) },
  ]);
  expect(toFinish(["a b.ts"])).toContain(":\n\n- `a b.ts`\n\nResolve the conflicts");
  expect(asked.slice(3)).toEqual(["/tasks/t2/merge", "/tasks/t3/merge", "/tasks/t3/move"]);
});

test("[W4] a base that cannot move says where and which files, and is tried again at a press", async () => {
  const body = {
    code: "BASE_NOT_CLEAN",
    message: "main is checked out in /srv/shop.",
    path: "/srv/shop",
    files: ["x"],
  };
  answers.push({ status: 409, body });
  press("Merge into main");
  const { text, items, answer } = await question();
  expect([text, items]).toEqual(["main is checked out in /srv/shop.", ["x"]]);
  answer(true);
  await vi.waitFor(() => expect(asked).toEqual(["/tasks/t1/merge", "/tasks/t1/merge", "/projects/p"]));
  expect(questionSlot.held()).toBeNull();
});

test("[W4] the news of a merge says that the remote does not have it yet, and offers to push the base", async () => {
  const outcome = { kind: "merged", at: START, by: "nora", commit: "c0ffee", base: "main" };
  const remote = { kind: "remote", name: "origin", base: "main", unpushed: ["c0ffee"], apart: null };
  answers.push({ status: 200, body: sampleTask({ outcome } as Partial<Task>) }, { status: 200, body: { remote } });
  press("Merge into main");
  await vi.waitFor(() =>
    expect(told.at(-1)?.text).toBe("#12: Merged into main here; origin’s main does not have it yet."),
  );
  expect(told.at(-1)?.action?.label).toBe("Push main");
  told.at(-1)?.action?.run();
  await vi.waitFor(() => expect(asked).toEqual(["/tasks/t1/merge", "/projects/p", "/tasks/t1/push"]));
  answers.push(
    { status: 200, body: sampleTask({ outcome } as Partial<Task>) },
    { status: 200, body: { remote: null } },
  );
  press("Merge into main");
  await vi.waitFor(() => expect(told.at(-1)?.text).toBe("#12 merged into main"));
});

test("[W4] why a push or a pull request was refused stays until it is answered, and is tried again at a press", async () => {
  const message = "origin does not take camelot/12-retry. It says: “ask ops”";
  const ways = [
    ["Push", "PUSH_REFUSED", "camelot/12-retry was not pushed", "/tasks/t1/push"],
    ["Pull request", "PULL_REQUEST_REFUSED", "The pull request of #12 was not sent", "/tasks/t1/pull-request"],
  ] as const;
  for (const [label, code, title, path] of ways) {
    asked.length = 0;
    told.length = 0;
    answers.push({ status: 409, body: { code, message } });
    const entries = reviewEntries(card("review"), { ...HELP, hasGitHub: true });
    entries.find((entry) => entry.label === label)?.run();
    const held = await question();
    expect([held.title, held.text, held.yes, held.no]).toEqual([title, message, "Try again", "Leave it"]);
    expect(told).toEqual([]);
    held.answer(true);
    await vi.waitFor(() => expect(told.map(({ text }) => text)).toEqual([expect.stringMatching(/^#12/)]));
    expect(asked).toEqual([path, path]);
    expect(questionSlot.held()).toBeNull();
  }
});

test("[W4] where there is no remote, Push says why", () => {
  const whyNoPush = "The project’s repository has no remote to push to.";
  const push = reviewEntries(card("review"), { ...HELP, whyNoPush }).find(({ label }) => label === "Push");
  expect(push?.why).toBe(whyNoPush);
});

test("[W4] discarding asks first, and says that the branch stays", async () => {
  press("Discard");
  const first = await question();
  expect(first.text).toContain("camelot/12-retry stays");
  first.answer(false);
  press("Discard");
  (await question()).answer(true);
  await vi.waitFor(() => expect(asked).toEqual(["/tasks/t1/discard"]));
});
