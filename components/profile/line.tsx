"use client";
/** One person's line as rows: what runs, then what waits with its place, who is ahead and about when it starts. */
import Link from "next/link";
import type { CSSProperties, ReactNode } from "react";
import type { Task } from "@/server/contract/tasks";
import { againFor } from "../board/try-again";
import { Elapsed } from "../live/elapsed";
import { aheadOf, estimateOf, isHeld, type PoolReader, reasonOf, shortRangeOf } from "../pool/wording";
import { Mark, type MarkName } from "../ui/icon";
import { firstNameOf } from "../ui/person";
import { inOwnOrder, inSentence } from "../ui/written";
import { LINE_SHOWN_MAX, type LineEntry, type PersonLine } from "./line-order";

interface LineProps {
  readonly line: PersonLine;
  /** Cards by id; a session whose card is not here is told without its title. */
  readonly tasks: Readonly<Record<string, Task>>;
  readonly reader: PoolReader;
  /** The session one looks at. */
  readonly hereId?: string | null;
  /** Some cards are still being read. */
  readonly isReading?: boolean;
  /** Rows at most; the rest is counted. */
  readonly rowsMax?: number;
}

export function Line(props: LineProps) {
  const { line, tasks, reader, hereId = null, isReading = false, rowsMax = LINE_SHOWN_MAX } = props;
  const shown = shownOf(line, hereId, rowsMax);
  return (
    <ol className="rows" aria-label="Line" style={widthsOf(shown, tasks)}>
      {shown.map((entry) => (
        <li
          key={entry.sessionId}
          className={`${entry.sessionId === hereId ? "mine-mark" : ""} ${isHeld(entry.session) ? "held-row" : ""}`}
          data-session={entry.sessionId}
        >
          <span className="num">{numberOf(entry, tasks)}</span>
          <EntryMark entry={entry} />
          <EntryTitle entry={entry} tasks={tasks} isReading={isReading} />
          <span className="end faint">
            <EntryEnd entry={entry} task={tasks[entry.session.taskId]} reader={reader} />
          </span>
        </li>
      ))}
      <Rest line={line} shown={shown.length} />
    </ol>
  );
}

/** The narrow one beside a task. */
export function ShortLine({ line, tasks, reader, hereId = null }: LineProps) {
  const shown = shownOf(line, hereId, LINE_SHOWN_MAX);
  return (
    <ol className="mini" aria-label="Line" style={widthsOf(shown, tasks)}>
      {shown.map((entry) => (
        <li key={entry.sessionId} className={entry.sessionId === hereId ? "here" : ""}>
          <EntryMark entry={entry} />
          <span className="cut">
            <span className="dim">{numberOf(entry, tasks)}</span> <EntryTitle entry={entry} tasks={tasks} />
          </span>
          <span className="end dim whitespace-nowrap">
            {entry.session.status === "running" ? (
              <Elapsed since={entry.session.startedAt ?? entry.session.queuedAt} />
            ) : (
              shortEstimate(entry, reader)
            )}
          </span>
        </li>
      ))}
      <Rest line={line} shown={shown.length} />
    </ol>
  );
}

/** Room for the longest number and the highest place, so that all titles of a line begin at one edge (`rows.css`). */
function widthsOf(entries: readonly LineEntry[], tasks: LineProps["tasks"]): CSSProperties {
  const longest = (texts: readonly string[], least: number) => Math.max(least, ...texts.map(({ length }) => length));
  const places = entries.filter(({ session }) => session.status === "queued" && !isHeld(session));
  return {
    "--num-chars": longest(
      entries.map((entry) => numberOf(entry, tasks)),
      3,
    ),
    "--place-chars": longest(
      places.map(({ session }) => String(session.position)),
      1,
    ),
  } as CSSProperties;
}

/** The first ones, and the one that is looked at wherever it stands. */
function shownOf({ running, queued }: PersonLine, hereId: string | null, max: number): readonly LineEntry[] {
  return [...running, ...queued].filter(({ sessionId }, place) => place < max || sessionId === hereId);
}

