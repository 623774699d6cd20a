/** What a task says of the issue it comes from. Whoever wrote that is not trusted: it is text, and stays within a task's limits. */
import { PROMPT_MAX_BYTES } from "../../../contract/common";
import { asScriptComment } from "../../../core/text/script-comment";
import { TITLE_MAX_CHARS } from "../../../core/text/titles";
import type { AgentKind } from "../../../core/words";
import type { Issue } from "../../../ports/github";

export function issueTitle({ title, number }: Pick<Issue, "title" | "number">): string {
  const line = storable(title).replace(/\s+/g, " ").trim();
  if (line === "") return `Issue #${number}`;
  return line.length <= TITLE_MAX_CHARS ? line : `${storable(line.slice(0, TITLE_MAX_CHARS - 1), "")}…`;
}

/**
 * What it says, or its title where that is nothing, and the link back. `kind`: of the agent it is for; null: none yet. A
 * `shell` agent runs its prompt, so that there every line is a comment.
 */
export function issuePrompt(issue: Issue, address: string, kind: AgentKind | null): string {
  const body = storable(issue.body).replaceAll("\r\n", "\n").trim();
  const asTold = kind === "shell" ? asScriptComment : (text: string) => text;
  const text = asTold(body === "" ? issueTitle(issue) : body);
  const link = `\n\n${asTold(`Issue #${issue.number}: ${address}`)}`;
  const bytes = Buffer.from(text);
  if (bytes.length + link.length <= PROMPT_MAX_BYTES) return text + link;
  const left = `\n\n${asTold("[The issue is longer: the rest of it is left out here.]")}`;
  return beginning(bytes, PROMPT_MAX_BYTES - left.length - link.length) + left + link;
}

/** Without half of a character at its end. */
function beginning(bytes: Uint8Array, most: number): string {
  return new TextDecoder().decode(bytes.subarray(0, most), { stream: true });
}

/** What the database cannot hold: NUL, and half of a character. */
function storable(text: string, instead = "\ufffd"): string {
  return text.replaceAll("\u0000", "").replace(/\p{Surrogate}/gu, instead);
}
