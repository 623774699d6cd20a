/** Escape sequences of a terminal, in words that are read where nothing is a terminal. Pure. */

/** ANSI: control sequences, titles and links (ended by BEL or ST), and single escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are made of control characters.
const ESCAPES = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-Z\\-~]?/g;

export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, "");
}
