/**
 * How a review ends (W4): merge, push, discard, and back from the branch. No part of the board's first load. A merge that
 * conflicts names the files and offers to send the task back; nothing was changed by then. So does one that would bring the
 * marks of a conflict into the base, which may be meant. Why a push was refused stays until it is read, too.
 */
import type { Task } from "@/server/contract/tasks";
import { client, type Refusal, refusalOf } from "../api";
import { confirming, filesOf } from "../confirming";
import { suggestedSlot } from "../task/message-draft";
import { isBasePushed, notPushed } from "../task/not-pushed";
import { ask } from "../ui/ask";
import type { MenuEntry } from "../ui/menu";
import { toast } from "../ui/toast";
import { inSentence } from "../ui/written";
import { attempt } from "./card-actions";
import { moveCard } from "./card-moves";
import { type BoardCard, hasRun } from "./columns";
import { conflictsOf, itemsOf, toFinish, toResolve } from "./conflict-message";

interface ReviewHelp {
  /** The project's base branch; null: not known yet. */
  readonly base: string | null;
  /** The project has a token for GitHub. */
  readonly hasGitHub: boolean;
  /** Why nothing can be pushed from its repository. */
  readonly whyNoPush?: string | null;
  /** How many commits of the base its remote lacks; null or absent: not known. */
  readonly unpushed?: number | null;
  /** Shows the task. */
  readonly open: () => void;
}

/** For a card's menu and the task's head; none where nothing was reviewed. */
export function reviewEntries(card: BoardCard, help: ReviewHelp): Extract<MenuEntry, { kind: "entry" }>[] {
  const { task, column } = card;
  if (task.branch === null || !hasRun(task) || (column !== "review" && column !== "done")) return [];
  if (task.outcome?.kind === "discarded") {
    return [{ kind: "entry", icon: "undo", label: "Restore", run: () => void restoreTask(task) }];
  }
  if (task.outcome?.kind === "merged") {
    if (isBasePushed(task, help.unpushed ?? null)) return [];
    const { base } = task.outcome;
    const run = () => void pushTask(task, "base", base ?? "");
    return [
      {
        kind: "entry",
        icon: "up",
        label: `Push ${inSentence(base ?? "the base")}`,
        doing: PUSHING,
        why: help.whyNoPush ?? null,
        run,
      },
    ];
  }
  const { branch } = task;
  const why = task.session?.files === 0 && task.session.workUnsaved === null ? "It changed no files." : null;
  const merge = help.base === null ? MERGE : `${MERGE} into ${inSentence(help.base)}`;
  return [
    { kind: "entry", icon: "merge", label: merge, doing: MERGING, why, run: () => void mergeTask(card, help) },
    {
      kind: "entry",
      icon: "up",
      label: "Push",
      doing: PUSHING,
      why: why ?? help.whyNoPush ?? null,
      run: () => void pushTask(task, "branch", branch),
    },
    ...(help.hasGitHub ? [pullRequestEntry(task, why)] : []),
    { kind: "entry", icon: "x", label: "Discard", doing: DISCARDING, isBad: true, run: () => void discardTask(task) },
  ];
}

function pullRequestEntry(task: Task, why: string | null): Extract<MenuEntry, { kind: "entry" }> {
  const label = task.pullRequest?.state === "open" ? "Update pull request" : PULL_REQUEST;
  return { kind: "entry", icon: "branch", label, doing: OPENING, why, run: () => void requestPull(task) };
}

const PULL_REQUEST = "Pull request";
const MERGE = "Merge";
const MERGING = "Merging";
const PUSHING = "Pushing";
const DISCARDING = "Discarding";
const OPENING = "Opening";
const SEND_BACK = "Send back to resolve";

export function isMerge({ label }: { readonly label: string }): boolean {
  return label.startsWith(MERGE);
}

type NotMerged = Refusal | { readonly code: "SENT_BACK"; readonly files: readonly string[] };

/** Null: done, left as it is, or it was said what went wrong. */
async function refusedMerge(task: Task, base: string): Promise<NotMerged | null> {
  let sentBack: NotMerged | null = null;
  const sendBackInstead = (files: readonly string[]) => {
    sentBack = { code: "SENT_BACK", files };
  };
  const again = {
    title: `#${task.number} is still in conflict`,
    yes: "Merge anyway",
    no: "Leave it",
    instead: { label: SEND_BACK, run: sendBackInstead },
  };
  const merge = async () => {
    await confirming(again, async (query) => {
      const { outcome } = await client.tasks.merge({ params: { id: task.id }, query });
      await tellMerged(task, outcome, base);
    });
  };
  const refused = await refusedOf(task, merge, MERGING, ["MERGE_CONFLICT", "BASE_NOT_CLEAN"]);
  return sentBack ?? refused;
}

