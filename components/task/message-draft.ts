/** A half-written message to a task's agent survives a reload, a closed panel and an expired login, in this browser only. */

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
