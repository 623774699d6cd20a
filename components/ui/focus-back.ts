/**
 * Gives the keyboard's focus back when a menu or a dialog closes. What it was opened with may be invisible by now (a card
 * shows its buttons only while it is pointed at or has the focus), and an invisible thing takes no focus: then what stands
 * around it takes the focus first. It may also be gone, as "Withdraw" is: then its card takes the focus, wherever it stands.
 */

/** Remembers a place; the answer brings the focus back to it, unless the focus is somewhere already. */
export function focusBackTo(opener: Element | null): () => void {
  const taskId = opener?.closest("[data-task-id]")?.getAttribute("data-task-id") ?? null;
  return () => {
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    if (opener instanceof HTMLElement && opener.isConnected) {
      opener.focus();
      if (document.activeElement === opener) return;
      opener.parentElement?.closest<HTMLElement>("[tabindex]")?.focus();
      opener.focus();
      return;
    }
    if (taskId !== null) document.querySelector<HTMLElement>(`[data-task-id="${CSS.escape(taskId)}"]`)?.focus();
  };
}
