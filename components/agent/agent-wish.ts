/**
 * An agent as it stands in its form, and as it is sent. Pure. A command is written one argument per line, as are lists of
 * names; no shell reads them.
 */
import type { Agent, MachineProgram } from "@/server/contract/agents";
import type { AgentKind } from "@/server/core/words";

export type PromptVia = "stdin" | "argument" | "file";

export interface AgentWish {
  readonly kind: AgentKind;
  readonly name: string;
  /** Null: for the whole installation. */
  readonly projectId: string | null;
  /** The program and its arguments, one per line; of `command` and `acp`. */
  readonly lines: string;
  readonly promptVia: PromptVia;
  readonly isSandboxed: boolean;
  /** As the agent's program knows it; empty: the one it takes by itself. */
  readonly model: string;
  /** Claude Code's or Codex's permission mode, or one of an ACP agent's own modes; empty: as it starts. */
  readonly mode: string;
  /** One per line: tools that Claude Code never asks about. */
  readonly allowedTools: string;
  /** One per line: more arguments of Claude Code and Codex. */
  readonly more: string;
  /** One per line: names of the server's variables that are passed on. */
  readonly environment: string;
}

export const PLACEHOLDERS = { argument: "{{prompt}}", file: "{{promptFile}}" } as const;

/** What the words of each kind's permission modes mean; the first is what holds when none is set. */
export const MODES = {
  "claude-code": [
    ["acceptEdits", "Changes files with simple commands too, asks before anything else"],
    ["default", "Asks before it changes anything"],
    ["bypassPermissions", "Asks nothing (refused by Claude Code as root)"],
  ],
  codex: [
    ["workspace", "Writes in its worktree, asks when it needs more"],
    ["ask", "Asks before it runs what it does not know as harmless"],
    ["read-only", "Reads only, asks before it writes"],
    ["full-access", "Asks nothing and may do anything"],
  ],
} as const;

const NOTHING = { lines: "", promptVia: "stdin", isSandboxed: false, model: "", mode: "", allowedTools: "" } as const;

export function newWish(projectId: string | null): AgentWish {
  return { kind: "command", name: "", projectId, ...NOTHING, more: "", environment: "" };
}

/** Of a program that is known on the machine; a name that somebody typed stays. */
export function wishFor(program: MachineProgram, wish: AgentWish, isNamed: boolean): AgentWish {
  const lines = program.argv?.join("\n") ?? "";
  return { ...wish, ...NOTHING, kind: program.kind, lines, name: isNamed ? wish.name : program.title };
}

export function wishOf({ kind, name, projectId, settings }: Agent): AgentWish {
  const { promptVia, sandbox, model, permissionMode, mode, allowedTools, environment } = settings;
  return {
    kind,
    name,
    projectId,
    lines: argvOf(settings).join("\n"),
    promptVia: promptVia === "argument" || promptVia === "file" ? promptVia : "stdin",
    isSandboxed: sandbox === "bubblewrap",
    model: textOf(model),
    mode: textOf(permissionMode ?? mode),
    allowedTools: listText(allowedTools),
    more: listText(settings.arguments),
    environment: listText(environment),
  };
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
  const { kind, name, projectId, promptVia, isSandboxed } = wish;
  const sandbox: "bubblewrap" | "none" = isSandboxed ? "bubblewrap" : "none";
  const given = [...(argv ?? linesIn(wish.lines))];
  const model = wish.model.trim() === "" ? {} : { model: wish.model.trim() };
  const environment = partOf("environment", linesIn(wish.environment));
  const more = partOf("arguments", linesIn(wish.more));
  switch (kind) {
    case "shell":
      return { kind, name, projectId, settings: { sandbox } };
    case "command":
      return { kind, name, projectId, settings: { argv: given, promptVia, sandbox } };
    case "claude-code": {
      const permissionMode = MODES[kind].find(([mode]) => mode === wish.mode)?.[0];
      const tools = partOf("allowedTools", linesIn(wish.allowedTools));
      const settings = { ...model, ...(permissionMode && { permissionMode }), ...tools, ...more, ...environment };
      return { kind, name, projectId, settings };
    }
    case "codex": {
      const permissionMode = MODES[kind].find(([mode]) => mode === wish.mode)?.[0];
      return {
        kind,
        name,
        projectId,
        settings: { ...model, ...(permissionMode && { permissionMode }), ...more, ...environment },
      };
    }
    case "acp": {
      const mode = wish.mode.trim() === "" ? {} : { mode: wish.mode.trim() };
      return { kind, name, projectId, settings: { argv: given, ...model, ...mode, ...environment } };
    }
    default:
      return kind satisfies never;
  }
}

/** One sentence about the lines, or null. The server looks at everything else. */
export function mistakeIn(wish: AgentWish, argv: readonly string[] | null = null): string | null {
  if (wish.kind !== "command" && wish.kind !== "acp") return null;
  const [program, ...rest] = argv ?? linesIn(wish.lines);
  if (program === undefined) return "The first line names the program.";
  if (wish.kind === "acp" || wish.promptVia === "stdin") return null;
  const placeholder = PLACEHOLDERS[wish.promptVia];
  return rest.some((part) => part.includes(placeholder)) ? null : `One of the arguments has to hold ${placeholder}.`;
}

function linesIn(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== "");
}

function partOf<Name extends string>(name: Name, lines: string[]): Partial<Record<Name, string[]>> {
  return lines.length === 0 ? {} : ({ [name]: lines } as Record<Name, string[]>);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listText(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join("\n") : "";
}
