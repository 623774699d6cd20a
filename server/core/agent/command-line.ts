/**
 * How each kind of agent is started: kind + settings + prompt → program, arguments, stdin and files. The prompt is data (A2):
 * it becomes stdin, a file or one whole argument, never a piece of a command line that something parses.
 * Never looks at the machine; whether the program is there is asked elsewhere.
 */
import type { CommandLine } from "./command";
import { acpCommand, claudeCommand, codexCommand, type Resume } from "./talking-agents";

/** Cannot be started like this, with one plain sentence for people. */
export interface CommandRefused {
  readonly kind: "refused";
  readonly sentence: string;
}

export interface AgentSpec {
  readonly kind: string;
  readonly name: string;
  /** As stored; checked here because a row may be older than the program. */
  readonly settings: unknown;
}

interface CommandSettings {
  readonly argv: readonly [string, ...string[]];
  readonly promptVia: "stdin" | "argument" | "file";
}

/** Longest single argument Linux passes on, in bytes with its closing NUL. */
const ARGUMENT_MAX_BYTES = 131_072;

const PROMPT = "{{prompt}}";
const PROMPT_FILE = "{{promptFile}}";

/** `resume`: the conversation to go on with (A5); only agents with a protocol have one. */
export function commandLine(
  agent: AgentSpec,
  prompt: string,
  resume: Resume | null = null,
): CommandLine | CommandRefused {
  switch (agent.kind) {
    case "shell":
      return {
        kind: "command",
        argv: ["bash", "-euo", "pipefail", "{{runFolder}}/script.sh"],
        stdin: null,
        files: { "script.sh": prompt },
      };
    case "command":
      return configuredCommand(agent, prompt);
    case "claude-code":
      return claudeCommand(agent.settings, prompt, resume);
    case "codex":
      return codexCommand(agent.settings, prompt, resume);
    case "acp":
      return (
        acpCommand(agent.settings, prompt, resume) ??
        refused(`The settings of the agent ${agent.name} are not a command.`)
      );
    default:
      return refused(`This version does not know agents of the kind "${agent.kind}".`);
  }
}

/** The program that has to be on the machine, or why there is none. */
export function programOf(agent: AgentSpec): { readonly kind: "program"; readonly name: string } | CommandRefused {
  const line = commandLine(agent, "");
  if (line.kind === "refused") return line;
  const [name] = line.argv;
  return name ? { kind: "program", name } : refused(`The command of the agent ${agent.name} is empty.`);
}

/** What an agent of any kind is locked up in. */
export function sandboxOf(settings: unknown): "none" | "bubblewrap" {
  const isWanted = typeof settings === "object" && settings !== null && "sandbox" in settings;
  return isWanted && settings.sandbox === "bubblewrap" ? "bubblewrap" : "none";
}

function configuredCommand(agent: AgentSpec, prompt: string): CommandLine | CommandRefused {
  const settings = parseSettings(agent.settings);
  if (settings === null) return refused(`The settings of the agent ${agent.name} are not a command.`);
  const { argv, promptVia } = settings;
  switch (promptVia) {
    case "stdin":
      return { kind: "command", argv, stdin: prompt };
    case "argument": {
      if (!mentions(argv, PROMPT)) return refused(`The command of the agent ${agent.name} has no ${PROMPT} argument.`);
      const filled = fill(argv, PROMPT, prompt);
      if (filled.some(isTooLong)) {
        return refused("The prompt is too long for an argument (128 KB). Let the agent read it from stdin or a file.");
      }
      return { kind: "command", argv: filled, stdin: null };
    }
    case "file":
      if (!mentions(argv, PROMPT_FILE)) {
        return refused(`The command of the agent ${agent.name} has no ${PROMPT_FILE} argument.`);
      }
      return {
        kind: "command",
        argv: fill(argv, PROMPT_FILE, "{{runFolder}}/prompt.txt"),
        stdin: null,
        files: { "prompt.txt": prompt },
      };
    default:
      return promptVia satisfies never;
  }
}

function parseSettings(settings: unknown): CommandSettings | null {
  if (typeof settings !== "object" || settings === null) return null;
  const { argv, promptVia = "stdin" } = settings as { argv?: unknown; promptVia?: unknown };
  if (!Array.isArray(argv) || !argv.every((part): part is string => typeof part === "string")) return null;
  const [program, ...rest] = argv;
  if (!program) return null;
  if (promptVia !== "stdin" && promptVia !== "argument" && promptVia !== "file") return null;
  return { argv: [program, ...rest], promptVia };
}

/** The program's own name is never filled in: a prompt cannot choose what runs. */
function fill(argv: readonly string[], placeholder: string, value: string): string[] {
  return argv.map((part, index) => (index === 0 ? part : part.split(placeholder).join(value)));
}

function mentions(argv: readonly string[], placeholder: string): boolean {
  return argv.slice(1).some((part) => part.includes(placeholder));
}

function isTooLong(argument: string): boolean {
  return new TextEncoder().encode(argument).length >= ARGUMENT_MAX_BYTES;
}

function refused(sentence: string): CommandRefused {
  return { kind: "refused", sentence };
}
