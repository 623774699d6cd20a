import type { Metadata } from "next";
import { PeoplePage } from "@/components/profile/people-page";

export const metadata: Metadata = { title: "People" };

export default function Page() {
  return <PeoplePage />;
}
