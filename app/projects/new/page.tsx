import type { Metadata } from "next";
import { NewProjectPage } from "@/components/project/new-project-page";

export const metadata: Metadata = { title: "New project" };

export default function Page() {
  return <NewProjectPage />;
}
