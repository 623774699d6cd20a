"use client";
/** On narrow screens the header has no room for a row of places; they stand in a menu. */
import { usePathname, useRouter } from "next/navigation";
import { Icon } from "../ui/icon";
import { openMenu } from "../ui/menu";
import { useMainPlaces } from "./main-places";

export function PlacesMenu() {
  const router = useRouter();
  const path = usePathname();
  const places = [...useMainPlaces(), { href: "/settings", label: "Settings", isHere: path === "/settings" }];
  const entries = () =>
    places.map(({ href, label, isHere }) => ({
      kind: "entry" as const,
      icon: null,
      label,
      isChosen: isHere,
      run: () => router.push(href),
    }));
  return (
    <button
      type="button"
      className="btn ghost icon phone-only"
      aria-label="Go to"
      aria-haspopup="menu"
      onClick={(event) => openMenu(event.currentTarget, "Go to", entries())}
    >
      <Icon name="bars" />
    </button>
  );
}
