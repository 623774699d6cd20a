"use client";
import { useMe } from "../people/use-people";
/** What belongs to one's own account: who one is here and how one enters, what this browser does for one, and the programs that may act in one's name. */
import { inSentence } from "../ui/written";
import { BrowserChoices } from "./browser-choices";
import { OwnLogin } from "./own-login";
import { Tokens } from "./tokens";

export function AccountPage() {
  const me = useMe();
  return (
    <main id="main" className="page max-w-[720px]!">
      <div className="page-head">
        <h1>Account</h1>
        <span className="faint cut" dir="auto">
          {me === undefined ? "" : `${inSentence(me.name)} · ${me.email}`}
        </span>
      </div>
      <OwnLogin />
      <BrowserChoices />
      <Tokens />
    </main>
  );
}
