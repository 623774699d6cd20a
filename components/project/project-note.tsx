"use client";
/** What stands in the way of a dispatch in a project, said before somebody tries one. */
import { Icon } from "../ui/icon";
import { useLookedAt } from "./use-projects";

export function ProjectNote({ projectId }: { projectId: string }) {
  const note = useLookedAt(projectId)?.note ?? null;
  if (note === null) return null;
  return (
    <p className="flex items-start gap-2.5 rounded-8 bg-attn-soft px-3.5 py-3" role="status" dir="auto">
      <Icon name="alert" className="attn" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{note}</span>
    </p>
  );
}
