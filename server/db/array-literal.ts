/**
 * Columns of values as PostgreSQL array literals. The driver guesses the type of an array from its first element and gets
 * bigint, null and mixed arrays wrong; a literal with a cast in the statement leaves nothing to guess.
 */
export type Cell = string | number | null;

/** Rarely there, and looking is much cheaper than replacing. */
const SPECIAL = /[\0\\"]/;

export function arrayLiteral(values: readonly Cell[]): string {
  return `{${values.map(element).join(",")}}`;
}

function element(value: Cell): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  if (!SPECIAL.test(value)) return `"${value}"`;
  // PostgreSQL cannot hold NUL in text; a message must not fail for it.
  return `"${value.replaceAll("\0", "\uFFFD").replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
