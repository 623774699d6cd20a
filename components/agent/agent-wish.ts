/** An agent as it stands in its form, and as it is sent. Pure. A command is written one argument per line; no shell reads it. */
import type { Agent } from "@/server/contract/agents";

export type PromptVia = "stdin" | "argument" | "file";

export interface AgentWish {
  readonly kind: "shell" | "command";
  readonly name: string;
  /** Null: for the whole installation. */
  readonly projectId: string | null;
  /** The program and its arguments, one per line. */
  readonly lines: string;
  readonly promptVia: PromptVia;
  readonly isSandboxed: boolean;
}

export const PLACEHOLDERS = { argument: "{{prompt}}", file: "{{promptFile}}" } as const;

export function newWish(projectId: string | null): AgentWish {
  return { kind: "command", name: "", projectId, lines: "", promptVia: "stdin", isSandboxed: false };
}

export function wishOf({ kind, name, projectId, settings }: Agent): AgentWish {
  const { promptVia, sandbox } = settings;
  return {
    kind: kind === "shell" ? "shell" : "command",
    name,
    projectId,
    lines: argvOf(settings).join("\n"),
    promptVia: promptVia === "argument" || promptVia === "file" ? promptVia : "stdin",
    isSandboxed: sandbox === "bubblewrap",
  };
}

/** Agents of the other kinds are made and changed by the API. */
export function hasForm({ kind }: Agent): boolean {
  return kind === "shell" || kind === "command";
}

/** An argument that is empty or holds a line break cannot be told apart from others in a text of lines. */
export function canBeWrittenInLines({ settings }: Agent): boolean {
  return argvOf(settings).every((part) => part !== "" && !/[\r\n]/.test(part));
}

export function argvOf(settings: Agent["settings"]): string[] {
  return Array.isArray(settings.argv) ? settings.argv.map(String) : [];
}

/** As it is sent. `argv`: what stands instead of the lines when those cannot say it. */
export function agentOf(wish: AgentWish, argv: readonly string[] | null = null) {
  const { kind, name, projectId, lines, promptVia, isSandboxed } = wish;
  const sandbox: "bubblewrap" | "none" = isSandboxed ? "bubblewrap" : "none";
  if (kind === "shell") return { kind, name, projectId, settings: { sandbox } };
  return { kind, name, projectId, settings: { argv: [...(argv ?? argumentsOf(lines))], promptVia, sandbox } };
}

/** One sentence about the lines, or null. The server looks at everything else. */
export function mistakeIn(wish: AgentWish, argv: readonly string[] | null = null): string | null {
  if (wish.kind === "shell") return null;
  const [program, ...rest] = argv ?? argumentsOf(wish.lines);
  if (program === undefined) return "The first line names the program.";
  if (wish.promptVia === "stdin") return null;
  const placeholder = PLACEHOLDERS[wish.promptVia];
  return rest.some((part) => part.includes(placeholder)) ? null : `One of the arguments has to hold ${placeholder}.`;
}

function argumentsOf(lines: string): string[] {
  return lines.split(/\r?\n/).filter((line) => line !== "");
}
