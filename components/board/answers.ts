"use client";
/** What a card's agent asks, and answering it (R12): with one press on the card, in its menu, or on the task's page. */
import type { QuestionView } from "@/server/contract/sessions";
import { client } from "../api";
import type { MenuEntry } from "../ui/menu";
import { toast } from "../ui/toast";
import { attempt } from "./card-actions";
import type { BoardCard } from "./columns";

/** Null: nothing is asked, or its words are still on their way. */
export function askedBy({ task, live, liveId }: BoardCard): QuestionView | null {
  if (live?.phase !== "asking" || task.session?.id !== liveId) return null;
  return task.session.question;
}

/** True once it was taken; that it could not be is told. */
export async function answer({ task, liveId }: BoardCard, option: string): Promise<boolean> {
  if (liveId === null) return false;
  let isTaken = false;
  await attempt(task, async () => {
    await client.sessions.answer({ id: liveId, option });
    isTaken = true;
    toast({ icon: "check", text: `#${task.number} is answered` });
  });
  return isTaken;
}

/** One entry for each answer the agent takes; none when it takes any text. */
export function answerEntries(card: BoardCard): MenuEntry[] {
  const options = askedBy(card)?.options ?? [];
  return options.map((option) => ({
    kind: "entry",
    icon: "check",
    label: `Answer: ${option}`,
    run: () => void answer(card, option),
  }));
}
