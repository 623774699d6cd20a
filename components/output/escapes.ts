/**
 * Reads one terminal escape sequence out of a text. Pure, and never throws whatever stands there: what it does not know is
 * read to its end and has no effect. A sequence that never ends is given up at a line break or after `ESCAPE_MAX_CHARS`.
 */

/** Longer sequences are junk; longer links are no links. */
const ESCAPE_MAX_CHARS = 4_096;

export type EscapeEffect =
  | { readonly kind: "nothing" }
  /** Select graphic rendition: colours and weights. */
  | { readonly kind: "style"; readonly parameters: string }
  /** What is written next belongs to this address; null ends it. */
  | { readonly kind: "link"; readonly address: string | null }
  | { readonly kind: "clear-line" };

export type Escape =
  /** The rest of it may still come. */
  { readonly kind: "partial" } | { readonly kind: "read"; readonly end: number; readonly effect: EscapeEffect };

const ESC = 0x1b;
const BEL = 0x07;
const NOTHING: EscapeEffect = { kind: "nothing" };

/** `at`: where the escape character stands. */
export function readEscape(text: string, at: number): Escape {
  const second = text[at + 1];
  if (second === undefined) return { kind: "partial" };
  if (second === "[") return readControl(text, at + 2);
  if (second === "]") return readString(text, at + 2, true);
  if ("PX^_".includes(second)) return readString(text, at + 2, false);
  let end = at + 1;
  while (isBetween(text.charCodeAt(end), 0x20, 0x2f)) end++;
  if (end >= text.length) return tooLong(at, end);
  const isFinal = isBetween(text.charCodeAt(end), 0x30, 0x7e);
  return { kind: "read", end: isFinal ? end + 1 : end, effect: NOTHING };
}

/** `ESC [ … letter`. */
function readControl(text: string, start: number): Escape {
  let end = start;
  while (isBetween(text.charCodeAt(end), 0x20, 0x3f)) end++;
  if (end >= text.length) return tooLong(start, end);
  // What cannot stand in such a sequence ends it and is read as what it is.
  if (!isBetween(text.charCodeAt(end), 0x40, 0x7e)) return { kind: "read", end, effect: NOTHING };
  const parameters = text.slice(start, end);
  return { kind: "read", end: end + 1, effect: effectOf(text[end] ?? "", parameters) };
}

function effectOf(letter: string, parameters: string): EscapeEffect {
  if (letter === "m" && /^[\d;:]*$/.test(parameters)) return { kind: "style", parameters };
  if (letter === "K" && parameters === "2") return { kind: "clear-line" };
  return NOTHING;
}

/** `ESC ] … BEL` or `ESC ] … ESC \`; the other kinds of strings have no effect. */
function readString(text: string, start: number, isCommand: boolean): Escape {
  const most = start + ESCAPE_MAX_CHARS;
  for (let end = start; end < text.length && end < most; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x0a || code === 0x0d) return { kind: "read", end, effect: NOTHING };
    if (code === BEL) return { kind: "read", end: end + 1, effect: commandOf(text.slice(start, end), isCommand) };
    if (code !== ESC) continue;
    if (end + 1 >= text.length) return { kind: "partial" };
    if (text[end + 1] !== "\\") return { kind: "read", end, effect: NOTHING };
    return { kind: "read", end: end + 2, effect: commandOf(text.slice(start, end), isCommand) };
  }
  return tooLong(start, Math.min(text.length, most));
}

function commandOf(content: string, isCommand: boolean): EscapeEffect {
  if (!isCommand || !content.startsWith("8;")) return NOTHING;
  const address = content.slice(content.indexOf(";", 2) + 1);
  if (content.indexOf(";", 2) < 0) return NOTHING;
  return { kind: "link", address: safeAddress(address) };
}

/** Only addresses that lead away and run nothing; written out by the browser's own rules, so that they hide nothing. */
export function safeAddress(address: string): string | null {
  // Browsers leave out tabs and line breaks inside an address; nobody honest writes them.
  if ([...address].some((letter) => letter <= " " || letter === "\u007f")) return null;
  if (!/^(?:https?:\/\/|mailto:)/i.test(address) || !URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return protocol === "http:" || protocol === "https:" || protocol === "mailto:" ? href : null;
}

function tooLong(start: number, end: number): Escape {
  return end - start < ESCAPE_MAX_CHARS ? { kind: "partial" } : { kind: "read", end, effect: NOTHING };
}

/** False past the end of the text, where there is no code. */
function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}
