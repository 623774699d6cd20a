"use client";
/** What belongs to one's own account: who one is here, and the programs that may act in one's name. */
import { useMe } from "../people/use-people";
import { Tokens } from "./tokens";

export function AccountPage() {
  const me = useMe();
  return (
    <main id="main" className="page max-w-[720px]!">
      <div className="page-head">
        <h1>Account</h1>
        <span className="faint cut" dir="auto">
          {me === undefined ? "" : `${me.name} · ${me.email}`}
        </span>
      </div>
      <Tokens />
    </main>
  );
}
