/**
 * From an agent's raw text to lines that a page can show: colours and links as data, progress lines collapsed to their last
 * state, every other escape and control character left out, NUL as a mark. Pure, never throws, makes no markup. Text may
 * come in any pieces: what a piece leaves open is in the state that the next one starts from.
 */
import { type EscapeEffect, readEscape } from "./escapes";
import { linked, PLAIN, styleAfter, type TextStyle } from "./text-style";

export interface Span {
  readonly text: string;
  readonly style: TextStyle;
}

export interface Line {
  readonly spans: readonly Span[];
  /** Too long for one row of the screen: it goes on in the next one, without a line break between them. */
  readonly goesOn: boolean;
}

export interface ReadState {
  readonly style: TextStyle;
  /** The beginning of an escape whose end has not come yet. */
  readonly partial: string;
  /** The line that is not over yet. */
  readonly open: readonly Span[];
  /** The cursor stands at the line's beginning: what comes next replaces it. */
  readonly isReturned: boolean;
}

/** Nothing is open: whoever starts here reads the same as after everything before. */
export const AT_LINE_START: ReadState = { style: PLAIN, partial: "", open: [], isReturned: false };
/** Characters in one row of the screen. */
export const ROW_MAX_CHARS = 1_000;
/** Stands for any number of NUL bytes in a row. */
const NUL_MARK = "\u2400";

export interface ReadResult {
  readonly lines: readonly Line[];
  readonly state: ReadState;
}

export function readAnsi(from: ReadState, text: string): ReadResult {
  const page = new Page(from);
  const whole = from.partial + text;
  let at = 0;
  while (at < whole.length) {
    const start = at;
    while (at < whole.length && !isControl(whole.charCodeAt(at))) at++;
    if (at > start) page.write(whole.slice(start, at));
    if (at >= whole.length) break;
    if (whole[at] !== "\u001b") {
      page.control(whole[at] ?? "");
      at++;
      continue;
    }
    const found = readEscape(whole, at);
    if (found.kind === "partial") return page.result(whole.slice(at));
    page.apply(found.effect);
    at = found.end;
  }
  return page.result("");
}

export function textOfLine({ spans }: Line): string {
  return spans.length === 1 ? (spans[0]?.text ?? "") : spans.map(({ text }) => text).join("");
}

/** The text as a person would copy it. */
export function textOfLines(lines: Iterable<Line>): string {
  let text = "";
  for (const line of lines) text += textOfLine(line) + (line.goesOn ? "" : "\n");
  return text;
}

/** The line being written and those that are over. */
class Page {
  private readonly lines: Line[] = [];
  private open: Span[];
  private length: number;
  private style: TextStyle;
  private isReturned: boolean;

  constructor({ open, style, isReturned }: ReadState) {
    this.open = [...open];
    this.length = open.reduce((sum, { text }) => sum + text.length, 0);
    this.style = style;
    this.isReturned = isReturned;
  }

  write(text: string): void {
    if (this.isReturned) this.clear();
    let rest = text;
    while (this.length + rest.length > ROW_MAX_CHARS) {
      const cut = wholeCharacters(rest, ROW_MAX_CHARS - this.length);
      this.append(rest.slice(0, cut));
      this.endRow(true);
      rest = rest.slice(cut);
    }
    this.append(rest);
  }

  control(letter: string): void {
    if (letter === "\n") this.endRow(false);
    else if (letter === "\r") this.isReturned = true;
    else if (letter === "\t") this.write("\t");
    else if (letter === "\b") this.stepBack();
    else if (letter === "\u0000" && !this.open.at(-1)?.text.endsWith(NUL_MARK)) this.write(NUL_MARK);
  }

  apply(effect: EscapeEffect): void {
    if (effect.kind === "style") this.style = styleAfter(this.style, effect.parameters);
    if (effect.kind === "link") this.style = linked(this.style, effect.address);
    if (effect.kind === "clear-line") this.clear();
  }

  result(partial: string): ReadResult {
    const { style, open, isReturned } = this;
    const isNothingOpen = partial === "" && style === PLAIN && open.length === 0 && !isReturned;
    return { lines: this.lines, state: isNothingOpen ? AT_LINE_START : { style, partial, open, isReturned } };
  }

  private append(text: string): void {
    if (text === "") return;
    const last = this.open.at(-1);
    if (last !== undefined && last.style === this.style) {
      this.open[this.open.length - 1] = { text: last.text + text, style: last.style };
    } else {
      this.open.push({ text, style: this.style });
    }
    this.length += text.length;
  }

  private endRow(goesOn: boolean): void {
    this.lines.push({ spans: this.open, goesOn });
    this.open = [];
    this.length = 0;
    this.isReturned = false;
  }

  private clear(): void {
    this.open = [];
    this.length = 0;
    this.isReturned = false;
  }

  private stepBack(): void {
    const last = this.open.pop();
    if (last === undefined) return;
    const text = [...last.text].slice(0, -1).join("");
    this.length -= last.text.length - text.length;
    if (text !== "") this.open.push({ text, style: last.style });
  }
}

/** How many of at most `most` code units can stand in a row without cutting a character in two. */
function wholeCharacters(text: string, most: number): number {
  const code = text.charCodeAt(most - 1);
  return code >= 0xd800 && code <= 0xdbff ? most - 1 : most;
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}
