"use client";
/** Who waits: everybody in the order in which the pool would grant, or one chosen person's whole line (P14, P15, P22). */
import { useState } from "react";
import type { Task } from "@/server/contract/tasks";
import { Line } from "../profile/line";
import { LINE_SHOWN_MAX, type LineEntry, lineOf, type PersonLine } from "../profile/line-order";
import { useLineTasks } from "../profile/use-line-tasks";
import { type Column, Columns } from "../ui/columns";
import { Avatar, firstNameOf } from "../ui/person";
import { inOwnOrder } from "../ui/written";
import { everybodysLine } from "./grant-order";
import { usePoolReader } from "./use-reader";
import { isHeld, type PoolReader, reasonOf, shortRangeOf } from "./wording";

const COLUMNS: readonly Column[] = [
  { head: "Ahead", isFromTablet: true },
  { head: "Who" },
  { head: "Position" },
  { head: "Task and reason", isWide: true },
  { head: "Starts in", isRight: true },
];

type Tasks = Readonly<Record<string, Task>>;

export function WaitingTable({ reader: whole }: { reader: PoolReader }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { pool } = whole;
  const line = chosen === null ? everybodysLine(pool) : lineOf(pool, chosen);
  const { tasks, isReading } = useLineTasks(line);
  const reader = usePoolReader(tasks) ?? whole;
  const people = Object.entries(pool.users).filter(
    ([id, { queued, running }]) => queued + running > 0 || id === chosen,
  );
  return (
    <section className="panel self-start" aria-labelledby="pool-Waiting">
      <div className="panel-head">
        <h2 id="pool-Waiting">Waiting</h2>
        <span className="dim">{pool.global.queued}</span>
        <span className="field end w-auto! min-w-0 max-w-[200px]">
          <select
            aria-label="Whose line"
            value={chosen ?? ""}
            onChange={(event) => setChosen(event.target.value === "" ? null : event.target.value)}
          >
            <option value="">Everyone</option>
            {people.map(([id, { queued }]) => (
              <option key={id} value={id}>
                {whole.nameOf(id)} · {queued} waiting
              </option>
            ))}
          </select>
        </span>
      </div>
      {chosen === null ? (
        <GrantOrder line={line} tasks={tasks} reader={reader} isReading={isReading} />
      ) : (
        <Line line={line} tasks={tasks} reader={reader} isReading={isReading} />
      )}
    </section>
  );
}

interface GrantOrderProps {
  readonly line: PersonLine;
  readonly tasks: Tasks;
  readonly reader: PoolReader;
  /** Some cards are still being read. */
  readonly isReading: boolean;
}

interface RowProps extends Omit<GrantOrderProps, "line"> {
  readonly entry: LineEntry;
}

/** Only sessions of one's own projects have a row; the rest is counted (L4). */
function GrantOrder({ line, tasks, reader, isReading }: GrantOrderProps) {
  const shown = line.queued.slice(0, LINE_SHOWN_MAX);
  const rest = [
    line.queued.length > shown.length ? `${line.queued.length - shown.length} more` : null,
    line.elsewhere.queued > 0 ? `${line.elsewhere.queued} elsewhere` : null,
  ].filter(Boolean);
  return (
    <table className="tbl two-lines">
      <Columns of={COLUMNS} />
      <tbody>
        {shown.map((entry) => (
          <Row key={entry.sessionId} {...{ entry, tasks, reader, isReading }} />
        ))}
        {rest.length + shown.length === 0 ? <Note text="Nobody waits" /> : null}
        {rest.length > 0 ? <Note text={rest.join(" · ")} /> : null}
      </tbody>
    </table>
  );
}

function Row({ entry: { sessionId, session }, tasks, reader, isReading }: RowProps) {
  const task = tasks[session.taskId];
  const isMine = session.userId === reader.meId;
  return (
    <tr className={isMine ? "you" : ""} data-session={sessionId}>
      <td className="phone:hidden">{session.ahead ?? "–"}</td>
      <td>
        <span className="flex items-center gap-2 whitespace-nowrap">
          <Avatar userId={session.userId} name={reader.nameOf(session.userId)} you={isMine} />
          <bdi className="phone:sr-only">{firstNameOf(reader.nameOf(session.userId))}</bdi>
        </span>
      </td>
      <td>{isHeld(session) ? "held" : session.position}</td>
      <td className="wide">
        <span className="cut block" dir="auto">
          {task === undefined ? "" : `#${task.number} ${inOwnOrder(task.title)}`}
        </span>
        <span className="faint block overflow-hidden text-ellipsis phone:whitespace-normal">
          {isReading ? "" : reasonOf(session, reader)}
        </span>
      </td>
      <td className="r">{isHeld(session) ? "–" : shortRangeOf(session, reader)}</td>
    </tr>
  );
}

function Note({ text }: { text: string }) {
  return (
    <tr>
      <td colSpan={5} className="dim">
        {text}
      </td>
    </tr>
  );
}
