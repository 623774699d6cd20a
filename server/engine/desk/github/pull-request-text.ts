/** What a pull request says of the task it comes from. */
import type { StoredTask } from "../../../ports/task-store";

/** GitHub's limit, in characters. */
const TITLE_MAX = 256;
/** Of the prompt, in characters. */
const PROMPT_MAX = 2_000;

export function pullRequestTitle(title: string): string {
  return cut(title.replace(/\s+/g, " ").trim(), TITLE_MAX);
}

/**
 * The prompt stands as text: a name in it calls nobody, and a number in it closes nothing. `closes`: the number of the issue
 * that GitHub shall close with the merge; null: none.
 */
export function pullRequestBody(
  task: Pick<StoredTask, "number" | "prompt">,
  sessionCount: number,
  closes: number | null,
): string {
  const prompt = cut(task.prompt.trim(), PROMPT_MAX);
  const fence = "`".repeat(Math.max(3, ...[...prompt.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const sessions = sessionCount === 1 ? "1 session" : `${sessionCount} sessions`;
  const closing = closes === null ? "" : `Closes #${closes}.\n\n`;
  return `${fence}text\n${prompt}\n${fence}\n\n${closing}${sessions}. Opened from Camelot, task ${task.number}.\n`;
}

function cut(text: string, most: number): string {
  const letters = Array.from(text);
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}
