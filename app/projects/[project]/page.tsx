import type { Metadata } from "next";

export const metadata: Metadata = { title: "Board" };

/** The board itself stands in the layout, so that it stays when a task is opened. */
export default function BoardPage() {
  return null;
}