function Rest({ line, shown }: { line: PersonLine; shown: number }) {
  const { elsewhere, running, queued } = line;
  const more = running.length + queued.length - shown;
  const parts = [
    more === 0 ? null : `${more} more`,
    elsewhere.running === 0 ? null : `${elsewhere.running} elsewhere ${elsewhere.running === 1 ? "is" : "are"} running`,
    elsewhere.queued === 0 ? null : `${elsewhere.queued} elsewhere ${elsewhere.queued === 1 ? "waits" : "wait"}`,
  ].filter((part) => part !== null);
  if (parts.length > 0) return <li className="dim">{parts.join(" · ")}</li>;
  return running.length + queued.length === 0 ? <li className="dim">Nothing runs and nothing waits.</li> : null;
}

/** `#12`; empty where its card is not here. */
export function numberOf({ session }: LineEntry, tasks: LineProps["tasks"]): string {
  const task = tasks[session.taskId];
  return task === undefined ? "" : `#${task.number}`;
}

interface EntryTitleProps extends Pick<LineProps, "tasks" | "isReading"> {
  readonly entry: LineEntry;
}

/** The card's title, leading to it. */
export function EntryTitle({ entry: { session }, tasks, isReading = false }: EntryTitleProps) {
  const task = tasks[session.taskId];
  if (task === undefined) return <span className="cut dim">{isReading ? "" : "in another project"}</span>;
  return (
    <Link className="cut" href={`/projects/${task.projectId}/tasks/${task.number}`} prefetch={false} dir="auto">
      {inOwnOrder(task.title)}
    </Link>
  );
}

const PHASES: Readonly<Record<NonNullable<LineEntry["session"]["phase"]>, { mark: MarkName; word: string }>> = {
  starting: { mark: "starting", word: "Starting" },
  working: { mark: "running", word: "Running" },
  asking: { mark: "asking", word: "Needs an answer" },
  stopping: { mark: "stopping", word: "Stopping" },
  saving: { mark: "running", word: "Saving work" },
};

/** The sign of its state, or the tile with its place. */
export function EntryMark({ entry: { session } }: { entry: LineEntry }): ReactNode {
  if (session.status === "running") {
    const { mark } = PHASES[session.phase ?? "starting"];
    return <Mark name={mark} className={mark === "asking" ? "attn" : "accent"} />;
  }
  if (isHeld(session)) return <Mark name="held" />;
  return (
    <span className="place" role="img" aria-label={`position ${session.position}`}>
      {session.position}
    </span>
  );
}

interface EntryEndProps {
  readonly entry: LineEntry;
  readonly task: Task | undefined;
  readonly reader: PoolReader;
}

/** Beside why it is held (A8). */
function TryAgain({ entry, task }: Omit<EntryEndProps, "reader">) {
  const again = againFor(entry.session, entry.sessionId, task);
  if (again === null) return null;
  return (
    <button type="button" className="btn sm" onClick={() => void again()}>
      Try again
    </button>
  );
}

/** What it does and for how long, or who is ahead and about when it starts. */
export function EntryEnd({ entry, task, reader }: EntryEndProps): ReactNode {
  const { session } = entry;
  if (session.phase === "asking") {
    const whom = session.userId === reader.meId ? "you" : firstNameOf(reader.nameOf(session.userId));
    return <span className="attn">Needs {inSentence(whom)} · it keeps its seat</span>;
  }
  if (session.status === "running") {
    return (
      <>
        {PHASES[session.phase ?? "starting"].word} <Elapsed since={session.startedAt ?? session.queuedAt} />
      </>
    );
  }
  if (isHeld(session)) {
    return (
      <>
        {reasonOf(session, reader)} <TryAgain entry={entry} task={task} />
      </>
    );
  }
  return [aheadOf(session), shortRangeOf(session, reader)].filter(Boolean).join(" · ");
}

function shortEstimate({ session }: LineEntry, reader: PoolReader): string {
  if (isHeld(session)) return "held";
  return session.startsIn === null ? "" : estimateOf(session, reader).replace(/^about /, "");
}
