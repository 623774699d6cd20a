import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { BOARD_COOKIE } from "@/components/frame/board-cookie";
import { DENSITY_COOKIE, densityOf } from "@/components/frame/density";
import { Shell } from "@/components/frame/shell";
import { THEME_COOKIE, themeOf } from "@/components/frame/theme";
import { LiveProvider } from "@/components/live/live-provider";
import { routes } from "./routes";
import { firstPaint, visit } from "./visit";

export const metadata: Metadata = { title: { default: "Camelot", template: "%s · Camelot" } };
export const viewport: Viewport = { width: "device-width", initialScale: 1, colorScheme: "light dark" };

/** The document: theme, density and last board by cookie (so the first paint is right), one live connection for all pages, the frame around them. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const held = await cookies();
  const theme = themeOf(held.get(THEME_COOKIE)?.value);
  const density = densityOf(held.get(DENSITY_COOKIE)?.value);
  const lastBoard = held.get(BOARD_COOKIE)?.value ?? null;
  const isSignedIn = (await visit()).kind !== "nobody";
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme} data-density={density} suppressHydrationWarning>
      <body>
        <LiveProvider isSignedIn={isSignedIn} first={await firstPaint()} moment={Date.now()} routes={routes}>
          <Shell isSignedIn={isSignedIn} lastBoard={lastBoard}>
            {children}
          </Shell>
        </LiveProvider>
      </body>
    </html>
  );
}
