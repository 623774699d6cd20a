import type { Metadata } from "next";
import { firstPaint } from "../../visit";

interface PageProps {
  readonly params: Promise<{ project: string }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { project } = await params;
  const first = await firstPaint();
  return { title: first?.projects?.find(({ id }) => id === project)?.name ?? "Board" };
}

/** The board itself stands in the layout, so that it stays when a task is opened. */
export default function BoardPage() {
  return null;
}
