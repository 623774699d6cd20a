/** Says something to readers of the screen without moving anything: one polite line at the end of the page. */
import { createSlot } from "./slot";

export const announceSlot = createSlot<string>();

export function announce(text: string): void {
  announceSlot.open(text);
}
