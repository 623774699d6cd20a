/** Where one was: the last board, kept in the browser so that "Board" leads back to it. Never anything secret. */
import { createSlot } from "../ui/slot";

const LAST_BOARD = "camelot.last-board";

export function rememberBoard(projectId: string): void {
  try {
    localStorage.setItem(LAST_BOARD, projectId);
  } catch {
    // A browser that keeps nothing leads to the first board instead.
  }
}

export function lastBoard(): string | null {
  try {
    return localStorage.getItem(LAST_BOARD);
  } catch {
    return null;
  }
}

/** The project for which a new task is being written. */
export const newTaskSlot = createSlot<string>();
