"use client";
/** One row of a transcript. Everything that people or agents wrote is text, or Markdown in which nothing can run. */
import { type ComponentType, memo, type ReactNode } from "react";
import type { PlanStep } from "@/server/core/agent/events";
import { marked } from "../output/marked";
import { Icon, type IconName, Mark } from "../ui/icon";
import { withoutDisguise } from "../ui/written";
import type { TranscriptRow } from "./rows";
import { Tool } from "./tool";

/** A longer message is not laid out as Markdown, and only its beginning is shown, in characters. */
const SHOWN_CHARS = 20_000;

interface ItemProps {
  readonly row: TranscriptRow;
  /** Its details are shown. */
  readonly isOpen: boolean;
  readonly toggle: (n: number) => void;
  /** Marked where it stands, in small letters; empty: nothing. */
  readonly sought: string;
  /** Null until its code is there: then words are shown as they were written. */
  readonly Markdown: ComponentType<{ text: string }> | null;
}

export const Item = memo(ItemOnce, (one, other) => {
  const isSame = one.isOpen === other.isOpen && one.sought === other.sought && one.Markdown === other.Markdown;
  return isSame && isSameRow(one.row, other.row);
});

function isSameRow(one: TranscriptRow, other: TranscriptRow): boolean {
  if (one.kind === "lines")
    return other.kind === "lines" && one.n === other.n && one.lines.length === other.lines.length;
  return one === other;
}

function ItemOnce({ row, isOpen, toggle, sought, Markdown }: ItemProps) {
  const open = () => toggle(row.n);
  switch (row.kind) {
    case "agent":
      return (
        <Event icon="think" word="Agent">
          <Words text={row.text} sought={sought} Markdown={Markdown} />
        </Event>
      );
    case "person":
      return (
        <Event icon="right" word="Person" look="asked">
          <Words text={row.text} sought={sought} Markdown={null} />
        </Event>
      );
    case "thought":
      return (
        <Folded
          icon="think"
          word="Thought"
          line={row.text.replace(/\*\*+/g, "").trimStart()}
          isOpen={isOpen}
          open={open}
          sought={sought}
        >
          <Words text={row.text} sought={sought} Markdown={Markdown} />
        </Folded>
      );
    case "tool":
      return <Tool item={row} isOpen={isOpen} toggle={open} sought={sought} />;
    case "plan":
      return (
        <Event icon="bars" word="Plan">
          <Plan steps={row.steps} />
        </Event>
      );
    case "question":
      return (
        <Event mark="asking" word="Question">
          <p className="say pre" dir="auto">
            {withMarks(row.text, sought)}
          </p>
          <p className="dim" dir="auto">
            {row.answer === null ? unanswered(row.isOpen) : <>Answered: {withMarks(row.answer, sought)}</>}
          </p>
        </Event>
      );
    case "note":
      return (
        <Event icon="term" word="In the background" look="quiet">
          <p className="dim pre" dir="auto">
            {withMarks(row.text, sought)}
          </p>
        </Event>
      );
    case "retry":
      return (
        <Event icon="retry" word="Trying again" look="quiet">
          <p className="dim pre" dir="auto">
            Trying again{attemptOf(row)}:{" "}
            {withMarks(row.trouble.message || "the model’s service did not answer", sought)}
          </p>
        </Event>
      );
    case "error":
      return (
        <Event icon="alert" word="Error" look="wrong">
          <p className="say pre bad" dir="auto">
            {withMarks(row.trouble.message, sought)}
          </p>
        </Event>
      );
    case "lines": {
      const count = row.lines.length === 1 ? "1 other line" : `${row.lines.length} other lines`;
      return (
        <Folded icon="term" word={count} line="" isOpen={isOpen} open={open} sought={sought}>
          <figure className="ev-out" aria-label="Lines beside the protocol">
            <pre dir="auto">{withMarks(row.lines.join("\n").slice(0, SHOWN_CHARS), sought)}</pre>
          </figure>
        </Folded>
      );
    }
    default:
      return row satisfies never;
  }
}

interface EventProps {
  readonly icon?: IconName;
  readonly mark?: "asking";
  /** What it is, for who does not see the sign. */
  readonly word: string;
  readonly look?: "asked" | "quiet" | "wrong";
  readonly children: ReactNode;
}

function Event({ icon, mark, word, look, children }: EventProps) {
  return (
    <div className={`ev ${look ?? ""}`}>
      {icon === undefined ? null : <Icon name={icon} small />}
      {mark === undefined ? null : <Mark name={mark} className="attn" />}
      <div className="ev-body">
        <span className="sr">{word}: </span>
        {children}
      </div>
    </div>
  );
}

interface FoldedProps {
  readonly icon: IconName;
  readonly word: string;
  readonly line: string;
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly sought: string;
  readonly children: ReactNode;
}

function Folded({ icon, word, line, isOpen, open, sought, children }: FoldedProps) {
  return (
    <div className="ev quiet">
      <Icon name={icon} small />
      <div className="ev-body">
        <button type="button" className="ev-line" aria-expanded={isOpen} onClick={open}>
          <b>{word}</b>
          {isOpen ? null : (
            <span className="cut" dir="auto">
              {withMarks(line.slice(0, 300), sought)}
            </span>
          )}
        </button>
        {isOpen ? children : null}
      </div>
    </div>
  );
}

function Words({ text, sought, Markdown }: Pick<ItemProps, "sought" | "Markdown"> & { text: string }) {
  // Marks stand in what was written, so that nothing that is sought hides behind its form.
  const isSought = sought !== "" && text.toLowerCase().includes(sought);
  if (Markdown !== null && !isSought && text.length <= SHOWN_CHARS) return <Markdown text={withoutDisguise(text)} />;
  const left = text.length - SHOWN_CHARS;
  return (
    <>
      <p className="say pre" dir="auto">
        {withMarks(text.slice(0, SHOWN_CHARS), sought)}
      </p>
      {left > 0 ? (
        <p className="faint">… {left.toLocaleString("en")} more characters; copy or download has all.</p>
      ) : null}
    </>
  );
}

function unanswered(isOpen: boolean): string {
  return isOpen ? "Waits for an answer." : "Not answered.";
}

const STEPS = {
  done: { mark: "done", word: "done" },
  running: { mark: "running", word: "at work" },
  pending: { mark: "held", word: "to do" },
} as const;

function Plan({ steps }: { steps: readonly PlanStep[] }) {
  return (
    <ul className="ev-plan" aria-label="Plan">
      {steps.map(({ text, status }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the plan
        <li key={place} className={status === "done" ? "dim" : ""}>
          <Mark name={STEPS[status].mark} className={status === "running" ? "accent" : "faint"} />
          <span dir="auto">{withoutDisguise(text)}</span>
          <span className="sr"> ({STEPS[status].word})</span>
        </li>
      ))}
    </ul>
  );
}

function attemptOf({ attempt, max }: { readonly attempt: number | null; readonly max: number | null }): string {
  if (attempt === null) return "";
  return max === null ? ` (${attempt})` : ` (${attempt} of ${max})`;
}

function withMarks(text: string, sought: string): ReactNode {
  const shown = withoutDisguise(text);
  return sought === "" ? shown : marked(shown, sought);
}
