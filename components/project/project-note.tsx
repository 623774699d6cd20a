"use client";
/** What stands in the way of a dispatch in a project, said before somebody tries one. */
import { useQuery } from "@tanstack/react-query";
import { api } from "../api";
import { Icon } from "../ui/icon";

/** The repository is looked at again after so long, ms. */
const STALE_MS = 10_000;

export function ProjectNote({ projectId }: { projectId: string }) {
  const { data } = useQuery(api.projects.get.queryOptions({ input: { id: projectId }, staleTime: STALE_MS }));
  const note = data?.note ?? null;
  if (note === null) return null;
  return (
    <p className="flex items-start gap-2.5 rounded-8 bg-attn-soft px-3.5 py-3" role="status" dir="auto">
      <Icon name="alert" className="attn" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{note}</span>
    </p>
  );
}
