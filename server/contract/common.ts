/** What every resource shares on the wire: ids, times, lists, text limits. */
import { z } from "zod";
import { TITLE_MAX_CHARS, TITLE_TOO_LONG } from "../core/text/titles";

/** Longest prompt or follow-up in bytes of UTF-8: 4 MB (10^6). */
export const PROMPT_MAX_BYTES = 4_000_000;
/** Longest name of a person, project, agent or token in characters. */
const NAME_MAX = 200;
/** Longest answer of `GET /sessions/{id}/output` in bytes. */
export const OUTPUT_READ_MAX_BYTES = 8 * 1024 * 1024;
/** Most that a reader of the live output who follows its end may lie behind before it leaps, bytes. */
export const OUTPUT_TAIL_MAX_BYTES = 1024 * 1024;
/** Sessions in one picture of the pool. */
export const POOL_SESSIONS_MAX = 2_000;
/** Caps are whole numbers up to this. */
const CAP_MAX = 100_000;

const hasNoNul = (text: string) => !text.includes("\u0000");
const NUL_REFUSED = "Text with a NUL character (\\u0000) cannot be stored.";

export const ID_FORM = /^[\x21-\x7e]{1,100}$/;
export const id = z.string().regex(ID_FORM);
/** A whole number from 0, also as it stands in a query string. */
export const wholeNumber = z.union(
  [
    z.number().int().min(0),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ],
  "A whole number from 0 is needed.",
);
/** ISO 8601, UTC. */
export const time = z.iso.datetime();
/** Why sessions of an agent, or of a project, step aside at the moment (A8). */
export const hold = z.object({
  /** One plain sentence. */
  detail: z.string(),
  /** When it ends by itself; null: when somebody tries again. */
  until: time.nullable(),
});
export type Hold = z.infer<typeof hold>;
export const iso = (millis: number) => new Date(millis).toISOString();
export const name = z.string().trim().min(1, "A name is needed.").max(NAME_MAX).refine(hasNoNul, NUL_REFUSED);
export const title = z
  .string()
  .trim()
  .min(1, "A title is needed.")
  .max(TITLE_MAX_CHARS, TITLE_TOO_LONG)
  .refine(hasNoNul, NUL_REFUSED);
export const longText = z
  .string()
  .refine(hasNoNul, NUL_REFUSED)
  .refine((text) => new TextEncoder().encode(text).length <= PROMPT_MAX_BYTES, {
    error: "The text is longer than 4 MB.",
    params: { code: "TOO_LARGE" },
  });
export const cap = z.number().int().min(0).max(CAP_MAX);

/** Lists are `{items,next}`; `next` goes into `?after=` and is null at the end. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().nullable() });
}
export const page = z.strictObject({ after: id.optional() });
