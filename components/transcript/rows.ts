/** A transcript as rows of the screen, and as the text that is searched, copied and saved. Pure. */
import { fieldsOf, listOf, textOf } from "@/server/core/agent/json";
import type { TranscriptItem } from "@/server/core/agent/transcript";
import { withoutDisguise } from "../ui/written";

type Item<Kind extends TranscriptItem["kind"]> = Extract<TranscriptItem, { kind: Kind }>;
/** `untold`: its agent is over and has not said how it came out. `asked`: somebody is asked whether it may be done. */
export type ToolItem = Omit<Item<"tool">, "status"> & { readonly status: Item<"tool">["status"] | "untold" | "asked" };
/** `isOpen`: an answer is still waited for. */
export type QuestionRow = Item<"question"> & { readonly isOpen: boolean };

/** Lines beside the protocol that follow each other are one row, folded. */
export interface RawRow {
  readonly kind: "lines";
  readonly n: number;
  readonly lines: readonly string[];
}
export type TranscriptRow =
  | Exclude<TranscriptItem, { kind: "raw" | "tool" | "question" }>
  | ToolItem
  | QuestionRow
  | RawRow;

/** `isAtWork`: the agent works on; of one that does not, nothing is under way. */
export function rowsOf(items: readonly TranscriptItem[], isAtWork: boolean): readonly TranscriptRow[] {
  const rows: TranscriptRow[] = [];
  const open = isAtWork ? openQuestion(items) : -1;
  for (const [place, item] of items.entries()) {
    const last = rows.at(-1);
    if (item.kind === "tool") rows.push(!isAtWork || place === open - 1 ? unended(item, isAtWork) : item);
    else if (item.kind === "question") rows.push({ ...item, isOpen: place === open });
    else if (item.kind !== "raw") rows.push(item);
    else if (last?.kind === "lines") rows[rows.length - 1] = { ...last, lines: [...last.lines, item.text] };
    else rows.push({ kind: "lines", n: item.n, lines: [item.text] });
  }
  return rows;
}

/** Place of the question that is the last that was told, and has no answer; -1: there is none. */
function openQuestion(items: readonly TranscriptItem[]): number {
  const place = items.findLastIndex(({ kind }) => kind !== "raw");
  const last = items[place];
  return last?.kind === "question" && last.answer === null ? place : -1;
}

function unended(item: Item<"tool">, isAsked: boolean): ToolItem {
  if (item.status === "done" || item.status === "failed") return item;
  return { ...item, status: isAsked ? "asked" : "untold" };
}

export interface ToolLine {
  /** What is done, in one word. */
  readonly verb: string;
  /** With what: a command, a file, words. */
  readonly what: string;
}

const VERBS: Readonly<Record<ToolItem["toolKind"], string>> = {
  read: "Read",
  edit: "Edit",
  delete: "Delete",
  move: "Move",
  search: "Search",
  execute: "Run",
  think: "Think",
  fetch: "Fetch",
  other: "Use",
};

export function toolLine({ toolKind, name, title }: ToolItem): ToolLine {
  if (toolKind === "execute") return { verb: VERBS.execute, what: withoutDisguise(title) };
  const [first = "", ...rest] = title.split(" ");
  const isSaid = rest.length > 0 && [name, VERBS[toolKind]].some((word) => word?.toLowerCase() === first.toLowerCase());
  const verb = isSaid ? first : toolKind === "other" ? (name ?? VERBS.other) : VERBS[toolKind];
  const what = isSaid ? rest.join(" ") : title === verb ? "" : title;
  return { verb: withoutDisguise(verb), what: withoutDisguise(what) };
}

/** The end of a long path says which file it is; the whole stands where one points at it. */
export function shortPath(what: string): string {
  const parts = what.split("/");
  return what.startsWith("/") && !/\s/.test(what) && parts.length > 5 ? `…/${parts.slice(-3).join("/")}` : what;
}

export interface EditLine {
  readonly sign: "+" | "-" | " ";
  readonly text: string;
}

/** What an edit changed, as far as its input or its result tell it in a form that is known; null: they do not. */
export function editLinesOf({ toolKind, input, output }: ToolItem): readonly EditLine[] | null {
  if (toolKind !== "edit") return null;
  const fields = fieldsOf(input);
  const edits = listOf(fields.edits).map(fieldsOf);
  const parts = (edits.length > 0 ? edits : [fields]).flatMap((part) => {
    const [before, after] = [textOf(part.old_string), textOf(part.new_string) ?? textOf(part.content)];
    return after === null ? [] : replaced(linesOf(before ?? ""), linesOf(after));
  });
  if (parts.length > 0) return parts;
  return /^@@ /m.test(output) ? diffLines(output) : null;
}

function replaced(before: readonly string[], after: readonly string[]): EditLine[] {
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - same;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return [
    ...before.slice(same, before.length - tail).map((text): EditLine => ({ sign: "-", text })),
    ...after.slice(same, after.length - tail).map((text): EditLine => ({ sign: "+", text })),
  ];
}

function diffLines(diff: string): EditLine[] {
  return linesOf(diff).flatMap((line): EditLine[] => {
    const sign = line[0];
    if (/^(@@|\+\+\+|---)/.test(line)) return [];
    return [{ sign: sign === "+" || sign === "-" ? sign : " ", text: line.slice(1) }];
  });
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** What went in, for whoever wants to see it: its own form where it is text, else JSON. */
export function inputText(input: unknown): string {
  if (input === undefined || input === null) return "";
  return typeof input === "string" ? input : JSON.stringify(input, null, 2);
}

/** What of a row is searched. */
export function searchedText(row: TranscriptRow): string {
  switch (row.kind) {
    case "agent":
    case "thought":
    case "person":
    case "note":
      return row.text;
    case "tool":
      return `${row.title}\n${inputText(row.input)}\n${row.output}`;
    case "question":
      return [row.text, ...row.options, row.answer ?? ""].join("\n");
    case "plan":
      return row.steps.map(({ text }) => text).join("\n");
    case "retry":
    case "error":
      return row.trouble.message;
    case "lines":
      return row.lines.join("\n");
    default:
      return row satisfies never;
  }
}

/** The whole as Markdown, to be read anywhere. */
export function textOfRows(rows: readonly TranscriptRow[]): string {
  return rows.map((row) => `${textOfRow(row)}\n`).join("\n");
}

function textOfRow(row: TranscriptRow): string {
  switch (row.kind) {
    case "agent":
    case "note":
      return row.text;
    case "thought":
      return row.text.replace(/^/gm, "> ");
    case "person":
      return `**Asked:** ${row.text}`;
    case "tool": {
      const { verb, what } = toolLine(row);
      const head = `**${verb}** \`${what}\`${row.status === "failed" ? " (failed)" : ""}`;
      const lines =
        editLinesOf(row)
          ?.map(({ sign, text }) => `${sign}${text}`)
          .join("\n") ?? row.output;
      return lines === "" ? head : `${head}\n\n${fenced(lines)}`;
    }
    case "question":
      return `**Question:** ${row.text}\n**Answer:** ${row.answer ?? "none"}`;
    case "plan":
      return row.steps.map(({ text, status }) => `- [${status === "done" ? "x" : " "}] ${text}`).join("\n");
    case "retry":
      return `**Trying again:** ${row.trouble.message}`;
    case "error":
      return `**Error:** ${row.trouble.message}`;
    case "lines":
      return fenced(row.lines.join("\n"));
    default:
      return row satisfies never;
  }
}

/** A fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, "")}\n${fence}`;
}
