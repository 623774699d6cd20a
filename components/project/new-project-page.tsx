"use client";
/** One more project. */
import { useRouter } from "next/navigation";
import { ProjectForm } from "./project-form";

export function NewProjectPage() {
  const router = useRouter();
  return (
    <main id="main" className="mx-auto max-w-[560px] px-4 py-10">
      <h1 className="mb-6 text-28 font-semibold tracking-tight">New project</h1>
      <ProjectForm done={({ id }) => router.push(`/projects/${id}`)} />
    </main>
  );
}
