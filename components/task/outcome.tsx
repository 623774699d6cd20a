"use client";
/** How a session ended, and what to do next; what is not on the branch is told plainly. */
import type { Session } from "@/server/contract/sessions";
import { usePeople } from "../people/use-people";
import { Icon, Mark, type MarkName } from "../ui/icon";
import { firstNameOf } from "../ui/person";
import { adviceFor } from "./advice";

/** `isDone`: nothing is left to do about it. */
export function Outcome({ session, isDone = false }: { session: Session; isDone?: boolean }) {
  const { nameOf } = usePeople();
  const advice = adviceFor(session, session.cancelledBy === null ? null : firstNameOf(nameOf(session.cancelledBy)));
  const mark = MARKS[session.status];
  if (advice === null || mark === undefined) return null;
  return (
    <div className="outcome" data-testid="outcome">
      <Mark name={mark.name} className={mark.colour} />
      <p dir="auto">
        <b>{advice.sentence}</b> {isDone ? null : <span className="dim">{advice.next}</span>}
      </p>
      {advice.warnings.map((warning) => (
        <p key={warning} className="outcome-warning" dir="auto">
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
