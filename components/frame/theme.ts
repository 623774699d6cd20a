/** Light, dark, or as the system says. The choice is a cookie, so the server already paints the right one. */

export type Theme = "system" | "light" | "dark";

export const THEME_COOKIE = "camelot-theme";
const YEAR_SECONDS = 365 * 24 * 3_600;

export function themeOf(text: string | undefined): Theme {
  return text === "light" || text === "dark" ? text : "system";
}

export function chosenTheme(): Theme {
  return themeOf(document.documentElement.dataset.theme);
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const life = theme === "system" ? 0 : YEAR_SECONDS;
  // biome-ignore lint/suspicious/noDocumentCookie: the other interface is not there in every browser
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${life}; samesite=lax`;
}
