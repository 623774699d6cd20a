"use client";
/** How long output is kept and how long questions wait, for administrators; seats, limits and pause are on the pool page. */
import Link from "next/link";
import { useMe } from "../people/use-people";
import { AnswerTime } from "./answer-time";
import { Retention } from "./retention";

export function SettingsPage() {
  const me = useMe();
  return (
    <main id="main" className="page max-w-[720px]!">
      <div className="page-head">
        <h1>Settings</h1>
      </div>
      <p className="dim">
        Seats, limits and pause are on the{" "}
        <Link className="accent underline" href="/pool">
          pool page
        </Link>
        .
      </p>
      {me === undefined ? null : me.role === "admin" ? (
        <>
          <Retention />
          <AnswerTime />
        </>
      ) : (
        <p className="hint">Only an administrator changes settings.</p>
      )}
    </main>
  );
}
