/**
 * How agents with a protocol are started, and in whose words their settings are. Settings come as stored and are checked here
 * once more, because a row may be older than the program.
 */
import type { CommandLine } from "./command";
import type { StreamFormat } from "./events";
import { fieldsOf, type Json, listOf, textOf } from "./json";

/** The conversation a follow-up goes on with (A5). */
export interface Resume {
  /** The agent's own id of it. */
  readonly conversation: string;
  /** The prompt of a new one, when that is not there any more. */
  readonly otherwise: string;
}

export const CLAUDE_MODES = ["default", "acceptEdits", "bypassPermissions"] as const;
/** In Codex's words two settings each: when it asks, and what its sandbox lets it do. */
export const CODEX_MODES = ["ask", "workspace", "read-only", "full-access"] as const;

const CODEX_POLICIES: Readonly<Record<(typeof CODEX_MODES)[number], { approvalPolicy: string; sandbox: string }>> = {
  ask: { approvalPolicy: "untrusted", sandbox: "workspace-write" },
  workspace: { approvalPolicy: "on-request", sandbox: "workspace-write" },
  "read-only": { approvalPolicy: "on-request", sandbox: "read-only" },
  "full-access": { approvalPolicy: "never", sandbox: "danger-full-access" },
};

export function claudeCommand(settings: unknown, prompt: string, resume: Resume | null): CommandLine {
  const { model, permissionMode, allowedTools, more } = commonOf(settings);
  const mode = CLAUDE_MODES.find((known) => known === permissionMode) ?? "acceptEdits";
  const argv = [
    ...["claude", "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
    ...["--include-partial-messages", "--permission-prompt-tool", "stdio", "--permission-mode", mode],
    ...(model === null ? [] : ["--model", model]),
    ...(allowedTools.length === 0 ? [] : ["--allowedTools", allowedTools.join(",")]),
    ...(resume === null ? [] : ["--resume", resume.conversation]),
    ...more,
  ];
  return { kind: "command", argv, stdin: prompt, talk: { driver: "claude", resume: resume?.conversation ?? null } };
}

export function codexCommand(settings: unknown, prompt: string, resume: Resume | null): CommandLine {
  const { model, permissionMode, more } = commonOf(settings);
  const mode = CODEX_MODES.find((known) => known === permissionMode) ?? "workspace";
  const argv = ["codex", ...more, "app-server"];
  return {
    kind: "command",
    argv,
    stdin: prompt,
    talk: { driver: "codex", ...resumed(resume), model, ...CODEX_POLICIES[mode] },
  };
}

/** Null: the settings are no command. */
export function acpCommand(settings: unknown, prompt: string, resume: Resume | null): CommandLine | null {
  const argv = textsOf(fieldsOf(settings).argv);
  if (!argv[0]) return null;
  const { model } = commonOf(settings);
  const mode = textOf(fieldsOf(settings).mode);
  return { kind: "command", argv, stdin: prompt, talk: { driver: "acp", ...resumed(resume), model, mode } };
}

function resumed(resume: Resume | null) {
  return { resume: resume?.conversation ?? null, otherwise: resume?.otherwise ?? null };
}

/** Names of the server's own variables that this agent gets as well (A1). */
export function variablesOf(settings: unknown): readonly string[] {
  return textsOf(fieldsOf(settings).environment);
}

/** What an agent of this kind is told beside: a session is no time to replace the program that others run. */
export function ownEnvironment(kind: string): Readonly<Record<string, string>> {
  return kind === "claude-code" ? { DISABLE_AUTOUPDATER: "1" } : {};
}

export function formatOf(kind: string): StreamFormat {
  switch (kind) {
    case "claude-code":
      return "claude";
    case "codex":
      return "codex";
    case "acp":
      return "acp";
    default:
      return "text";
  }
}

function commonOf(settings: unknown) {
  const fields: Json = fieldsOf(settings);
  return {
    model: textOf(fields.model) || null,
    permissionMode: fields.permissionMode,
    allowedTools: textsOf(fields.allowedTools),
    more: textsOf(fields.arguments),
  };
}

function textsOf(value: unknown): string[] {
  return listOf(value).filter((item): item is string => typeof item === "string");
}
