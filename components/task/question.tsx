"use client";
/** What the agent asks, whole, and the answer (R12): one press where it takes certain ones, else words. */
import { type FormEvent, useId, useState } from "react";
import { answer, askedBy } from "../board/answers";
import type { BoardCard } from "../board/columns";
import { usePending } from "../board/pending";
import { Mark } from "../ui/icon";
import { withoutDisguise } from "../ui/written";

export function QuestionBox({ card }: { card: BoardCard }) {
  const question = askedBy(card);
  const isPending = usePending(card.task.id);
  /** The question that was answered here; the agent takes a moment to go on. */
  const [answeredId, setAnsweredId] = useState<string | null>(null);
  if (question === null) return null;
  const isAnswered = answeredId === question.id;
  const give = async (option: string) => {
    if (await answer(card, option)) setAnsweredId(question.id);
  };
  return (
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
          <Words key={question.id} isPending={isPending} give={give} />
        )}
        <p className="hint">
          It keeps its seat while it waits. Unanswered too long, it ends and its work is committed.
        </p>
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

function Words({ isPending, give }: AnswerProps) {
  const id = useId();
  const [text, setText] = useState("");
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
        onChange={(event) => setText(event.target.value)}
      />
      <div>
        <button type="submit" className="btn ink" disabled={isPending || text.trim() === ""}>
          Answer
        </button>
      </div>
    </form>
  );
}
