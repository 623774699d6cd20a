"use client";
/**
 * What a task's branch changes against its base (W4), with comments on its lines (W5). Read again when a session ends; while
 * one runs it is what is on the branch so far.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import type { DiffFile, Task } from "@/server/contract/tasks";
import { api, sentenceOf } from "../api";
import { warningsOf } from "../task/advice";
import { Icon } from "../ui/icon";
import { LineCounts } from "../ui/line-counts";
import { inSentence } from "../ui/written";
import { changeComments, useComments } from "./comment-store";
import { followLines } from "./comments";
import { FileDiff, GoneComments } from "./file-diff";
import { FileList } from "./file-list";
import { type DiffLayoutChoice, useDiffLayout } from "./use-layout";

/** Files up to this many changed lines start unfolded, until so many lines are on the screen. */
const OPEN_MAX_LINES = { file: 400, all: 1_200 };
/** Files that are drawn before one asks for more. */
const FILES_STEP = 100;

export function DiffView({ task }: { task: Task }) {
  const { session } = task;
  const options = api.tasks.diff.queryOptions({ input: { id: task.id } });
  const look = [session?.id, session?.status, session?.finishedAt, session?.additions];
  const { data, error, isPending, isFetching, isPlaceholderData, dataUpdatedAt, refetch } = useQuery({
    ...options,
    queryKey: [...options.queryKey, ...look],
    placeholderData: keepPreviousData,
  });
  if (isPending) return <p className="faint">Reading the diff…</p>;
  if (error !== null) {
    return (
      <div className="empty" role="alert">
        <b>The diff cannot be shown</b>
        <span>{sentenceOf(error)}</span>
        <button type="button" className="btn" onClick={() => void refetch()}>
          Try again
        </button>
      </div>
    );
  }
  const isRunning = session?.status === "running";
  return (
    <div className="diffs" aria-busy={isFetching || undefined}>
      <Unsaved task={task} />
      <LostComments taskId={task.id} files={isPlaceholderData ? null : data.files} />
      {data.files.length === 0 ? (
        <div className="empty">
          <b>No changes</b>
          <span>
            {isRunning ? "Nothing is on the branch so far. " : ""}The branch equals {inSentence(data.baseBranch)}.
          </span>
        </div>
      ) : (
        <Files
          taskId={task.id}
          files={data.files}
          base={data.baseBranch}
          look={[...look, dataUpdatedAt]}
          readAgain={isRunning && !isFetching ? () => void refetch() : null}
        />
      )}
    </div>
  );
}

/** What no look at the branch shows. */
function Unsaved({ task: { session, unsavedIn } }: { task: Task }) {
  const warnings = session === null ? [] : warningsOf(session, unsavedIn);
  return warnings.map((warning) => (
    <p key={warning} className="outcome-warning">
      <Icon name="alert" small />
      <span>{warning}</span>
    </p>
  ));
}

/** Comments on files that are not changed any more. `files`: null while they are not known. */
function LostComments({ taskId, files }: { taskId: string; files: readonly DiffFile[] | null }) {
  const comments = useComments(taskId);
  useEffect(() => {
    if (files === null) return;
    const paths = new Set(files.map(({ path }) => path));
    changeComments(taskId, (all) => followLines(all, (path) => (paths.has(path) ? undefined : null)));
  }, [taskId, files]);
  const lost = comments.filter(({ path }) => !files?.some((file) => file.path === path));
  return <GoneComments taskId={taskId} comments={lost} />;
}

interface FilesProps {
  readonly taskId: string;
  readonly files: readonly DiffFile[];
  readonly base: string;
  readonly look: readonly unknown[];
  readonly readAgain: (() => void) | null;
}

function Files({ taskId, files, base, look, readAgain }: FilesProps) {
  const id = useId();
  const choice = useDiffLayout();
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [shown, setShown] = useState(FILES_STEP);
  const [target, setTarget] = useState<number | null>(null);
  const opened = openedAtFirst(files);
  const isOpen = ({ path }: DiffFile) => toggled.get(path) ?? opened.has(path);
  const set = ({ path }: DiffFile, to: boolean) => setToggled(new Map(toggled).set(path, to));
  const jump = (place: number) => {
    const file = files[place];
    if (file === undefined) return;
    set(file, true);
    setShown(Math.max(shown, place + 1));
    setTarget(place);
  };
  useEffect(() => {
    if (target === null) return;
    const head = document.getElementById(`${id}${target}`);
    head?.focus({ preventScroll: true });
    head?.closest("section")?.scrollIntoView({ block: "start" });
    setTarget(null);
  }, [id, target]);
  return (
    <>
      <Head files={files} base={base} choice={choice} jump={jump} readAgain={readAgain} />
      {files.slice(0, shown).map((file, place) => (
        <FileDiff
          key={`${file.oldPath ?? ""}\n${file.path}`}
          id={`${id}${place}`}
          taskId={taskId}
          file={file}
          look={look}
          layout={choice.layout}
          isOpen={isOpen(file)}
          toggle={() => set(file, !isOpen(file))}
        />
      ))}
      {files.length <= shown ? null : (
        <button type="button" className="btn more-files" onClick={() => setShown(shown + FILES_STEP)}>
          Show more of {files.length} files
        </button>
      )}
    </>
  );
}

interface HeadProps {
  readonly files: readonly DiffFile[];
  readonly base: string;
  readonly choice: DiffLayoutChoice;
  readonly jump: (place: number) => void;
  readonly readAgain: (() => void) | null;
}

function Head({ files, base, choice, jump, readAgain }: HeadProps) {
  const [isListed, setListed] = useState(false);
  return (
    <>
      <div className="diffs-head">
        <button type="button" className="diffs-files" aria-expanded={isListed} onClick={() => setListed(!isListed)}>
          <Icon name={isListed ? "chev" : "right"} small />
          <b>{files.length === 1 ? "1 file" : `${files.length.toLocaleString("en")} files`}</b>
          <LineCounts added={sum(files, "additions")} removed={sum(files, "deletions")} />
        </button>
        <span className="dim cut">against {inSentence(base)}</span>
        <span className="end" />
        {readAgain === null ? null : (
          <button type="button" className="btn sm" onClick={readAgain}>
            Read again
          </button>
        )}
        <fieldset className="seg wide-only" aria-label="How it is shown">
          <button type="button" aria-pressed={choice.layout === "unified"} onClick={() => choice.choose("unified")}>
            Unified
          </button>
          <button type="button" aria-pressed={choice.layout === "split"} onClick={() => choice.choose("split")}>
            Side by side
          </button>
        </fieldset>
      </div>
      {isListed ? <FileList files={files} jump={jump} /> : null}
    </>
  );
}

function openedAtFirst(files: readonly DiffFile[]): ReadonlySet<string> {
  const open = new Set<string>();
  let lines = 0;
  for (const { path, additions, deletions, isCut } of files) {
    const changed = additions + deletions;
    if (isCut || changed > OPEN_MAX_LINES.file || lines + changed > OPEN_MAX_LINES.all) continue;
    lines += changed;
    open.add(path);
  }
  return open;
}

function sum(files: readonly DiffFile[], what: "additions" | "deletions"): number {
  return files.reduce((total, file) => total + file[what], 0);
}
