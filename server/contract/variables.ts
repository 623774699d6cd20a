/** A project's variables on the wire. A secret's value goes in and never comes out. */
import { z } from "zod";
import { listOf, time } from "./common";

/** Longest value in characters; what is refused for its bytes is the desk's. */
const VALUE_MAX = 1_000_000;

export const variable = z.object({
  name: z.string(),
  /** Null: a secret. */
  value: z.string().nullable(),
  isSecret: z.boolean(),
  /** A secret that cannot be read any more, because the installation's own was lost: enter it again. */
  isLost: z.boolean(),
  changedAt: time,
});
/** `secret`: masked in output and never shown again. */
export const variableChange = z.object({ value: z.string().max(VALUE_MAX), secret: z.boolean().default(false) });

export const variableList = listOf(variable);
export type VariableView = z.infer<typeof variable>;
