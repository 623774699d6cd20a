/** Agents on the wire: configured programs that tasks are dispatched to. */
import { z } from "zod";
import { CLAUDE_MODES, CODEX_MODES } from "../core/agent/talking-agents";
import { AGENT_KINDS } from "../core/words";
import { hold, id, listOf, name } from "./common";

const noNul = (text: string) => !text.includes("\u0000");
const NUL_REFUSED = "A name cannot hold a NUL character.";
const argument = z.string().max(10_000).refine(noNul, "An argument cannot hold a NUL character.");

/** Locked up, or as free as the server's own user. */
const sandbox = z.enum(["none", "bubblewrap"]).optional();

/** Program and arguments; never parsed by a shell. */
const argv = z.array(argument).min(1).max(200);

/**
 * Names of the server's own variables that the agent gets as well: logins and addresses of agents and of proxies, nothing
 * else, so that no agent is given the server's own secrets (A1).
 */
const AGENT_VARIABLES = [
  /^(ANTHROPIC|CLAUDE|CODEX|OPENAI|AZURE_OPENAI|GEMINI|GOOGLE|QWEN|OPENCODE|COPILOT|GOOSE|CURSOR|MISTRAL|OPENROUTER|DEEPSEEK|XAI)_[A-Z0-9_]+$/,
  // Models that are reached over Amazon Bedrock or Google Vertex.
  /^AWS_(BEDROCK_[A-Z0-9_]+|BEARER_TOKEN_BEDROCK|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|PROFILE|REGION|DEFAULT_REGION)$/,
  /^CLOUD_ML_REGION$/,
  /^((HTTPS?|NO|ALL)_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/,
];
const isPassedOn = (variable: string) => AGENT_VARIABLES.some((known) => known.test(variable));
/** Names a line and no name: who pastes a value by mistake does not read it again. */
const environment = z
  .array(z.string().max(200))
  .max(50)
  .refine((variables) => variables.every(isPassedOn), {
    error: ({ input }) =>
      `Line ${lineOfFirst(input)} is not passed on: only variables of agents and proxies are, for example ANTHROPIC_API_KEY.`,
  })
  .optional();

/** From 1, of the first name that is not passed on. */
function lineOfFirst(variables: unknown): number {
  return (Array.isArray(variables) ? variables : []).findIndex((variable) => !isPassedOn(String(variable))) + 1;
}

/** As the agent's program knows it; absent: the one it takes by itself. */
const model = z.string().trim().min(1).max(200).refine(noNul, NUL_REFUSED).optional();
const moreArguments = z.array(argument).max(50).optional();

const commandSettings = z.strictObject({
  /** `{{prompt}}` and `{{promptFile}}` are filled in. */
  argv,
  promptVia: z.enum(["stdin", "argument", "file"]).default("stdin"),
  sandbox,
});
const shellSettings = z.strictObject({ sandbox });
const claudeSettings = z.strictObject({
  model,
  /** `acceptEdits` (if absent): files may be changed, everything else is asked, except for `allowedTools`. */
  permissionMode: z.enum(CLAUDE_MODES).optional(),
  /** Tools that are never asked about, in Claude Code's words: `Bash`, `Bash(npm test:*)`. */
  allowedTools: z.array(argument).max(100).optional(),
  arguments: moreArguments,
  environment,
});
const codexSettings = z.strictObject({
  model,
  /** `workspace` (if absent): may write in its worktree, asks when it needs more. */
  permissionMode: z.enum(CODEX_MODES).optional(),
  arguments: moreArguments,
  environment,
});
const acpSettings = z.strictObject({
  argv,
  model,
  /** The id of one of the agent's own modes, for example `yolo`; absent: the one it starts in. */
  mode: z.string().trim().min(1).max(200).refine(noNul, NUL_REFUSED).optional(),
  environment,
});

/** An agent's program on the machine that runs agents. */
const program = z.object({
  /** As it is started: a name in the search path, or a path. */
  name: z.string(),
  isThere: z.boolean(),
  /** What it said of itself last; null: it is not there, says nothing, or has not answered yet. */
  version: z.string().nullable(),
  /** It is being asked right now: whoever asks again in a moment may be told another version. */
  isVersionAsked: z.boolean(),
  /** The version this release was tested with; null: none. */
  testedWith: z.string().nullable(),
  /** A command that installs it, if one is known. */
  install: z.string().nullable(),
});

export const agent = z.object({
  id,
  name: z.string(),
  kind: z.enum(AGENT_KINDS),
  settings: z.record(z.string(), z.unknown()),
  projectId: id.nullable(),
  /** One sentence saying why it cannot be started on this machine now, or null; a dispatch is refused with the same. */
  problem: z.string().nullable(),
  hold: hold.nullable(),
  /** Null: the settings name none. */
  program: program.nullable(),
});

export const newAgent = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("shell"), name, settings: shellSettings.optional(), projectId: id.nullish() }),
  z.strictObject({ kind: z.literal("command"), name, settings: commandSettings, projectId: id.nullish() }),
  z.strictObject({
    kind: z.literal("claude-code"),
    name,
    settings: claudeSettings.optional(),
    projectId: id.nullish(),
  }),
  z.strictObject({ kind: z.literal("codex"), name, settings: codexSettings.optional(), projectId: id.nullish() }),
  z.strictObject({ kind: z.literal("acp"), name, settings: acpSettings, projectId: id.nullish() }),
]);
/** What each kind's settings look like. */
export const agentSettings = {
  shell: shellSettings,
  command: commandSettings,
  "claude-code": claudeSettings,
  codex: codexSettings,
  acp: acpSettings,
};

export const agentChange = z.object({ name: name.optional(), settings: z.record(z.string(), z.unknown()).optional() });

/** A program of an agent that is known, whether or not somebody has made an agent of it. */
const machineProgram = program.extend({
  title: z.string(),
  kind: z.enum(["claude-code", "codex", "acp"]),
  /** For `acp`: program and arguments with which it speaks the protocol. */
  argv: z.array(z.string()).nullable(),
});

/** What the machine that runs agents can do. */
export const runner = z.object({
  /** How trees end that are in no sandbox: in one step, or by looking for what belongs to them (R7). */
  treeEnding: z.enum(["cgroup", "scan"]),
  /** `problem`: one sentence saying why bubblewrap cannot be used here, or null. */
  sandbox: z.object({ isAvailable: z.boolean(), problem: z.string().nullable() }),
  /** Agents one may have heard of: those that are there first. */
  programs: z.array(machineProgram),
});

export const agentList = listOf(agent);
export type Agent = z.infer<typeof agent>;
export type AgentList = z.infer<typeof agentList>;
export type MachineProgram = z.infer<typeof machineProgram>;
