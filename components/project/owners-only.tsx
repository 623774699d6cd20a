"use client";
/** In the head of what a member reads and cannot change. */
import type { Project } from "@/server/contract/projects";

export function OwnersOnly({ project }: { project: Project }) {
  return project.role === "owner" ? null : <span className="faint end">Only owners change this</span>;
}
