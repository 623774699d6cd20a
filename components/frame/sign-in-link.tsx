"use client";
/** Where somebody whose login has expired signs in again, and from where they come back to what they see now. */
import Link from "next/link";
import { usePathname } from "next/navigation";

export function SignInLink({ className }: { className: string }) {
  const path = usePathname();
  // The board's filter stands behind the path. Nothing of this is drawn on the server: there nobody's login expires.
  const next = path + globalThis.location.search;
  return (
    <Link className={className} href={`/sign-in?next=${encodeURIComponent(next)}`}>
      Sign in
    </Link>
  );
}
