"use client";
/**
 * What the agent asks, whole, and the answer (R12): one press where it takes certain ones, else words. Words that were not
 * sent when the question ended stay, and can go into the message.
 */
import { type FormEvent, useId, useState } from "react";
import { answer, askedBy } from "../board/answers";
import type { BoardCard } from "../board/columns";
import { usePending } from "../board/pending";
import { Icon, Mark } from "../ui/icon";
import { withoutDisguise } from "../ui/written";
import { createKeptText, useKeptText } from "./kept-text";
import { suggestedSlot } from "./message-draft";

/** The id of the question, a line break, and the words. */
const answers = createKeptText("camelot.answer.");

export function QuestionBox({ card }: { card: BoardCard }) {
  const { id: taskId } = card.task;
  const question = askedBy(card);
  const isPending = usePending(taskId) !== null;
  const typed = typedIn(useKeptText(answers, taskId));
  /** The question that was answered here; the agent takes a moment to go on. */
  const [answeredId, setAnsweredId] = useState<string | null>(null);
  const isUnsent = typed !== null && typed.questionId !== question?.id && !isPending;
  if (question === null) return isUnsent ? <Unsent taskId={taskId} text={typed.text} /> : null;
  const isAnswered = answeredId === question.id;
  const give = async (option: string) => {
    if (!(await answer(card, question.id, option))) return;
    setAnsweredId(question.id);
    answers.keep(taskId, null);
  };
  return (
    <>
      {isUnsent ? <Unsent taskId={taskId} text={typed.text} /> : null}
      <section className="question" aria-label="Question of the agent">
        <Mark name="asking" className="attn" />
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
          <p className="question-text" dir="auto">
            {withoutDisguise(question.text)}
          </p>
          {isAnswered ? (
            <p className="dim" role="status">
              Answered. The agent goes on.
            </p>
          ) : question.options.length > 0 ? (
            <Options options={question.options} isPending={isPending} give={give} />
          ) : (
            <Words
              key={question.id}
              text={typed?.questionId === question.id ? typed.text : ""}
              change={(text) => answers.keep(taskId, text === "" ? null : `${question.id}\n${text}`)}
              isPending={isPending}
              give={give}
            />
          )}
          <p className="hint">
            It keeps its seat while it waits. Unanswered too long, it ends and its work is committed.
          </p>
        </div>
      </section>
    </>
  );
}

function typedIn(kept: string | null): { readonly questionId: string; readonly text: string } | null {
  const at = kept?.indexOf("\n") ?? -1;
  return kept === null || at < 0 ? null : { questionId: kept.slice(0, at), text: kept.slice(at + 1) };
}

/** Somebody else answered, or the time was over, while one was writing. */
function Unsent({ taskId, text }: { taskId: string; text: string }) {
  return (
    <section className="question" aria-label="Your answer was not sent">
      <Icon name="alert" className="attn" />
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
        <p role="status">The question is over. What you were writing was not sent:</p>
        <p className="question-text" dir="auto">
          {withoutDisguise(text)}
        </p>
        <div className="flex flex-wrap gap-2">
          <button
            type="button"
            className="btn"
            onClick={() => {
              suggestedSlot.open({ taskId, text });
              answers.keep(taskId, null);
            }}
          >
            Put it into the message
          </button>
          <button type="button" className="btn ghost" onClick={() => answers.keep(taskId, null)}>
            Throw it away
          </button>
        </div>
      </div>
    </section>
  );
}

interface AnswerProps {
  readonly isPending: boolean;
  readonly give: (option: string) => Promise<void>;
}

function Options({ options, isPending, give }: AnswerProps & { options: readonly string[] }) {
  return (
    <div className="flex flex-wrap gap-2">
      {options.map((option) => (
        <button
          key={option}
          type="button"
          className="btn h-auto! min-h-[var(--ctl-h)] max-w-full whitespace-normal! py-1 text-start"
          disabled={isPending}
          onClick={() => void give(option)}
        >
          <span className="min-w-0 [overflow-wrap:anywhere]" dir="auto">
            {option}
          </span>
        </button>
      ))}
    </div>
  );
}

interface WordsProps extends AnswerProps {
  readonly text: string;
  readonly change: (text: string) => void;
}

function Words({ text, change, isPending, give }: WordsProps) {
  const id = useId();
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") void give(text);
  };
  return (
    <form className="grid gap-2" onSubmit={send}>
      <label className="label" htmlFor={id}>
        Your answer
      </label>
      <textarea
        id={id}
        className="textarea"
        rows={3}
        dir="auto"
        value={text}
        onChange={(event) => change(event.target.value)}
      />
      <div>
        <button type="submit" className="btn ink" disabled={isPending || text.trim() === ""}>
          Answer
        </button>
      </div>
    </form>
  );
}
