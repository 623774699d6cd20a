/** The number of the task whose prompt shall be changed as soon as it is open; taken by the prompt itself. */
import { createSlot } from "../ui/slot";

export const editWish = createSlot<number>();
