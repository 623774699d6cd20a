"use client";
/** What a project's repository has to be looked after for, said before somebody tries. */
import { Icon } from "../ui/icon";
import { useLookedAt } from "./use-projects";

/** What stands in the way of a dispatch, and what was cut off. */
export function ProjectNote({ projectId }: { projectId: string }) {
  const note = useLookedAt(projectId)?.note ?? null;
  return (
    <>
      <Note text={note} />
      <CutOffNote projectId={projectId} />
    </>
  );
}

/** A merge that a crash cut off, and that only a person can help along. */
export function CutOffNote({ projectId }: { projectId: string }) {
  return <Note text={useLookedAt(projectId)?.cutOff ?? null} />;
}

function Note({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p className="flex items-start gap-2.5 rounded-8 bg-attn-soft px-3.5 py-3" role="status">
      <Icon name="alert" className="attn" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
    </p>
  );
}
