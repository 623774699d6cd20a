/**
 * The project one was last in, so that "Board" and "New task" lead back to it. A cookie, so the server already draws the
 * right one; never anything secret.
 */

export const BOARD_COOKIE = "camelot-board";
const YEAR_SECONDS = 365 * 24 * 3_600;

/** Of this tab: another tab may be in another project, and a browser may keep no cookies. */
let ofTab: string | null = null;

/** Said by every page of a project that is one's own. */
export function rememberBoard(projectId: string): void {
  ofTab = projectId;
  // biome-ignore lint/suspicious/noDocumentCookie: the other interface is not there in every browser
  document.cookie = `${BOARD_COOKIE}=${encodeURIComponent(projectId)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}

/** What this tab was in, else what the browser kept; null in one that keeps nothing: it leads to the first board instead. */
export function rememberedBoard(): string | null {
  if (ofTab !== null) return ofTab;
  const start = `${BOARD_COOKIE}=`;
  const pair = document.cookie.split("; ").find((one) => one.startsWith(start));
  return pair === undefined ? null : pair.slice(start.length);
}