/** The same; `codes`: what is no passing news, as one has to read it and do something. */
async function refusedOf(
  task: Task,
  work: () => Promise<void>,
  doing: string,
  codes: readonly Refusal["code"][],
): Promise<Refusal | null> {
  let refused: Refusal | null = null;
  const tried = async () => {
    try {
      await work();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null || !codes.includes(refusal.code)) throw error;
      refused = refusal;
    }
  };
  await attempt(task, tried, doing);
  return refused;
}

/** The reason stays until it is read. */
function askAgain(title: string, refused: Refusal): Promise<boolean> {
  const items = filesOf(refused);
  return ask({ title, text: refused.message, items, isHarmless: true, yes: "Try again", no: "Leave it" });
}

/** Where the remote lacks the merge now, that is a part of the news. What cannot be found out is left out. */
async function tellMerged(task: Task, outcome: Task["outcome"], base: string): Promise<void> {
  const into = outcome?.base ?? base;
  const looked = await client.projects.get({ id: task.projectId }).catch(() => null);
  const unpushed = looked?.remote?.kind === "remote" ? notPushed({ outcome }, looked.remote) : null;
  if (unpushed === null) return toast({ icon: "merge", text: `#${task.number} merged into ${inSentence(into)}` });
  const push = { label: `Push ${inSentence(into)}`, run: () => void pushTask(task, "base", into) };
  toast({ icon: "merge", text: `#${task.number}: ${unpushed}`, action: push });
}

async function mergeTask(card: BoardCard, help: ReviewHelp): Promise<void> {
  const { task } = card;
  const base = help.base ?? "the base";
  const refused = await refusedMerge(task, base);
  if (refused === null) return;
  if (refused.code === "SENT_BACK") return sendBack(card, help, toFinish(refused.files));
  if (refused.code === "MERGE_CONFLICT") {
    const conflicts = conflictsOf(refused);
    const isSent = await ask({
      title: `#${task.number} conflicts with ${inSentence(base)}`,
      text: refused.message,
      items: itemsOf(conflicts),
      isHarmless: true,
      yes: SEND_BACK,
      no: "Leave it",
    });
    if (isSent) await sendBack(card, help, toResolve(help.base ?? "the base branch", conflicts));
    return;
  }
  if (await askAgain(`${inSentence(base)} could not be moved`, refused)) await mergeTask(card, help);
}

/** Only fills the box: what is sent, and when, is for the person to say. */
async function sendBack(card: BoardCard, { open }: ReviewHelp, text: string): Promise<void> {
  if (card.column === "done") await moveCard(card, "review");
  suggestedSlot.open({ taskId: card.task.id, text });
  open();
}

const NOT_SENT = ["PUSH_REFUSED", "PULL_REQUEST_REFUSED", "BASE_NOT_CLEAN"] as const;

async function pushTask(task: Task, what: "branch" | "base", name: string): Promise<void> {
  const push = async () => {
    await client.tasks.push({ id: task.id, what });
    toast({ icon: "up", text: `#${task.number}: ${inSentence(name)} is pushed` });
  };
  const refused = await refusedOf(task, push, PUSHING, NOT_SENT);
  if (refused === null) return;
  if (await askAgain(`${inSentence(name)} was not pushed`, refused)) await pushTask(task, what, name);
}

async function requestPull(task: Task): Promise<void> {
  const request = async () => {
    const { pullRequest } = await client.tasks.requestPull({ id: task.id });
    toast({ icon: "branch", text: `#${task.number} is pull request #${pullRequest?.number ?? ""}` });
  };
  const refused = await refusedOf(task, request, OPENING, NOT_SENT);
  if (refused === null) return;
  if (await askAgain(`The pull request of #${task.number} was not sent`, refused)) await requestPull(task);
}

export function isPush({ label }: { readonly label: string }): boolean {
  return label === "Push" || label === PULL_REQUEST || label === "Update pull request";
}

async function discardTask(task: Task): Promise<void> {
  const isSure = await ask({
    title: `Discard #${task.number}?`,
    text: `It goes to Done without a merge. Its branch ${inSentence(task.branch ?? "")} stays, and Restore takes it up again.`,
    yes: "Discard",
    no: "Keep it",
  });
  if (!isSure) return;
  await attempt(
    task,
    async () => {
      await client.tasks.discard({ id: task.id });
      toast({
        icon: "check",
        text: `#${task.number} discarded`,
        action: { label: "Undo", run: () => void restoreTask(task) },
      });
    },
    DISCARDING,
  );
}

async function restoreTask(task: Task): Promise<void> {
  await attempt(task, async () => {
    await client.tasks.restore({ id: task.id });
  });
}
