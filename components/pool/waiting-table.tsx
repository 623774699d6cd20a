"use client";
/** Who waits: everybody in the order in which the pool would grant, or one chosen person's whole line (P14, P15, P22). */
import { useState } from "react";
import type { Task } from "@/server/contract/tasks";
import { EntryTitle, Line } from "../profile/line";
import { type LineEntry, lineOf, type PersonLine } from "../profile/line-order";
import { useLineTasks } from "../profile/use-line-tasks";
import { type Column, Columns } from "../ui/columns";
import { Avatar, firstNameOf } from "../ui/person";
import { inSentence } from "../ui/written";
import { Fold } from "./fold";
import { everybodysLine } from "./grant-order";
import { usePoolReader } from "./use-reader";
import { countsOf, isHeld, type PoolReader, reasonOf, shortRangeOf } from "./wording";

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
  const others = Object.entries(pool.users).filter(
    ([id, { queued, running }]) => id !== whole.meId && (queued + running > 0 || id === chosen),
  );
  return (
    <section className="panel" aria-labelledby="pool-Line">
      <div className="panel-head line-head">
        <h2 id="pool-Line">Line</h2>
        <span className="faint cut">{pool.global.queued} waiting, in the order the pool would grant</span>
        <fieldset className="seg end" aria-label="Whose line">
          <button type="button" aria-pressed={chosen === null} onClick={() => setChosen(null)}>
            Everyone
          </button>
          <button type="button" aria-pressed={chosen === whole.meId} onClick={() => setChosen(whole.meId)}>
            Mine <span className="n">{countsOf(pool, whole.meId).queued}</span>
          </button>
        </fieldset>
        {others.length === 0 ? null : (
          <span className="field w-auto! min-w-0 max-w-[150px]">
            <select
              aria-label="Somebody else’s line"
              className="min-w-0 flex-1!"
              value={chosen === whole.meId ? "" : (chosen ?? "")}
              onChange={(event) => setChosen(event.target.value === "" ? null : event.target.value)}
            >
              <option value="">Others</option>
              {others.map(([id, { queued }]) => (
                <option key={id} value={id}>
                  {inSentence(whole.nameOf(id))} · {queued} waiting
                </option>
              ))}
            </select>
          </span>
        )}
      </div>
      {chosen === null ? (
        <Fold key="everyone" count={line.queued.length}>
          {(rowsMax) => (
            <GrantOrder line={line} tasks={tasks} reader={reader} isReading={isReading} rowsMax={rowsMax} />
          )}
        </Fold>
      ) : (
        <Fold key={chosen} count={line.running.length + line.queued.length}>
          {(rowsMax) => <Line line={line} tasks={tasks} reader={reader} isReading={isReading} rowsMax={rowsMax} />}
        </Fold>
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
  readonly rowsMax: number;
}

interface RowProps extends Omit<GrantOrderProps, "line" | "rowsMax"> {
  readonly entry: LineEntry;
}

/** Only sessions of one's own projects have a row; the rest is counted (L4). */
function GrantOrder({ line, tasks, reader, isReading, rowsMax }: GrantOrderProps) {
  const shown = line.queued.slice(0, rowsMax);
  const rest = [
    line.queued.length > shown.length ? `${line.queued.length - shown.length} more` : null,
    line.elsewhere.queued > 0 ? `${line.elsewhere.queued} elsewhere` : null,
  ].filter(Boolean);
  return (
    <table className="tbl two-lines grant-order">
      <Columns of={COLUMNS} />
      <tbody>
        {shown.map((entry) => (
          <Row key={entry.sessionId} entry={entry} tasks={tasks} reader={reader} isReading={isReading} />
        ))}
        {rest.length + shown.length === 0 ? <Note text="Nobody waits" /> : null}
        {rest.length > 0 ? <Note text={rest.join(" · ")} /> : null}
      </tbody>
    </table>
  );
}

function Row({ entry, tasks, reader, isReading }: RowProps) {
  const { sessionId, session } = entry;
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
      <td>{isHeld(session) ? "held" : <span className="place inline-grid!">{session.position}</span>}</td>
      <td className="wide">
        <span className="cut block">
          {task === undefined ? null : <span className="dim">#{task.number} </span>}
          <EntryTitle entry={entry} tasks={tasks} isReading={isReading} />
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
