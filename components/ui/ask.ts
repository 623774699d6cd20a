/** Asks before something is stopped or lost. The safe answer has the focus (`ask-view.tsx`). */
import { createSlot } from "./slot";

export interface Question {
  readonly title: string;
  readonly text: string;
  /** Named things that are concerned: files, sessions. */
  readonly items?: readonly string[];
  /** Nothing is stopped or lost by a yes. */
  readonly isHarmless?: boolean;
  readonly yes: string;
  readonly no: string;
  /** A way out that is neither: it says no, and does something else with the items. */
  readonly instead?: { readonly label: string; readonly run: (items: readonly string[]) => void };
  readonly answer: (isYes: boolean) => void;
}

export const questionSlot = createSlot<Question>();

export function ask(question: Omit<Question, "answer">): Promise<boolean> {
  return new Promise((answer) => questionSlot.open({ ...question, answer }));
}
