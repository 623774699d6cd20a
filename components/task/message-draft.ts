/** A half-written message to a task's agent, and what somebody suggested for it. */
import { createSlot } from "../ui/slot";
import { createKeptText } from "./kept-text";

export const messages = createKeptText("camelot.message.");

/** What a task's box shall hold besides what is in it already: written by whoever sends back, taken by the box. */
export const suggestedSlot = createSlot<{ readonly taskId: string; readonly text: string }>();

export function joined(text: string, suggested: string): string {
  if (text.includes(suggested)) return text;
  return text.trim() === "" ? suggested : `${text.trimEnd()}\n\n${suggested}`;
}
