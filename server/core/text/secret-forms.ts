/**
 * The forms in which a secret may turn up in output: as it is, and JSON-, URL- and base64-encoded (A3). Programs differ in
 * which characters they escape, so a form is no fixed text: every character stands as it is or in any of its escapes.
 * Decides nothing about streams; `masking.ts` looks for what this file lists.
 */

/** Shorter secrets are refused where they are entered: masking them would blank out ordinary words. */
export const SECRET_MIN_CHARS = 8;

/** One way to write one character, as bytes; at each place either of two bytes, because hexadecimal digits have two cases. */
export interface Writing {
  readonly bytes: Uint8Array;
  readonly orBytes: Uint8Array;
}

/** How one character may be written, by the first byte of the writing. */
export type Writings = ReadonlyMap<number, readonly Writing[]>;

/** A secret in one form: its characters in their order. */
export type Form = readonly Writings[];

/** Every form to look for. Secrets that are too short have none. */
export function formsOfSecrets(secrets: readonly string[]): Form[] {
  const writings = createWritings();
  const plain = new Set(secrets.flatMap(withItsLines).filter((secret) => [...secret].length >= SECRET_MIN_CHARS));
  const base64 = new Set([...plain].flatMap(base64Texts).filter((text) => text.length >= SECRET_MIN_CHARS));
  return [
    ...[...plain].map((secret) => [...secret].map(writings.ofCharacter)),
    ...[...base64].map((text) => [...text].map((letter, at) => writings.ofBase64(letter, at === 0))),
  ];
}

/** A key of many lines is a secret line by line, too: an agent may print its first line alone. */
function withItsLines(secret: string): string[] {
  const lines = secret.split(/\r\n|\r|\n/).map((line) => line.trim());
  return lines.length === 1 ? [secret] : [secret, ...lines];
}

/** The same characters come again and again: each is thought about once. */
function createWritings() {
  const known = new Map<string, Writings>();
  const once = (key: string, make: () => Iterable<string>): Writings => {
    const found = known.get(key);
    if (found) return found;
    const made = byFirstByte(make());
    known.set(key, made);
    return made;
  };
  return {
    ofCharacter: (char: string) => once(char, () => textsOf(char)),
    ofBase64: (letter: string, isFirst: boolean) =>
      once(`base64 ${letter} ${isFirst}`, () => base64TextsOf(letter, isFirst)),
  };
}

/** Marks a hexadecimal digit that may be large or small; never part of what is written. */
const HEX_MARK = "\u0000";

function textsOf(char: string): Set<string> {
  const texts = new Set([...jsonTexts(char), percentText(char)]);
  if (char === " ") texts.add("+");
  return texts;
}

/** A JSON string in a JSON string in a JSON string: an agent's line about a tool's answer that shows a file. */
const JSON_LEVELS = 3;

const JSON_SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "/": "\\/",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function jsonTexts(char: string): Set<string> {
  const units = char.split("").map((unit) => `\\u${hexText(unit.charCodeAt(0), 4)}`);
  const texts = new Set([char, units.join("")]);
  const short = JSON_SHORT[char];
  if (short !== undefined) texts.add(short);
  for (let level = 1; level < JSON_LEVELS; level++) {
    for (const text of [...texts]) for (const again of jsonAgain(text)) texts.add(again);
  }
  return texts;
}

/** A text within a JSON string: quotes and backslashes are always escaped there, slashes by some. */
function jsonAgain(text: string): string[] {
  const strict = text.replace(/["\\]/g, (char) => `\\${char}`);
  return [strict, strict.replaceAll("/", "\\/")];
}

/** `%C3%A4`. A lone surrogate has no UTF-8 form of its own; encoders write the replacement character. */
function percentText(char: string): string {
  return [...new TextEncoder().encode(char)].map((byte) => `%${hexText(byte, 2)}`).join("");
}

function hexText(value: number, digits: number): string {
  return [...value.toString(16).padStart(digits, "0")].map((digit) => HEX_MARK + digit).join("");
}

const URL_SAFE: Readonly<Record<string, string>> = { "+": "-", "/": "_" };
/** As tools wrap long lines, also inside of JSON. */
const LINE_BREAKS = ["", "\n", "\r\n", "\\n", "\\r\\n", "\\\\n", "\\\\r\\\\n"];

/** A letter of base64; before each but the first the line may have ended. */
function base64TextsOf(letter: string, isFirst: boolean): string[] {
  const texts = [...textsOf(letter)];
  const safe = URL_SAFE[letter];
  if (safe !== undefined) texts.push(safe);
  return isFirst ? texts : LINE_BREAKS.flatMap((end) => texts.map((text) => end + text));
}

/**
 * Base64 of the secret alone and, as in `user:secret`, in the middle of something longer: there it starts at one of
 * three places within a group, and only the characters that all their bits take from the secret are known.
 */
function base64Texts(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const whole = toBase64(bytes);
  const texts = [whole, whole.replace(/=+$/, "")];
  for (const before of [0, 1, 2]) {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const firstKnown = Math.ceil((before * 8) / 6);
    const behindLastKnown = Math.floor((padded.length * 8) / 6);
    texts.push(toBase64(padded).slice(firstKnown, behindLastKnown));
  }
  return texts;
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function byFirstByte(texts: Iterable<string>): Writings {
  const encoder = new TextEncoder();
  const writings = new Map<number, Writing[]>();
  for (const text of texts) {
    const [bytes, orBytes] = [inCase(text, "toLowerCase"), inCase(text, "toUpperCase")].map((one) =>
      encoder.encode(one),
    );
    if (bytes === undefined || orBytes === undefined) continue;
    const first = bytes[0] ?? 0;
    const same = writings.get(first);
    if (same) same.push({ bytes, orBytes });
    else writings.set(first, [{ bytes, orBytes }]);
  }
  return writings;
}

/** A NUL cannot be in a secret (`variables.ts`), so the mark is none of its characters. */
function inCase(text: string, way: "toLowerCase" | "toUpperCase"): string {
  const [before, ...marked] = text.split(HEX_MARK);
  return before + marked.map((part) => part.charAt(0)[way]() + part.slice(1)).join("");
}
