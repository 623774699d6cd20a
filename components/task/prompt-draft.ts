/** A prompt that is being changed, and the prompt it was begun from, so that one sees when somebody else changed it too. */
import { createKeptText } from "./kept-text";

export const promptDrafts = createKeptText("camelot.prompt.");
const beginnings = createKeptText("camelot.prompt-before.");

export function beginPromptDraft(taskId: string, prompt: string): void {
  if (promptDrafts.read(taskId) !== null) return;
  beginnings.keep(taskId, prompt);
  promptDrafts.keep(taskId, prompt);
}

export function endPromptDraft(taskId: string): void {
  promptDrafts.keep(taskId, null);
  beginnings.keep(taskId, null);
}

/** Somebody else changed the prompt since this draft was begun. */
export function isOvertaken(taskId: string, prompt: string): boolean {
  const before = beginnings.read(taskId);
  return before !== null && before !== prompt;
}
