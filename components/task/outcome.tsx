"use client";
/** How a session ended, and what to do next; what is not on the branch is told plainly. */
import type { Session } from "@/server/contract/sessions";
import type { Task } from "@/server/contract/tasks";
import { usePeople } from "../people/use-people";
import { Icon, Mark, type MarkName } from "../ui/icon";
import { firstNameOf } from "../ui/person";
import { inSentence } from "../ui/written";
import { adviceFor } from "./advice";

interface OutcomeProps {
  readonly task: Task;
  /** One of the task's. */
  readonly session: Session;
  /** Nothing is left to do about it. */
  readonly isDone?: boolean;
}

export function Outcome({ task, session, isDone = false }: OutcomeProps) {
  const { nameOf } = usePeople();
  const by = session.cancelledBy === null ? null : inSentence(firstNameOf(nameOf(session.cancelledBy)));
  const advice = adviceFor(session, by, task.unsavedIn);
  const mark = MARKS[session.status];
  if (advice === null || mark === undefined) return null;
  return (
    <div className="outcome" data-testid="outcome">
      <Mark name={mark.name} className={mark.colour} />
      <p>
        <b>{advice.sentence}</b> {isDone ? null : <span className="dim">{advice.next}</span>}
      </p>
      {advice.warnings.map((warning) => (
        <p key={warning} className="outcome-warning">
          <Icon name="alert" small />
          <span>{warning}</span>
        </p>
      ))}
    </div>
  );
}

const MARKS: Readonly<Partial<Record<Session["status"], { name: MarkName; colour: string }>>> = {
  succeeded: { name: "succeeded", colour: "ok" },
  failed: { name: "failed", colour: "bad" },
  cancelled: { name: "cancelled", colour: "faint" },
};
