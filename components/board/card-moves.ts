/** What a person does with a card by its menu, by dragging it or by keys; no part of the board's first load. */
import type { Column } from "@/server/core/words";
import { client } from "../api";
import { type Confirmation, confirming } from "../confirming";
import { announce } from "../ui/announce";
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

/** `said`: what readers of the screen are told once it is there. */
export async function moveCard(
  card: BoardCard,
  column: Column,
  before: string | null = null,
  said = `#${card.task.number} is in ${columnName(column)}`,
): Promise<void> {
  const { task, column: from } = card;
  await attempt(task, async () => {
    const body = { column, before, from };
    const title = `Stop #${task.number} and move it to ${columnName(column)}?`;
    const again = { title, yes: "Stop and move", no: "Keep running" };
    const params = { id: task.id };
    if (await confirming(again, (query) => client.tasks.move({ params, query, body }))) announce(said);
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
    const params = { id: task.id };
    const remove = (query: Confirmation) => client.tasks.remove({ params, query });
    const again = { title: `Delete #${task.number} all the same?`, yes: "Delete", no: "Keep it" };
    // That its session ends was said. What else is lost, the server says.
    if (live !== null) await remove({ confirm: "true" });
    else if (!(await confirming(again, remove))) return;
    announce(`#${task.number} is deleted`);
  });
}
