/**
 * What is wrong with an input, in one sentence for people: a schema's own sentence where it has one (it ends with a full
 * stop), else one per kind of mistake. Pure. Never repeats what was given, which may be a password.
 */
import { ID_FORM } from "./common";

/** As the schema library tells it, as far as it is read here. */
export interface Issue {
  readonly message: string;
  readonly path?: readonly PropertyKey[] | undefined;
  readonly code?: string | undefined;
  readonly expected?: unknown;
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly values?: unknown;
  readonly options?: unknown;
  readonly keys?: unknown;
  readonly pattern?: unknown;
  readonly params?: { readonly code?: string } | undefined;
}

export interface Mistake {
  readonly sentence: string;
  /** Which field, as it stands in the request; empty: the whole. */
  readonly field: string;
}

/** `given`: the whole input that was checked, as far as it is known, to tell what is missing from what is of a wrong type. */
export function mistakeIn(issues: readonly Issue[], given: unknown): Mistake {
  const [issue] = issues;
  if (issue === undefined) return { sentence: "The request cannot be read.", field: "" };
  const path = issue.path ?? [];
  const keys = path.filter((key, place) => place > 0 || !PARTS.has(String(key)));
  const isOurs = issue.message.endsWith(".");
  const label = keys.length === 0 ? "The request" : `“${nameOf(keys)}”`;
  const isMissing = given !== undefined && valueAt(given, path) === undefined;
  const sentence = isOurs ? issue.message : `${label} ${isMissing ? "is missing" : wordsFor(issue)}.`;
  const [unknown] = issue.code === "unrecognized_keys" && Array.isArray(issue.keys) ? issue.keys : [];
  return { sentence, field: [...keys, ...(unknown === undefined ? [] : [unknown])].map(String).join(".") };
}

/** Where a detailed input keeps its parts: nothing a caller wrote. */
const PARTS: ReadonlySet<string> = new Set(["params", "query", "headers", "body"]);

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function wordsFor(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `has to be ${TYPES[String(issue.expected)] ?? "something else"}`;
    case "too_small":
      return tooSmall(issue.origin, Number(issue.minimum));
    case "too_big":
      return tooBig(issue.origin, Number(issue.maximum));
    case "not_multiple_of":
      return "has to be a whole number";
    case "invalid_value":
    case "invalid_union":
      return oneOf(issue.values ?? issue.options);
    case "invalid_format":
      return String(issue.pattern) === String(ID_FORM) ? "is no id" : "is not written as it has to be";
    case "unrecognized_keys":
      return `may not have ${Array.isArray(issue.keys) ? issue.keys.map((key) => `“${key}”`).join(", ") : "all of these"}`;
    default:
      return "is not right";
  }
}

function tooSmall(origin: unknown, minimum: number): string {
  if (origin === "string") return minimum === 1 ? "may not be empty" : `needs ${counted(minimum, "character")} or more`;
  if (origin === "array") return minimum === 1 ? "may not be empty" : `needs ${counted(minimum, "entry")} or more`;
  return `has to be ${figure(minimum)} or more`;
}

function tooBig(origin: unknown, maximum: number): string {
  if (origin === "string") return `may have ${counted(maximum, "character")} at most`;
  if (origin === "array") return `may have ${counted(maximum, "entry")} at most`;
  return `may be ${figure(maximum)} at most`;
}

function oneOf(allowed: unknown): string {
  if (!Array.isArray(allowed) || allowed.length === 0) return "is not right";
  const values = allowed.map((value) => `“${String(value)}”`);
  return values.length === 1 ? `has to be ${values[0]}` : `has to be one of ${values.join(", ")}`;
}

function counted(count: number, what: "character" | "entry"): string {
  const many = what === "entry" ? "entries" : "characters";
  return `${figure(count)} ${count === 1 ? what : many}`;
}

function figure(count: number): string {
  return count.toLocaleString("en");
}

/** `settings.argv[0]` */
function nameOf(keys: readonly PropertyKey[]): string {
  return keys
    .map((key, place) => (typeof key === "number" ? `[${key}]` : `${place === 0 ? "" : "."}${String(key)}`))
    .join("");
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let value = given;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

export type JsonBody =
  | { readonly kind: "body"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "malformed"; readonly sentence: string };

/** UTF-8 has no half characters: only an escape can bring one in. */
const HALF_ESCAPED = /\\u[dD][89a-fA-F]/;
/** Half of a pair, without the other one: it could only be stored as something else. */
const HALF = /\p{Surrogate}/u;
const HALF_REFUSED = "Text with half a character (\\ud800 to \\udfff without its other half) cannot be stored.";

function hasHalf(value: unknown): boolean {
  if (typeof value === "string") return HALF.test(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, part]) => HALF.test(key) || hasHalf(part));
}

/** A request's body: a JSON object, or nothing, which is an empty one. */
export function jsonBody(bytes: Uint8Array): JsonBody {
  if (bytes.length === 0) return { kind: "body", value: {} };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (HALF_ESCAPED.test(text) && hasHalf(value)) return { kind: "malformed", sentence: HALF_REFUSED };
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return { kind: "body", value: value as Record<string, unknown> };
    }
    return { kind: "malformed", sentence: "The body has to be a JSON object." };
  } catch {
    return { kind: "malformed", sentence: "The body is not valid JSON." };
  }
}
