"use client";
/** A tool call: one line that says what is done with what, and below it what came out; what went in on demand. */
import type { ReactNode } from "react";
import { AT_LINE_START, readAnsi, textOfLines } from "../output/ansi";
import { marked } from "../output/marked";
import { Icon, type IconName } from "../ui/icon";
import { LineCounts } from "../ui/line-counts";
import { withoutDisguise } from "../ui/written";
import { type EditLine, editLinesOf, inputText, shortPath, type ToolItem, toolLine } from "./rows";

/** Lines of output that are shown before somebody asks for more. */
const FOLDED_LINES = 6;
/** Characters of one call that are laid out at once; the terminal and the download have all. */
const SHOWN_CHARS = 20_000;

const ICONS: Readonly<Record<ToolItem["toolKind"], IconName>> = {
  read: "file",
  edit: "pen",
  delete: "x",
  move: "arrow",
  search: "search",
  execute: "term",
  think: "think",
  fetch: "link",
  other: "right",
};

interface ToolProps {
  readonly item: ToolItem;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly sought: string;
}

export function Tool({ item, isOpen, toggle, sought }: ToolProps) {
  const { verb, what } = toolLine(item);
  const edits = editLinesOf(item);
  return (
    <div className="ev tool">
      <Icon name={ICONS[item.toolKind]} small />
      <div className="ev-body">
        <button type="button" className="ev-line" aria-expanded={isOpen} onClick={toggle} title={what}>
          <b dir="auto">{verb}</b>
          <span className="cut" dir="auto">
            {withMarks(shortPath(what), sought)}
          </span>
          <Result item={item} edits={edits} />
        </button>
        {isOpen ? <Input item={item} sought={sought} /> : null}
        {edits === null ? (
          <Output item={item} isOpen={isOpen} sought={sought} toggle={toggle} />
        ) : (
          <Edits lines={edits} isOpen={isOpen} toggle={toggle} />
        )}
      </div>
    </div>
  );
}

function Result({ item, edits }: { item: ToolItem; edits: readonly EditLine[] | null }) {
  if (item.status === "failed") return <span className="ev-result bad">failed</span>;
  if (item.status === "untold") return <span className="ev-result faint">no end told</span>;
  if (item.status === "asked") return <span className="ev-result faint">not yet allowed</span>;
  if (item.status !== "done") {
    return (
      <span className="ev-result">
        <span className="tail" aria-hidden="true" />
        <span className="sr">at work</span>
      </span>
    );
  }
  if (edits === null) return null;
  const count = (sign: EditLine["sign"]) => edits.filter((line) => line.sign === sign).length;
  return (
    <span className="ev-result">
      <LineCounts added={count("+")} removed={count("-")} />
    </span>
  );
}

/** Everything that the line above does not say already. */
function Input({ item, sought }: { item: ToolItem; sought: string }) {
  const { command } = (item.input ?? {}) as { readonly command?: unknown };
  const text = item.toolKind === "execute" && typeof command === "string" ? command : inputText(item.input);
  if (text === "") return null;
  return <Block label="What went in">{withMarks(withoutDisguise(text.slice(0, SHOWN_CHARS)), sought)}</Block>;
}

function Output({ item, isOpen, toggle, sought }: ToolProps) {
  const isShown = isOpen || item.toolKind === "execute" || item.status === "failed";
  if (item.output === "" || !isShown) return null;
  const { lines: whole } = readAnsi(AT_LINE_START, `${item.output.slice(0, SHOWN_CHARS).replace(/\n$/, "")}\n`);
  const lines = textOfLines(whole).replace(/\n$/, "").split("\n");
  const shown = isOpen ? lines : lines.slice(0, FOLDED_LINES);
  return (
    <>
      <Block label="What came out">{withMarks(withoutDisguise(shown.join("\n")), sought)}</Block>
      <More count={lines.length - shown.length} toggle={toggle} />
    </>
  );
}

const EDIT_CLASSES = { "+": "add", "-": "del", " ": "" } as const;

function Edits({ lines, isOpen, toggle }: { lines: readonly EditLine[]; isOpen: boolean; toggle: () => void }) {
  const shown = isOpen ? lines.slice(0, SHOWN_CHARS / 10) : lines.slice(0, FOLDED_LINES);
  if (shown.length === 0) return null;
  return (
    <>
      <Block label="What changed">
        {shown.map(({ sign, text }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an edit that was made never change
          <span key={place} className={`ev-edit ${EDIT_CLASSES[sign]}`}>
            {sign === "-" ? "−" : sign} {withoutDisguise(text)}
            {"\n"}
          </span>
        ))}
      </Block>
      <More count={isOpen ? 0 : lines.length - shown.length} toggle={toggle} />
    </>
  );
}

function Block({ label, children }: { label: string; children: ReactNode }) {
  return (
    <figure className="ev-out" aria-label={label}>
      <pre dir="auto">{children}</pre>
    </figure>
  );
}

function More({ count, toggle }: { count: number; toggle: () => void }) {
  if (count <= 0) return null;
  return (
    <button type="button" className="btn sm ghost ev-more" onClick={toggle}>
      {count === 1 ? "1 more line" : `${count} more lines`}
    </button>
  );
}

function withMarks(text: string, sought: string): ReactNode {
  return sought === "" ? text : marked(text, sought);
}
