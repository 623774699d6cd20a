"use client";
/**
 * One changed file: its name, what happened to it, and its lines when it is unfolded. A patch that is too long to come with
 * all the others is read when it is unfolded.
 */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo } from "react";
import type { DiffFile } from "@/server/contract/tasks";
import { api, sentenceOf } from "../api";
import { Icon } from "../ui/icon";
import { LineCounts } from "../ui/line-counts";
import { CommentBox } from "./comment-box";
import { changeComments, useCommentsOf } from "./comment-store";
import { followLines, keptOf, type LineComment } from "./comments";
import { endingsFact, factsOf, titleOf } from "./facts";
import { Lines } from "./lines";
import { type PatchLine, readPatch } from "./patch";
import type { DiffLayout } from "./use-layout";

interface FileDiffProps {
  readonly taskId: string;
  readonly file: DiffFile;
  /** Names the look at the branch that the file is from. */
  readonly look: readonly unknown[];
  /** Of its head, to jump to. */
  readonly id: string;
  readonly layout: DiffLayout;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

export function FileDiff({ taskId, file, look, id, layout, isOpen, toggle }: FileDiffProps) {
  const comments = useCommentsOf(taskId, file.path);
  const late = useLongPatch(taskId, file, look, isOpen || comments.length > 0);
  const patch = file.patch ?? late.patch;
  const lines = useMemo(() => (patch === null ? null : readPatch(patch)), [patch]);
  const endings = useMemo(() => (lines === null ? null : endingsFact(lines)), [lines]);
  useFollowed(taskId, file.path, lines);
  const placed = comments.filter(({ isGone }) => !isGone);
  const canOpen = file.isCut || (lines !== null && lines.length > 0);
  const name = titleOf(file);
  const inside = (
    <>
      {canOpen ? <Icon name={isOpen ? "chev" : "right"} small /> : <Icon name="file" small />}
      <bdi className="mono diff-name">{name}</bdi>
      {[...factsOf({ ...file, patch }), ...(endings === null ? [] : [endings])].map((fact) => (
        <span key={fact} className="chip">
          {fact}
        </span>
      ))}
      <CommentCount comments={comments} />
      <Counts file={file} />
    </>
  );
  return (
    <section className="diff" aria-label={name}>
      <h2 className="diff-title">
        {canOpen ? (
          <button type="button" id={id} className="diff-head" aria-expanded={isOpen} onClick={toggle}>
            {inside}
          </button>
        ) : (
          <span id={id} className="diff-head" tabIndex={-1}>
            {inside}
          </span>
        )}
      </h2>
      {isOpen ? <GoneComments taskId={taskId} comments={comments} /> : null}
      {canOpen && isOpen && lines !== null ? (
        <Lines
          taskId={taskId}
          lines={lines}
          layout={isOneSided(file) ? "unified" : layout}
          path={file.path}
          comments={placed}
        />
      ) : null}
      {canOpen && isOpen && lines === null ? <NotRead late={late} /> : null}
    </section>
  );
}

/** There is nothing to stand beside. */
function isOneSided({ status }: DiffFile): boolean {
  return status === "added" || status === "deleted";
}

/** Reads the patch of a file that was cut; nothing to do for all others. */
function useLongPatch(taskId: string, file: DiffFile, look: readonly unknown[], isWanted: boolean) {
  const options = api.tasks.diff.queryOptions({ input: { id: taskId, path: file.path } });
  const { data, error, refetch } = useQuery({
    ...options,
    queryKey: [...options.queryKey, ...look],
    enabled: file.isCut && isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { patch: data?.files[0]?.patch ?? null, isRead: data !== undefined, error, again: () => void refetch() };
}

function NotRead({ late: { isRead, error, again } }: { late: ReturnType<typeof useLongPatch> }): ReactNode {
  if (error !== null) {
    return (
      <p className="diff-note" role="alert">
        <span>{sentenceOf(error)}</span>
        <button type="button" className="btn sm end" onClick={again}>
          Try again
        </button>
      </p>
    );
  }
  return (
    <p className="diff-note">
      {isRead ? "It is too long to be shown here. The whole is on the branch." : "Reading the lines…"}
    </p>
  );
}

/** Comments go where their lines are now. */
function useFollowed(taskId: string, path: string, lines: readonly PatchLine[] | null): void {
  useEffect(() => {
    if (lines === null) return;
    changeComments(taskId, (comments) => followLines(comments, (of) => (of === path ? lines : undefined)));
  }, [taskId, path, lines]);
}

export function GoneComments({ taskId, comments }: { taskId: string; comments: readonly LineComment[] }) {
  const gone = comments.filter(({ isGone }) => isGone);
  if (gone.length === 0) return null;
  return (
    <div className="gone-comments">
      {gone.map((comment) => (
        <CommentBox key={comment.id} taskId={taskId} comment={comment} isFresh={false} closed={nowhere} />
      ))}
    </div>
  );
}

/** The line that the focus would go back to is gone. */
function nowhere(): void {}

function CommentCount({ comments }: { comments: readonly LineComment[] }) {
  const count = keptOf(comments).length;
  return count === 0 ? null : <span className="chip solid">{count === 1 ? "1 comment" : `${count} comments`}</span>;
}

export function Counts({ file: { isBinary, additions, deletions } }: { file: DiffFile }) {
  return (
    <>
      <span className="end diff-counts">{isBinary ? null : <LineCounts added={additions} removed={deletions} />}</span>
      <Share added={additions} removed={deletions} />
    </>
  );
}

/** Five little squares: how much was added, how much removed. The figures beside them say it in words. */
function Share({ added, removed }: { added: number; removed: number }) {
  const all = added + removed;
  const green = all === 0 ? 0 : Math.round((added / all) * 5);
  return (
    <span className="pm" aria-hidden="true">
      {[0, 1, 2, 3, 4].map((place) => (
        <i key={place} className={all === 0 ? "" : place < green ? "p" : "m"} />
      ))}
    </span>
  );
}
