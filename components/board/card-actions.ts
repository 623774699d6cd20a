"use client";
/**
 * What a person does with a card by its own button; the rest is in `card-moves.ts`. Every verb calls the server, says in one
 * sentence when it said no, and leaves it to the live channel to move the card. Asks only before something running is
 * stopped or something is deleted; elsewhere offers to take it back.
 */
import type { Task } from "@/server/contract/tasks";
import type { Column } from "@/server/core/words";
import { client, sentenceOf } from "../api";
import { announce } from "../ui/announce";
import { ask } from "../ui/ask";
import { toast } from "../ui/toast";
import { inSentence } from "../ui/written";
import type { BoardCard } from "./columns";
import { whilePending } from "./pending";

const NAMES: Record<Column, string> = {
  backlog: "Backlog",
  waiting: "Waiting",
  running: "Running",
  review: "Review",
  done: "Done",
};

export function columnName(column: Column): string {
  return NAMES[column];
}

/** `withdrawnId`: the session whose agent and message it is once more; absent: a new conversation with the task's prompt. */
export function dispatchTask(task: Task, withdrawnId: string | null = null): Promise<void> {
  return attempt(task, async () => {
    const body = withdrawnId === null ? {} : await wishOf(withdrawnId);
    const { existing } = await client.tasks.dispatch({ params: { id: task.id }, body });
    if (existing) toast({ icon: "play", text: `#${task.number} was dispatched already` });
  });
}

async function wishOf(sessionId: string) {
  const { agentId, message } = await client.sessions.get({ id: sessionId });
  return { agentId, ...(message === null ? {} : { message }) };
}

export async function withdraw({ task, liveId }: BoardCard): Promise<void> {
  if (liveId === null) return;
  await attempt(task, async () => {
    await client.sessions.cancel({ id: liveId });
    toast({
      icon: "undo",
      text: `#${task.number} withdrawn from the line`,
      action: { label: "Undo", run: () => void dispatchTask(task, liveId) },
    });
  });
}

/** `agent` and `elapsed` are for the question's sentence; a name that is not known yet is empty. */
export async function stopSession({ task, liveId }: BoardCard, agent: string, elapsed: string): Promise<void> {
  if (liveId === null) return;
  const isSure = await ask({
    title: `Stop #${task.number}?`,
    text: `${inSentence(agent) || "The agent"} has been running for ${elapsed}. It is asked to stop and is forced after 15 s. Its work is committed on the branch, and the seat goes to the next in line.`,
    yes: "Stop",
    no: "Keep running",
  });
  if (!isSure) return;
  await attempt(task, async () => {
    await client.sessions.cancel({ id: liveId });
  });
}

/** Says what went wrong, beside the card that is being worked on. `doing`: what may last, such as "Merging". */
export async function attempt(task: Task, work: () => Promise<void>, doing: string | null = null): Promise<void> {
  await whilePending(task.id, doing, async () => {
    if (doing !== null) announce(`#${task.number}: ${doing}…`);
    try {
      await work();
    } catch (error) {
      toast({ icon: "alert", isBad: true, text: `#${task.number}: ${sentenceOf(error)}` });
    }
  });
}
