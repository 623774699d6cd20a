/** What is in one's own menu: profile, settings, theme, sign out. */
import { leave } from "../account/account-calls";
import type { MenuEntry } from "../ui/menu";
import { toast } from "../ui/toast";
import { chooseDensity, chosenDensity } from "./density";
import { sheetSlot } from "./places";
import { chooseTheme, chosenTheme, type Theme } from "./theme";

const THEMES: readonly (readonly [Theme, string])[] = [
  ["system", "Theme: as the system"],
  ["light", "Theme: light"],
  ["dark", "Theme: dark"],
];

export function avatarEntries(meId: string, go: (href: string) => void): MenuEntry[] {
  return [
    { kind: "entry", icon: "right", label: "Your profile", run: () => go(`/people/${meId}`) },
    { kind: "entry", icon: "link", label: "Account and API tokens", run: () => go("/account") },
    { kind: "entry", icon: "pen", label: "Settings", run: () => go("/settings") },
    { kind: "entry", icon: "term", label: "Keyboard", keys: "?", run: () => sheetSlot.open(true) },
    { kind: "rule" },
    ...THEMES.map(([theme, label]) => ({
      kind: "entry" as const,
      icon: null,
      label,
      isChosen: chosenTheme() === theme,
      run: () => chooseTheme(theme),
    })),
    { kind: "rule" },
    ...(["comfortable", "compact"] as const).map((density) => ({
      kind: "entry" as const,
      icon: null,
      label: `Cards: ${density}`,
      isChosen: chosenDensity() === density,
      run: () => chooseDensity(density),
    })),
    { kind: "rule" },
    { kind: "entry", icon: "x", label: "Sign out", run: () => void signOut() },
  ];
}

async function signOut(): Promise<void> {
  const refusal = await leave();
  if (refusal === null) globalThis.location.assign("/sign-in");
  else toast({ text: refusal.sentence, icon: "alert", isBad: true });
}
