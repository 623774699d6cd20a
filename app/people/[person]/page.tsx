import type { Metadata } from "next";
import { ProfilePage } from "@/components/profile/profile-page";
import { visit } from "../../visit";

interface PersonPageProps {
  readonly params: Promise<{ person: string }>;
}

/** One's own name is known here; a team-mate's comes with their page. */
export async function generateMetadata({ params }: PersonPageProps): Promise<Metadata> {
  const visited = await visit();
  const isMine = visited.kind === "visitor" && visited.visitor.me.id === (await params).person;
  return { title: isMine ? visited.visitor.me.name : "Profile" };
}

export default async function PersonPage({ params }: PersonPageProps) {
  const { person } = await params;
  return <ProfilePage key={person} userId={person} />;
}
