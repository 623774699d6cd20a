"use client";
/** What a card's agent asks, and answering it (R12): with one press on the card, in its menu, or on the task's page. */
import { useEffect } from "react";
import type { QuestionView } from "@/server/contract/sessions";
import { client } from "../api";
import { closeMenuAbout, type MenuEntry } from "../ui/menu";
import { toast } from "../ui/toast";
import { attempt } from "./card-actions";
import type { BoardCard } from "./columns";

/** Null: nothing is asked, or its words are still on their way. */
export function askedBy({ task, live, liveId }: BoardCard): QuestionView | null {
  if (live?.phase !== "asking" || task.session?.id !== liveId) return null;
  return task.session.question;
}

/** True once it was taken; that it could not be is told. `questionId`: of the question that was on the screen. */
export async function answer({ task, liveId }: BoardCard, questionId: string, option: string): Promise<boolean> {
  if (liveId === null) return false;
  let isTaken = false;
  await attempt(task, async () => {
    await client.sessions.answer({ id: liveId, questionId, option });
    isTaken = true;
    toast({ icon: "check", text: `#${task.number} is answered` });
  });
  return isTaken;
}

/** The question and one entry for each answer the agent takes; nothing when it takes any text. */
export function answerEntries(card: BoardCard): MenuEntry[] {
  const question = askedBy(card);
  if (question === null || question.options.length === 0) return [];
  const { id, text, options } = question;
  const entries = options.map(
    (option): MenuEntry => ({
      kind: "entry",
      // Which of them allows and which refuses is the agent's to say.
      icon: null,
      label: `Answer: ${option}`,
      hint: text,
      run: () => void answer(card, id, option),
    }),
  );
  return [{ kind: "head", text }, ...entries];
}

/** What a menu with answers stands and falls with; null: nothing is asked. */
export function aboutQuestion(card: BoardCard): string | null {
  const question = askedBy(card);
  return question && `${card.liveId} ${question.id}`;
}

/** Once something else is asked, or nothing, a menu that is open for the question before is closed: it would answer unread. */
export function useAnswersInTime(card: BoardCard): void {
  const about = aboutQuestion(card);
  useEffect(() => (about === null ? undefined : () => closeMenuAbout(about)), [about]);
}
