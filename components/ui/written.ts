/**
 * Text written by people, which may hold letters that cannot be seen and turn what stands around them. Pure. Whatever is
 * edited keeps them; what is only read goes through here.
 */

/** They force a direction on what follows: U+202A to U+202E, U+2066 to U+2069. */
const FORCED = /[\u202a-\u202e\u2066-\u2069]/gu;

/** A title or a name that stands alone: its own letters decide its direction (`dir="auto"`). */
export function inOwnOrder(text: string): string {
  return text.replace(FORCED, "");
}

/** Letters that are written from right to left, and marks that make others so. */
const TURNING = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A name, a title or a branch within a sentence of ours: it keeps its own order (FSI … PDI), and turns nothing of what stands
 * around it. A sentence that begins with it is still one of ours, for `dir="auto"` too (LRM). Of what has no such letter nothing
 * is changed.
 */
export function inSentence(name: string): string {
  const shown = inOwnOrder(name);
  return TURNING.test(shown) ? `\u200e\u2068${shown}\u2069` : shown;
}

/** A prompt or a line of code, which may be run as it stands: what cannot be seen is written out. */
export function withoutDisguise(text: string): string {
  return text.replace(FORCED, (letter) => `[U+${letter.charCodeAt(0).toString(16).toUpperCase()}]`);
}

/** From so many characters on a browser is not asked for a text's direction: it reads the whole at every key. */
const AUTO_MAX_CHARS = 20_000;
/** A letter that tells a direction; what is written from right to left, of the scripts in use. */
const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** `dir` of a field that may hold megabytes: of a long text its first letter tells, as the browser has it for a short one. */
export function directionOf(text: string): "auto" | "ltr" | "rtl" {
  if (text.length <= AUTO_MAX_CHARS) return "auto";
  const letter = LETTER.exec(text.slice(0, AUTO_MAX_CHARS))?.[0] ?? "";
  return RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr";
}
