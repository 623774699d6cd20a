/** The id of the card that shall have the focus as soon as it is on the board, as long as nothing else takes it. */
import { createSlot } from "../ui/slot";

export const focusWish = createSlot<string>();
