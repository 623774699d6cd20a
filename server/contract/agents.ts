/** Agents on the wire: configured programs that tasks are dispatched to. */
import { z } from "zod";
import { id, listOf, name } from "./common";

const noNul = (text: string) => !text.includes("\u0000");

/** Locked up, or as free as the server's own user. */
const sandbox = z.enum(["none", "bubblewrap"]).optional();

const commandSettings = z.object({
  /** Program and arguments; never parsed by a shell. `{{prompt}}` and `{{promptFile}}` are filled in. */
  argv: z.array(z.string().max(10_000).refine(noNul, "An argument cannot hold a NUL character.")).min(1).max(200),
  promptVia: z.enum(["stdin", "argument", "file"]).default("stdin"),
  sandbox,
});
const shellSettings = z.object({ sandbox });

export const agent = z.object({
  id,
  name: z.string(),
  kind: z.enum(["shell", "command"]),
  settings: z.record(z.string(), z.unknown()),
  projectId: id.nullable(),
  /** One sentence saying why it cannot be started on this machine now, or null; a dispatch is refused with the same. */
  problem: z.string().nullable(),
});

export const newAgent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("shell"), name, settings: shellSettings.optional(), projectId: id.nullish() }),
  z.object({ kind: z.literal("command"), name, settings: commandSettings, projectId: id.nullish() }),
]);
/** What each kind's settings look like. */
export const agentSettings = { shell: shellSettings, command: commandSettings };

export const agentChange = z.object({ name: name.optional(), settings: z.record(z.string(), z.unknown()).optional() });

/** What the machine that runs agents can do. */
export const runner = z.object({
  /** How trees end that are in no sandbox: in one step, or by looking for what belongs to them (R7). */
  treeEnding: z.enum(["cgroup", "scan"]),
  /** `problem`: one sentence saying why bubblewrap cannot be used here, or null. */
  sandbox: z.object({ isAvailable: z.boolean(), problem: z.string().nullable() }),
});

export const agentList = listOf(agent);
export type Agent = z.infer<typeof agent>;
