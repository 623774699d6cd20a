"use client";
/**
 * What a task's branch changes against its base (W4, unified). Read again when a session ends; while one runs it is what is
 * on the branch so far.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { DiffFile, Task } from "@/server/contract/tasks";
import { api, sentenceOf } from "../api";
import { FileDiff } from "./file-diff";

/** Files up to this many changed lines start unfolded, until so many lines are on the screen. */
const OPEN_MAX_LINES = { file: 400, all: 1_200 };

export function DiffView({ task }: { task: Task }) {
  const { session } = task;
  const options = api.tasks.diff.queryOptions({ input: { id: task.id } });
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...options,
    queryKey: [...options.queryKey, session?.id, session?.status, session?.finishedAt, session?.additions],
    placeholderData: keepPreviousData,
  });
  if (isPending) return <p className="faint">Reading the diff…</p>;
  if (error !== null) {
    return (
      <div className="empty" role="alert">
        <b>The diff cannot be shown</b>
        <span dir="auto">{sentenceOf(error)}</span>
        <button type="button" className="btn" onClick={() => void refetch()}>
          Try again
        </button>
      </div>
    );
  }
  const { files, baseBranch } = data;
  const isRunning = session?.status === "running";
  if (files.length === 0) {
    return (
      <div className="empty">
        <b>No changes</b>
        <span dir="auto">
          {isRunning ? "Nothing is on the branch so far. " : ""}The branch equals {baseBranch}.
        </span>
      </div>
    );
  }
  const open = opened(files);
  return (
    <div className="diffs" aria-busy={isFetching || undefined}>
      <div className="diffs-head">
        <p className="dim" dir="auto">
          <b>{files.length === 1 ? "1 file" : `${files.length} files`}</b>{" "}
          <span className="add">+{sum(files, "additions")}</span>{" "}
          <span className="del">−{sum(files, "deletions")}</span> against {baseBranch}
        </p>
        {isRunning ? (
          <button type="button" className="btn sm end" disabled={isFetching} onClick={() => void refetch()}>
            Read again
          </button>
        ) : null}
      </div>
      {files.map((file) => (
        <FileDiff key={`${file.oldPath ?? ""}\n${file.path}`} file={file} startsOpen={open.has(file.path)} />
      ))}
    </div>
  );
}

function opened(files: readonly DiffFile[]): ReadonlySet<string> {
  const open = new Set<string>();
  let lines = 0;
  for (const { path, additions, deletions } of files) {
    const changed = additions + deletions;
    if (changed > OPEN_MAX_LINES.file || lines + changed > OPEN_MAX_LINES.all) continue;
    lines += changed;
    open.add(path);
  }
  return open;
}

function sum(files: readonly DiffFile[], what: "additions" | "deletions"): number {
  return files.reduce((total, file) => total + file[what], 0);
}
