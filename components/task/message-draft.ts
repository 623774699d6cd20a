/** A half-written message to a task's agent survives a reload, a closed panel and an expired login, in this browser only. */
import { createSlot } from "../ui/slot";

const keyOf = (taskId: string) => `camelot.message.${taskId}`;

export function readMessage(taskId: string): string {
  try {
    return localStorage.getItem(keyOf(taskId)) ?? "";
  } catch {
    return "";
  }
}

/** Where the browser cannot keep it (too long, or storage is off), it stays on the page only. */
export function keepMessage(taskId: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(keyOf(taskId));
    else localStorage.setItem(keyOf(taskId), text);
  } catch {
    // Nothing was promised.
  }
}

/** What a task's box shall hold besides what is in it already: written by whoever sends back, taken by the box. */
export const suggestedSlot = createSlot<{ readonly taskId: string; readonly text: string }>();

export function joined(text: string, suggested: string): string {
  if (text.includes(suggested)) return text;
  return text.trim() === "" ? suggested : `${text.trimEnd()}\n\n${suggested}`;
}
