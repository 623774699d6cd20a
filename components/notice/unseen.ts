/** What one was told of and has not seen yet, oldest first; null: nothing, as far as this tab knows (`kept.ts`). */
import { createSlot } from "../ui/slot";
import type { Notice } from "./notices";

export const unseenSlot = createSlot<readonly Notice[]>();
