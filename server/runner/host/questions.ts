/**
 * What the agent asks of people, one question at a time (R12): a file in the run folder that the server reads, gone once it
 * was answered. The answers come as orders and name their question.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { QUESTION_FILE, writeRunFile } from "./run-folder";

export interface Wish {
  readonly text: string;
  /** None: any text is an answer. */
  readonly options: readonly string[];
}

export interface Questions {
  /** Resolves with the answer; null: it is not asked any more. `token`: by which it can be taken back. */
  ask(token: string, wish: Wish): Promise<string | null>;
  answer(questionId: string, option: string): void;
  /** Without a token: every one. */
  withdraw(token?: string): void;
}

/** Longest text of a question in characters. */
const TEXT_MAX = 4_000;

interface Asked extends Wish {
  readonly id: string;
  readonly token: string;
  readonly settle: (answer: string | null) => void;
}

/** `note`: puts a line of the host into the output, so that the transcript shows what was asked and answered. */
export function createQuestions(
  folder: string,
  mask: (text: string) => string,
  note: (line: object) => void,
): Questions {
  let waiting: Asked[] = [];
  let shown: Asked | null = null;
  let count = 0;
  /** One change of the file after the other. */
  let writing: Promise<void> = Promise.resolve();

  const write = (change: () => Promise<void>) => {
    // Without room for the question nobody can answer it: then it is as if it were never answered.
    writing = writing.then(change).catch(() => {});
  };
  const show = () => {
    const next = waiting[0];
    if (shown || !next) return;
    shown = next;
    const { id, text, options } = next;
    note({ camelot: "question", id, text, options });
    write(() => writeRunFile(folder, QUESTION_FILE, { id, text, options, askedAt: Date.now() }));
  };
  const leave = (asked: Asked, answer: string | null) => {
    waiting = waiting.filter((other) => other !== asked);
    if (shown === asked) {
      shown = null;
      write(() => rm(join(folder, QUESTION_FILE), { force: true }));
    }
    asked.settle(answer);
    show();
  };

  return {
    ask(token, { text, options }) {
      return new Promise((settle) => {
        count += 1;
        const shownText = mask(text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX)}…`);
        waiting.push({ id: `q${count}`, token, text: shownText, options: options.map(mask), settle });
        show();
      });
    },
    answer(questionId, option) {
      if (shown?.id !== questionId) return;
      note({ camelot: "answer", id: questionId, option: mask(option) });
      leave(shown, option);
    },
    withdraw(token) {
      for (const asked of waiting) if (token === undefined || asked.token === token) leave(asked, null);
    },
  };
}
