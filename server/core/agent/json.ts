/** Looking into JSON that somebody else wrote: nothing is taken for granted, nothing throws. */

export type Json = Readonly<Record<string, unknown>>;

const NONE: Json = {};

/** An object's fields; of anything else: none. */
export function fieldsOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : NONE;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A finite number, or null. */
export function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The text of one block, or of a list of blocks `{text}`; null when there is none. */
export function blocksText(value: unknown): string | null {
  if (typeof value === "string") return value;
  const blocks = Array.isArray(value) ? value : [value];
  const texts = blocks.flatMap((block) => textOf(fieldsOf(block).text) ?? []);
  return texts.length === 0 ? null : texts.join("\n");
}

/** One line of a stream as an object, or null when it is none. */
export function parseLine(line: string): Json | null {
  if (!line.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Json) : null;
  } catch {
    return null;
  }
}
