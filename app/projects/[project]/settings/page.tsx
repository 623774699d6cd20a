import type { Metadata } from "next";
import { ProjectSettings } from "@/components/project/project-settings";

export const metadata: Metadata = { title: "Project settings" };

interface ProjectSettingsPageProps {
  readonly params: Promise<{ project: string }>;
}

export default async function ProjectSettingsPage({ params }: ProjectSettingsPageProps) {
  return <ProjectSettings projectId={(await params).project} />;
}
