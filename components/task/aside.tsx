"use client";
/** The facts beside a task: one's line while a session is live, all sessions with their endings, and how long things took. */
import type { Session } from "@/server/contract/sessions";
import type { Task } from "@/server/contract/tasks";
import { useAgentNames } from "../agent/use-agents";
import type { BoardCard } from "../board/columns";
import { outcomeWord } from "../board/outcome-word";
import { useServerNow } from "../live/clock";
import { Age, Elapsed } from "../live/elapsed";
import { usePeople } from "../people/use-people";
import { usePoolReader } from "../pool/use-reader";
import { countsOf } from "../pool/wording";
import { ShortLine } from "../profile/line";
import { lineOf } from "../profile/line-order";
import { useProjects } from "../project/use-projects";
import { Mark, type MarkName } from "../ui/icon";
import { firstNameOf } from "../ui/person";
import { secondsBetween, span } from "../ui/time";
import { inSentence } from "../ui/written";
import { leftOutOf, useMergeOutlook } from "./merge-outlook";
import { TaskUsage } from "./usage";
import { useRemote } from "./use-remote";

interface AsideProps {
  readonly card: BoardCard;
  readonly tasks: Readonly<Record<string, Task>>;
  readonly sessions: readonly Session[];
  /** The chosen one. */
  readonly session: Session | null;
  readonly choose: (session: Session) => void;
}

export function Aside({ card, tasks, sessions, session, choose }: AsideProps) {
  return (
    <section className="aside" aria-label="About this task">
      {card.column === "running" ? <OwnLine card={card} tasks={tasks} /> : null}
      {sessions.length === 0 ? null : (
        <Sessions card={card} sessions={sessions} chosenId={session?.id ?? null} choose={choose} />
      )}
      {session === null ? null : <TaskUsage task={card.task} session={session} />}
      <Facts card={card} tasks={tasks} session={session} />
    </section>
  );
}

function OwnLine({ card, tasks }: Pick<AsideProps, "card" | "tasks">) {
  const reader = usePoolReader(tasks);
  const { live } = card;
  if (reader === null || live === null) return null;
  const { running, max, queued } = countsOf(reader.pool, live.userId);
  const whose =
    live.userId === reader.meId ? "Your line" : `${inSentence(firstNameOf(reader.nameOf(live.userId)))}’s line`;
  return (
    <section>
      <h2>
        {whose}
        <span className="end">
          {running} of {max === 1 ? "1 seat" : `${max} seats`}, {queued === 0 ? "none" : queued} waiting
        </span>
      </h2>
      <ShortLine line={lineOf(reader.pool, live.userId)} tasks={tasks} reader={reader} hereId={card.liveId} />
    </section>
  );
}

interface SessionsProps {
  readonly card: BoardCard;
  readonly sessions: readonly Session[];
  readonly chosenId: string | null;
  readonly choose: (session: Session) => void;
}

