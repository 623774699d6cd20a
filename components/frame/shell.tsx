"use client";
/**
 * What stands around every page of somebody who is signed in: header, banners, floats, dock. Account pages and the guide of
 * the first run stand alone. Whoever is not signed in is led to the door.
 */
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { useConnectionState } from "../live/live-provider";
import { useMe } from "../people/use-people";
import { Banners } from "./banners";
import { Dock } from "./dock";
import { Floats } from "./floats";
import { Header } from "./header";
import { Shortcuts } from "./shortcuts";

const ALONE = ["/sign-in", "/sign-up", "/invitation"];

export function Shell({ children }: { children: ReactNode }) {
  const path = usePathname();
  if (ALONE.some((place) => path.startsWith(place))) return children;
  return <SignedIn path={path}>{children}</SignedIn>;
}

function SignedIn({ path, children }: { path: string; children: ReactNode }) {
  const me = useMe();
  const router = useRouter();
  const { kind } = useConnectionState();
  useEffect(() => {
    if (me === undefined && kind === "expired") router.replace(`/sign-in?next=${encodeURIComponent(path)}`);
  }, [me, kind, path, router]);
  return (
    <>
      <a className="btn skip" href="#main">
        Skip to content
      </a>
      {path === "/" ? null : <Header />}
      <Banners />
      {children}
      {path === "/" ? null : <Dock />}
      <Floats />
      <Shortcuts />
    </>
  );
}
