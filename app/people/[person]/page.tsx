import type { Metadata } from "next";
import { ProfilePage } from "@/components/profile/profile-page";

export const metadata: Metadata = { title: "Profile" };

interface PersonPageProps {
  readonly params: Promise<{ person: string }>;
}

export default async function PersonPage({ params }: PersonPageProps) {
  const { person } = await params;
  return <ProfilePage key={person} userId={person} />;
}
