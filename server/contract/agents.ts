/** Agents on the wire: configured programs that tasks are dispatched to. */
import { z } from "zod";
import { id, listOf, name } from "./common";

const noNul = (text: string) => !text.includes("\u0000");

const commandSettings = z.object({
  /** Program and arguments; never parsed by a shell. `{{prompt}}` and `{{promptFile}}` are filled in. */
  argv: z.array(z.string().max(10_000).refine(noNul, "An argument cannot hold a NUL character.")).min(1).max(200),
  promptVia: z.enum(["stdin", "argument", "file"]).default("stdin"),
});
const shellSettings = z.object({});

export const agent = z.object({
  id,
  name: z.string(),
  kind: z.enum(["shell", "command"]),
  settings: z.record(z.string(), z.unknown()),
  projectId: id.nullable(),
});

export const newAgent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("shell"), name, settings: shellSettings.optional(), projectId: id.nullish() }),
  z.object({ kind: z.literal("command"), name, settings: commandSettings, projectId: id.nullish() }),
]);
/** What each kind's settings look like. */
export const agentSettings = { shell: shellSettings, command: commandSettings };

export const agentChange = z.object({ name: name.optional(), settings: z.record(z.string(), z.unknown()).optional() });

export const agentList = listOf(agent);
export type Agent = z.infer<typeof agent>;
