"use client";
/** One's own menu: profile, settings, theme, sign out. */
import { useRouter } from "next/navigation";
import { leave } from "../account/account-calls";
import { useMe } from "../people/use-people";
import { type MenuEntry, openMenu } from "../ui/menu";
import { hueStyle, initialsOf } from "../ui/person";
import { toast } from "../ui/toast";
import { chooseTheme, chosenTheme, type Theme } from "./theme";

const THEMES: readonly (readonly [Theme, string])[] = [
  ["system", "Theme: as the system"],
  ["light", "Theme: light"],
  ["dark", "Theme: dark"],
];

export function AvatarMenu() {
  const me = useMe();
  const router = useRouter();
  if (me === undefined) return <span className="ava md" aria-hidden="true" />;
  const entries = (): MenuEntry[] => [
    { kind: "entry", icon: "right", label: "Your profile", run: () => router.push(`/people/${me.id}`) },
    { kind: "entry", icon: "link", label: "Account and API tokens", run: () => router.push("/account") },
    { kind: "entry", icon: "pen", label: "Settings", run: () => router.push("/settings") },
    { kind: "rule" },
    ...THEMES.map(([theme, label]) => ({
      kind: "entry" as const,
      icon: null,
      label,
      isChosen: chosenTheme() === theme,
      run: () => chooseTheme(theme),
    })),
    { kind: "rule" },
    { kind: "entry", icon: "x", label: "Sign out", run: () => void signOut() },
  ];
  return (
    <button
      type="button"
      className="ava u md you"
      style={hueStyle(me.id)}
      aria-haspopup="menu"
      aria-label={`${me.name}, your menu`}
      onClick={(event) => openMenu(event.currentTarget, "Your menu", entries())}
    >
      {initialsOf(me.name)}
    </button>
  );
}

async function signOut(): Promise<void> {
  const mistake = await leave();
  if (mistake === null) globalThis.location.assign("/sign-in");
  else toast({ text: mistake, icon: "alert", isBad: true });
}