function Sessions({ card, sessions, chosenId, choose }: SessionsProps) {
  const { sessionCount } = card.task;
  return (
    <section>
      <h2>Sessions</h2>
      <ul className="mini">
        {sessions.map((session, place) => (
          <li key={session.id} className={session.id === chosenId ? "here" : ""}>
            <button
              type="button"
              className="mini-button"
              aria-current={session.id === chosenId || undefined}
              onClick={() => choose(session)}
            >
              <SessionMark card={card} session={session} />
              <span>
                {sessionCount - place} · {WORDS[statusOf(card, session)]}
              </span>
              <span className="end dim">
                <SessionTime session={session} />
              </span>
            </button>
            {session.failure === null ? null : <p className="hint">{session.failure.sentence}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const WORDS: Readonly<Record<Session["status"], string>> = {
  queued: "Queued",
  running: "Running",
  succeeded: "Succeeded",
  failed: "Failed",
  cancelled: "Cancelled",
};

const MARKS: Readonly<Record<Exclude<Session["status"], "queued">, { name: MarkName; colour: string }>> = {
  running: { name: "running", colour: "accent" },
  succeeded: { name: "succeeded", colour: "ok" },
  failed: { name: "failed", colour: "bad" },
  cancelled: { name: "cancelled", colour: "faint" },
};

/** The pool's picture knows first whether it waits or runs (P13). */
function statusOf({ live, liveId }: BoardCard, session: Session): Session["status"] {
  return live !== null && session.id === liveId ? live.status : session.status;
}

function SessionMark({ card, session }: { card: BoardCard; session: Session }) {
  const status = statusOf(card, session);
  if (status !== "queued") return <Mark name={MARKS[status].name} className={MARKS[status].colour} />;
  const position = card.live?.position ?? null;
  if (position === null) return <Mark name="held" />;
  return (
    <span className="place" aria-hidden="true">
      {position}
    </span>
  );
}

function SessionTime({ session }: { session: Session }) {
  if (session.finishedAt !== null) return <Age since={session.finishedAt} />;
  return <Elapsed since={session.startedAt ?? session.queuedAt} />;
}

function Facts({ card, tasks, session }: Pick<AsideProps, "card" | "tasks" | "session">) {
  const { task } = card;
  const outlook = useMergeOutlook(card, tasks);
  const behind = outlook?.behind ?? 0;
  const leftOut = card.column === "review" && outlook !== null ? leftOutOf(outlook) : null;
  const apart = useRemote(card, tasks)?.apart ?? null;
  const project = useProjects()?.find(({ id }) => id === task.projectId);
  const agent = useAgentNames(task.projectId)(session?.agentId ?? task.agentId);
  return (
    <section>
      <h2>Facts</h2>
      <dl>
        {agent === "" ? null : (
          <>
            <dt>Agent</dt>
            <dd dir="auto">{agent}</dd>
          </>
        )}
        {session === null ? null : <Times session={session} />}
        {project === undefined ? null : (
          <>
            <dt>Longest run</dt>
            <dd>{span(project.longestRunSeconds)}</dd>
            <dt>Base</dt>
            <dd className="flex justify-end whitespace-pre">
              <span className="cut" dir="auto">
                {project.baseBranch}
              </span>
              {behind === 0 ? null : <span className="shrink-0"> · {behind} behind</span>}
            </dd>
            {apart === null || task.outcome !== null ? null : (
              <dd className="hint col-span-2 text-start!" dir="auto">
                {apart}
              </dd>
            )}
            {leftOut === null ? null : <dd className="hint col-span-2 text-start!">{leftOut}</dd>}
          </>
        )}
        <Ending task={task} />
      </dl>
    </section>
  );
}

/** What became of the work, and where it was sent. */
function Ending({ task }: { task: Task }) {
  const { outcome, pushedAt, pushedBranch } = task;
  const { nameOf } = usePeople();
  return (
    <>
      {outcome === null ? null : (
        <>
          <dt>{outcomeWord(task)}</dt>
          <dd>
            <Age since={outcome.at} /> by {inSentence(firstNameOf(nameOf(outcome.by)))}
          </dd>
        </>
      )}
      {outcome?.commit == null ? null : (
        <>
          <dt>Commit</dt>
          <dd className="mono">{outcome.commit.slice(0, SHOWN_OF_COMMIT)}</dd>
        </>
      )}
      {pushedAt === null ? null : (
        <>
          <dt>Pushed</dt>
          <dd dir="auto" className="[overflow-wrap:anywhere]">
            {pushedBranch === null ? null : (
              <>
                <span className="mono">{pushedBranch}</span> ·{" "}
              </>
            )}
            <Age since={pushedAt} />
          </dd>
        </>
      )}
    </>
  );
}

/** Letters of a commit's name that are enough to find it. */
const SHOWN_OF_COMMIT = 10;

function Times({ session }: { session: Session }) {
  const now = useServerNow();
  const { queuedAt, startedAt, finishedAt } = session;
  const waitedUntil = startedAt ?? finishedAt;
  return (
    <>
      <dt>Waited</dt>
      <dd suppressHydrationWarning>{tookOf(queuedAt, waitedUntil, now)}</dd>
      {startedAt === null ? null : (
        <>
          <dt>Ran</dt>
          <dd suppressHydrationWarning>{tookOf(startedAt, finishedAt, now)}</dd>
        </>
      )}
    </>
  );
}

function tookOf(from: string, to: string | null, now: number): string {
  return to === null ? `${span(secondsBetween(from, now))} so far` : span(secondsBetween(from, Date.parse(to)));
}
