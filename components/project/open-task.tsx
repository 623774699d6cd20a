"use client";
/** Opens a task beside the board as soon as the board is there. */
import { useRouter } from "next/navigation";
import { useEffect } from "react";

export function OpenTask({ projectId, number }: { projectId: string; number: string }) {
  const router = useRouter();
  useEffect(() => router.replace(`/projects/${projectId}/tasks/${number}`), [router, projectId, number]);
  return null;
}
