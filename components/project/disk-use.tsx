"use client";
/** How much room a project takes on the server's disk, and from when the figures are (R14). */
import { useQuery } from "@tanstack/react-query";
import type { ProjectDiskUse } from "@/server/contract/projects";
import { api } from "../api";
import { useServerNow } from "../live/clock";
import { sizeOf } from "../ui/size";
import { secondsBetween, span } from "../ui/time";

/** While it is being measured, the figures are asked for again after so long, ms. */
const ASK_AGAIN_MS = 3_000;
/** Younger figures are not told to be old, s. */
const JUST_NOW_SECONDS = 60;

export function DiskUse({ projectId, isClone }: { projectId: string; isClone: boolean }) {
  const options = api.projects.diskUse.queryOptions({ input: { id: projectId } });
  const again = ({ state }: { state: { data?: ProjectDiskUse } }) => state.data?.isMeasuring && ASK_AGAIN_MS;
  const { data } = useQuery({ ...options, refetchInterval: (query) => again(query) ?? false });
  if (data === undefined) return null;
  return (
    <div>
      <span className="label">On the disk</span>
      <p>{data.diskUse === null ? unknownWord(data) : <Figures figures={data.diskUse} isClone={isClone} />}</p>
    </div>
  );
}

function unknownWord({ isMeasuring }: ProjectDiskUse): string {
  return isMeasuring ? "Being measured…" : "Could not be measured.";
}

interface FiguresProps {
  readonly figures: NonNullable<ProjectDiskUse["diskUse"]>;
  readonly isClone: boolean;
}

function Figures({ figures, isClone }: FiguresProps) {
  const { worktrees, worktreesBytes, repositoryBytes, measuredAt } = figures;
  const seconds = secondsBetween(measuredAt, useServerNow());
  const parts = [
    worktrees === 0
      ? "No worktrees"
      : `${sizeOf(worktreesBytes)} in ${worktrees === 1 ? "1 worktree" : `${worktrees} worktrees`}`,
    ...(repositoryBytes === null ? [] : [`${sizeOf(repositoryBytes)} in the ${isClone ? "clone" : "repository"}`]),
  ];
  return (
    <>
      {parts.join(" · ")}{" "}
      <span className="dim" suppressHydrationWarning>
        · measured {seconds < JUST_NOW_SECONDS ? "just now" : `${span(seconds)} ago`}
      </span>
    </>
  );
}
