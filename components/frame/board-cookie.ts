/**
 * The last board one was on, so that "Board" leads back to it. A cookie, so the server already draws the right one; never
 * anything secret.
 */

export const BOARD_COOKIE = "camelot-board";
const YEAR_SECONDS = 365 * 24 * 3_600;

export function rememberBoard(projectId: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the other interface is not there in every browser
  document.cookie = `${BOARD_COOKIE}=${encodeURIComponent(projectId)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}

/** Null in a browser that keeps nothing: it leads to the first board instead. */
export function rememberedBoard(): string | null {
  const start = `${BOARD_COOKIE}=`;
  const pair = document.cookie.split("; ").find((one) => one.startsWith(start));
  return pair === undefined ? null : pair.slice(start.length);
}
