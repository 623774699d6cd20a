"use client";
/**
 * What stands around every page of somebody who is signed in: header, banners, floats, dock. Account pages and the guide of
 * the first run stand alone. Whoever is not signed in is led to the door.
 */
import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { useConnectionState } from "../live/live-provider";
import { useMe } from "../people/use-people";
import { Icon } from "../ui/icon";
import { Banners } from "./banners";
import { Dock } from "./dock";
import { Floats } from "./floats";
import { Header } from "./header";
import { LastBoard } from "./places";
import { Shortcuts } from "./shortcuts";

const ALONE = ["/sign-in", "/sign-up", "/invitation"];

interface ShellProps {
  readonly isSignedIn: boolean;
  /** As the request told it. */
  readonly lastBoard: string | null;
  readonly children: ReactNode;
}

export function Shell({ isSignedIn, lastBoard, children }: ShellProps) {
  const path = usePathname();
  if (ALONE.some((place) => path.startsWith(place))) return children;
  // Where nobody is signed in, the first page itself knows whether an account is to be made or used.
  if (!isSignedIn && path === "/") return children;
  if (!isSignedIn) return <ToTheDoor path={path} />;
  return (
    <LastBoard value={lastBoard}>
      <SignedIn path={path}>{children}</SignedIn>
    </LastBoard>
  );
}

function SignedIn({ path, children }: { path: string; children: ReactNode }) {
  const me = useMe();
  const { kind } = useConnectionState();
  if (me === undefined && kind === "expired") return <ToTheDoor path={path} />;
  if (kind === "deactivated") return <Deactivated />;
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

/** Instead of the page: what was on it is no longer for this person. */
function Deactivated() {
  return (
    <main id="main" className="p-4">
      <p className="banner bad" role="alert">
        <Icon name="alert" />
        <span>
          <b>This account has been deactivated.</b> Ask an administrator.
        </span>
        <Link className="btn sm end" href="/sign-in">
          Sign in
        </Link>
      </p>
    </main>
  );
}

function ToTheDoor({ path }: { path: string }) {
  const router = useRouter();
  useEffect(() => router.replace(`/sign-in?next=${encodeURIComponent(path)}`), [path, router]);
  return <main id="main" aria-busy="true" />;
}
