/** What a person does with a card by its menu, by dragging it or by keys; no part of the board's first load. */
import type { Column } from "@/server/core/words";
import { client, refusalOf } from "../api";
import { ask } from "../ui/ask";
import { attempt, columnName } from "./card-actions";
import type { BoardCard } from "./columns";

/** For administrators, about a machine that nothing can be heard of any more (R3). The server refuses it for any other. */
export async function declareLost({ task, liveId }: BoardCard): Promise<void> {
  if (liveId === null) return;
  const isSure = await ask({
    title: `Declare the runner of #${task.number} lost?`,
    text: "Only for a runner that cannot be reached any more: its seat goes to the next in line. An agent that still works there is not stopped by this.",
    yes: "Declare lost",
    no: "Keep waiting",
  });
  if (!isSure) return;
  await attempt(task, async () => {
    await client.sessions.declareLost({ id: liveId });
  });
}

export async function moveCard(card: BoardCard, column: Column, before: string | null = null): Promise<void> {
  const { task, column: from } = card;
  await attempt(task, async () => {
    const body = { column, before, from };
    try {
      await client.tasks.move({ params: { id: task.id }, body });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.code !== "CONFIRM") throw error;
      const isSure = await ask({
        title: `Stop #${task.number} and move it to ${columnName(column)}?`,
        text: refusal.message,
        yes: "Stop and move",
        no: "Keep running",
      });
      if (isSure) await client.tasks.move({ params: { id: task.id }, query: { confirm: "true" }, body });
    }
  });
}

export async function deleteTask({ task, live }: BoardCard): Promise<void> {
  const isSure = await ask({
    title: `Delete #${task.number}?`,
    text:
      live === null
        ? "The card and its history are deleted. Its branch, if it has one, stays."
        : "Its session is ended first. The card and its history are deleted, its branch stays.",
    yes: "Delete",
    no: "Keep it",
  });
  if (!isSure) return;
  await attempt(task, async () => {
    await client.tasks.remove({ params: { id: task.id }, query: { confirm: "true" } });
  });
}
