/**
 * What an agent's output says, per kind of agent. For kinds without a protocol (`shell`, `command`) the last action is the
 * last line that is not empty. Works on any piece of output: a cut line or character at either end does no harm.
 */

import { withoutEscapes } from "./escapes";

/** Longest last action in characters; a card shows one line. */
const LAST_ACTION_MAX = 200;

/** Control characters, and those that turn the direction of the text around them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Null when the piece shows no line with anything to read. */
export function lastActionOf(output: Uint8Array): string | null {
  return lastLineOf(new TextDecoder().decode(output));
}

/** The same of a text. */
export function lastLineOf(output: string): string | null {
  const text = withoutEscapes(output).replace(CONTROLS, "");
  const lines = text.split(/[\n\r\u2028\u2029]+/);
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = (lines[index] ?? "").replace(/\s+/g, " ").replace(/^[\ufffd ]+|[\ufffd ]+$/g, "");
    if (line !== "") return cut(line);
  }
  return null;
}

function cut(line: string): string {
  const characters = Array.from(line);
  return characters.length <= LAST_ACTION_MAX ? line : `${characters.slice(0, LAST_ACTION_MAX - 1).join("")}…`;
}
