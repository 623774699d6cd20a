/** Comments on lines as part of the message to an agent: plain Markdown that is as clear to a person. Pure. */
import { asScriptComment } from "@/server/core/text/script-comment";
import type { AgentKind } from "@/server/core/words";
import { keptOf, type LineComment } from "./comments";

/** What is sent: what was written in the box, then the comments. Unfinished ones stay. */
export function withComments(text: string, comments: readonly LineComment[], kind: AgentKind | null): string {
  const told = toldOf(comments);
  if (told === "") return text;
  // A shell agent runs its message as a script: what is said about lines must not be run.
  if (kind === "shell") return `${asScriptComment(told)}\n\n${text}`;
  return text.trim() === "" ? told : `${text.trimEnd()}\n\n${told}`;
}

/** Empty when there is none. In the order of the files' names, and of lines within each. */
export function toldOf(comments: readonly LineComment[]): string {
  const kept = [...keptOf(comments)].sort(
    (one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0) || one.line - other.line,
  );
  if (kept.length === 0) return "";
  return ["Comments on lines of the diff:", ...kept.map(sectionOf)].join("\n\n");
}

function sectionOf({ path, side, line, quote, text, isGone }: LineComment): string {
  const what = isGone ? " (not in the diff any more)" : side === "old" ? " (removed line)" : "";
  const fence = "`".repeat(Math.max(3, longestRun(quote) + 1));
  return `### ${codeOf(`${nameOf(path)}:${line}`)}${what}\n\n${fence}\n${quote}\n${fence}\n\n${text}`;
}

/** A name that a line cannot hold, or that begins or ends unseen, is written as a string of JSON. */
function nameOf(path: string): string {
  return /[\p{Cc}\u2028-\u202e\u2066-\u2069]|^\s|\s$/u.test(path) ? JSON.stringify(path) : path;
}

/** A file's or a branch's name within a sentence. */
export function markedName(name: string): string {
  return codeOf(nameOf(name));
}

function codeOf(text: string): string {
  const marks = "`".repeat(longestRun(text) + 1);
  return marks.length === 1 ? `${marks}${text}${marks}` : `${marks} ${text} ${marks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
