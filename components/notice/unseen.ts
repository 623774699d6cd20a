/** What one was told of and has not seen yet, oldest first; null: nothing was told since the page was opened. */
import { createSlot } from "../ui/slot";
import type { Notice } from "./notices";

export const unseenSlot = createSlot<readonly Notice[]>();
