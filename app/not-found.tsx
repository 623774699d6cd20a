import type { Metadata } from "next";
import Link from "next/link";

export const metadata: Metadata = { title: "Not here" };

/** Not there, or not yours: which of the two is nobody's business. */
export default function NotFound() {
  return (
    <main id="main" className="grid min-h-[60vh] place-items-center p-6">
      <div className="empty max-w-[420px]">
        <h1 className="font-semibold">This is not here</h1>
        <span>It was removed, or you are not a member of its project.</span>
        <Link className="btn" href="/">
          Go to the board
        </Link>
      </div>
    </main>
  );
}
