"use client";
/** What runs, by seat: whose, which task in which project, what it does and for how long. */
import { EntryEnd, EntryMark, EntryTitle, numberOf } from "../profile/line";
import type { LineTasks } from "../profile/use-line-tasks";
import { useProjects } from "../project/use-projects";
import { Avatar } from "../ui/person";
import { Fold } from "./fold";
import { everybodysLine } from "./grant-order";
import type { PoolReader } from "./wording";

interface RunningProps extends LineTasks {
  readonly reader: PoolReader;
}

/** Only sessions of one's own projects have a row; the head counts all (L4). */
export function Running({ reader, tasks, isReading }: RunningProps) {
  const projects = useProjects() ?? [];
  const { running, elsewhere } = everybodysLine(reader.pool);
  const { global } = reader.pool;
  const restAfter = (rowsMax: number) => {
    const more = running.length - rowsMax;
    return [more > 0 ? `${more} more` : null, elsewhere.running > 0 ? `${elsewhere.running} elsewhere` : null]
      .filter(Boolean)
      .join(" · ");
  };
  return (
    <section className="panel" aria-labelledby="pool-Running">
      <div className="panel-head">
        <h2 id="pool-Running">Running</h2>
        <span className="dim">
          {global.running}/{global.max}
        </span>
      </div>
      <Fold count={running.length}>
        {(rowsMax) => (
          <ul className="rows">
            {running.slice(0, rowsMax).map((entry) => (
              <li key={entry.sessionId} data-session={entry.sessionId}>
                <Avatar
                  userId={entry.session.userId}
                  name={reader.nameOf(entry.session.userId)}
                  you={entry.session.userId === reader.meId}
                />
                <EntryMark entry={entry} />
                <span className="cut flex-1">
                  <span className="dim">{numberOf(entry, tasks)}</span>{" "}
                  <EntryTitle entry={entry} tasks={tasks} isReading={isReading} />
                </span>
                <span className="cut faint phone:hidden" dir="auto">
                  {projects.find((project) => project.id === entry.session.projectId)?.name ?? "Project"}
                </span>
                <span className="end dim">
                  <EntryEnd entry={entry} task={tasks[entry.session.taskId]} reader={reader} />
                </span>
              </li>
            ))}
            {restAfter(rowsMax) === "" ? null : <li className="dim">{restAfter(rowsMax)}</li>}
            {global.running === 0 ? <li className="dim">No agent is running</li> : null}
          </ul>
        )}
      </Fold>
    </section>
  );
}
