/** What the commits of a review say: one line that names the task, cut to what git's lists show. */
import type { StoredTask } from "../../../ports/task-store";

/** First line of a commit in characters. */
const SUBJECT_MAX = 72;

type Named = Pick<StoredTask, "number" | "title">;

export function mergeMessage(task: Named, branch: string): string {
  return messageOf(`Merge #${task.number} ${lineOf(task.title)}`, `Branch ${branch}`);
}

/** Of what somebody changed in the worktree after the last session. */
export function saveMessage(task: Named): string {
  return messageOf(lineOf(task.title), `Changes in the worktree of task #${task.number} before its review ended`);
}

function messageOf(line: string, body: string): string {
  const letters = Array.from(line);
  if (letters.length <= SUBJECT_MAX) return `${line}\n\n${body}.`;
  return `${letters.slice(0, SUBJECT_MAX - 1).join("")}…\n\n${line}\n\n${body}.`;
}

function lineOf(title: string): string {
  return title.replace(/\s+/g, " ").trim();
}
