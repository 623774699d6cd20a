/**
 * How a review ends (W4): merge, push, discard, and back from the branch. No part of the board's first load. A merge that
 * conflicts names the files and offers to send the task back; nothing was changed by then.
 */
import type { Task } from "@/server/contract/tasks";
import { client, type Refusal, refusalOf } from "../api";
import { markedName } from "../diff/comment-message";
import { suggestedSlot } from "../task/message-draft";
import { ask } from "../ui/ask";
import type { MenuEntry } from "../ui/menu";
import { toast } from "../ui/toast";
import { attempt } from "./card-actions";
import { moveCard } from "./card-moves";
import { type BoardCard, hasRun } from "./columns";

interface ReviewHelp {
  /** The project's base branch; null: not known yet. */
  readonly base: string | null;
  /** The project has a token for GitHub. */
  readonly hasGitHub: boolean;
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
    const { base } = task.outcome;
    const run = () => void pushTask(task, "base", base ?? "");
    return [{ kind: "entry", icon: "up", label: `Push ${base ?? "the base"}`, run }];
  }
  const { branch } = task;
  const why = task.session?.files === 0 && task.session.workUnsaved === null ? "It changed no files." : null;
  const merge = help.base === null ? MERGE : `${MERGE} into ${help.base}`;
  return [
    { kind: "entry", icon: "merge", label: merge, why, run: () => void mergeTask(card, help) },
    { kind: "entry", icon: "up", label: "Push", why, run: () => void pushTask(task, "branch", branch) },
    ...(help.hasGitHub ? [pullRequestEntry(task, why)] : []),
    { kind: "entry", icon: "x", label: "Discard", isBad: true, run: () => void discardTask(task) },
  ];
}

function pullRequestEntry(task: Task, why: string | null): Extract<MenuEntry, { kind: "entry" }> {
  const label = task.pullRequest?.state === "open" ? "Update pull request" : PULL_REQUEST;
  return { kind: "entry", icon: "branch", label, why, run: () => void requestPull(task) };
}

const PULL_REQUEST = "Pull request";
const MERGE = "Merge";

export function isMerge({ label }: { readonly label: string }): boolean {
  return label.startsWith(MERGE);
}

/** Null: done, or it was said what went wrong. */
async function refusedMerge(task: Task): Promise<Refusal | null> {
  let refused: Refusal | null = null;
  await attempt(task, async () => {
    try {
      const { outcome } = await client.tasks.merge({ id: task.id });
      toast({ icon: "merge", text: `#${task.number} merged into ${outcome?.base ?? "the base"}` });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.code !== "MERGE_CONFLICT" && refusal?.code !== "BASE_NOT_CLEAN") throw error;
      refused = refusal;
    }
  });
  return refused;
}

async function mergeTask(card: BoardCard, help: ReviewHelp): Promise<void> {
  const { task } = card;
  const refused = await refusedMerge(task);
  if (refused === null) return;
  const items = filesOf(refused);
  const base = help.base ?? "the base";
  if (refused.code === "MERGE_CONFLICT") {
    const isSent = await ask({
      ...{ title: `#${task.number} conflicts with ${base}`, text: refused.message, items, isHarmless: true },
      ...{ yes: "Send back to resolve", no: "Leave it" },
    });
    if (isSent) await sendBack(card, help, items);
    return;
  }
  const isAgain = await ask({
    ...{ title: `${base} could not be moved`, text: refused.message, items, isHarmless: true },
    ...{ yes: "Try again", no: "Leave it" },
  });
  if (isAgain) await mergeTask(card, help);
}

function filesOf({ details }: Refusal): string[] {
  const { files } = details;
  return Array.isArray(files) ? files.filter((file) => typeof file === "string") : [];
}

/** Only fills the box: what is sent, and when, is for the person to say. */
async function sendBack(card: BoardCard, { base, open }: ReviewHelp, files: readonly string[]): Promise<void> {
  if (card.column === "done") await moveCard(card, "review");
  suggestedSlot.open({ taskId: card.task.id, text: toResolve(base ?? "the base branch", files) });
  open();
}

export function toResolve(base: string, files: readonly string[]): string {
  const where = files.length === 0 ? "." : `:\n\n${files.map((file) => `- ${markedName(file)}`).join("\n")}`;
  return `Merging this branch into ${markedName(base)} conflicts${where}\n\nBring the branch up to date with ${markedName(base)} (merge it into the branch), resolve the conflicts so that what both sides wanted stays, and check that it works.`;
}

async function pushTask(task: Task, what: "branch" | "base", name: string): Promise<void> {
  await attempt(task, async () => {
    await client.tasks.push({ id: task.id, what });
    toast({ icon: "up", text: `#${task.number}: ${name} is pushed` });
  });
}

async function requestPull(task: Task): Promise<void> {
  await attempt(task, async () => {
    const { pullRequest } = await client.tasks.requestPull({ id: task.id });
    toast({ icon: "branch", text: `#${task.number} is pull request #${pullRequest?.number ?? ""}` });
  });
}

export function isPush({ label }: { readonly label: string }): boolean {
  return label === "Push" || label === PULL_REQUEST || label === "Update pull request";
}

async function discardTask(task: Task): Promise<void> {
  const isSure = await ask({
    title: `Discard #${task.number}?`,
    text: `It goes to Done without a merge. Its branch ${task.branch ?? ""} stays, and Restore takes it up again.`,
    yes: "Discard",
    no: "Keep it",
  });
  if (!isSure) return;
  await attempt(task, async () => {
    await client.tasks.discard({ id: task.id });
    toast({
      icon: "check",
      text: `#${task.number} discarded`,
      action: { label: "Undo", run: () => void restoreTask(task) },
    });
  });
}

async function restoreTask(task: Task): Promise<void> {
  await attempt(task, async () => {
    await client.tasks.restore({ id: task.id });
  });
}
