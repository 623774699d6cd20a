"use client";
import { useEffect } from "react";

/** Something of ours is broken: says so in one sentence, shows no inside, and offers to try again. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  useEffect(() => {
    console.error(error);
  }, [error]);
  return (
    <main id="main" className="grid min-h-[60vh] place-items-center p-6">
      <div className="empty max-w-[420px]" role="alert">
        <b>This page could not be shown</b>
        <span>Nothing is lost: agents keep running, and who waits keeps their place.</span>
        {error.digest === undefined ? null : <span className="faint text-12">Reference {error.digest}</span>}
        <button type="button" className="btn" onClick={reset}>
          Try again
        </button>
      </div>
    </main>
  );
}
