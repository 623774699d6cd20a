/** Comfortable or compact cards. The choice is a cookie, so the server already paints the right height. */

export type Density = "comfortable" | "compact";

export const DENSITY_COOKIE = "camelot-density";
const YEAR_SECONDS = 365 * 24 * 3_600;

export function densityOf(text: string | undefined): Density {
  return text === "compact" ? "compact" : "comfortable";
}

export function chosenDensity(): Density {
  return densityOf(document.documentElement.dataset.density);
}

export function chooseDensity(density: Density): void {
  document.documentElement.dataset.density = density;
  // biome-ignore lint/suspicious/noDocumentCookie: the other interface is not there in every browser
  document.cookie = `${DENSITY_COOKIE}=${density}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}
