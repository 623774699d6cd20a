"use client";
/** Whoever waits can see it: place, reason, estimate, the whole line, and the way out of it (P14, P15). */
import Link from "next/link";
import type { PoolSession } from "@/server/contract/pool";
import type { Session } from "@/server/contract/sessions";
import type { Task } from "@/server/contract/tasks";
import { withdraw } from "../board/card-actions";
import type { BoardCard } from "../board/columns";
import { usePending } from "../board/pending";
import { againFor } from "../board/try-again";
import { usePool } from "../live/live-provider";
import { usePoolReader } from "../pool/use-reader";
import { aheadOf, estimateRangeOf, isHeld, queuedWord, reasonOf } from "../pool/wording";
import { Line } from "../profile/line";
import { lineOf } from "../profile/line-order";
import { useLineTasks } from "../profile/use-line-tasks";
import { Mark } from "../ui/icon";
import { firstNameOf } from "../ui/person";
import { inSentence } from "../ui/written";
import { LineMoves } from "./line-moves";
import { Prompt } from "./prompt";
import { SessionMessage } from "./session-message";

interface WaitingProps {
  readonly card: BoardCard;
  readonly tasks: Readonly<Record<string, Task>>;
}

export function Waiting({ card, tasks: ofBoard }: WaitingProps) {
  const { live } = card;
  const pool = usePool();
  const line = pool === undefined || live === null ? null : lineOf(pool, live.userId);
  // One line goes through all of one's projects, and this board knows the cards of one.
  const { tasks, isReading } = useLineTasks(line, ofBoard);
  const reader = usePoolReader(tasks);
  const isPending = usePending(card.task.id) !== null;
  if (reader === null || live === null || line === null) return null;
  const again = againFor(live, card.liveId, card.task);
  const estimate = isHeld(live) ? null : estimateRangeOf(live, reader);
  const cause = causeOf(live, card.task);
  const isPoolFull = live.waitingFor?.reason === "pool-limit";
  const ahead = isPoolFull ? null : aheadOf(live);
  const whose =
    live.userId === reader.meId ? "Your line" : `${inSentence(firstNameOf(reader.nameOf(live.userId)))}’s line`;
  return (
    <>
      <div className="waitbox">
        {isHeld(live) ? (
          <Mark name="held" />
        ) : (
          <span className="place" aria-hidden="true">
            {live.position}
          </span>
        )}
        <h2>{queuedWord(live)}</h2>
        <span className="btn-row">
          {again === null ? null : (
            <button type="button" className="btn ink" disabled={isPending} onClick={() => void again()}>
              Try again
            </button>
          )}
          {cause === null ? null : (
            <Link className="btn" href={cause.href}>
              {cause.label}
            </Link>
          )}
          <button type="button" className="btn" disabled={isPending} onClick={() => void withdraw(card)}>
            Withdraw
          </button>
        </span>
        <p className="dim">{[reasonOf(live, reader), ahead, estimate].filter(Boolean).join(" · ")}</p>
      </div>
      <div className="pane-line">
        <h2 className="pane-head">{whose}</h2>
        <LineMoves card={card} reader={reader} />
      </div>
      <div className="panel overflow-hidden">
        <Line line={line} tasks={tasks} reader={reader} isReading={isReading} hereId={card.liveId} />
      </div>
      <p className="hint">{hintFor(line.queued.map(({ session }) => session))}</p>
      <SessionMessage session={waitingSession(card)} heading="Message of the session that waits" />
      <h2 className="pane-head">Prompt</h2>
      <Prompt card={card} />
    </>
  );
}

/** Not the chosen one: somebody may read an earlier one meanwhile. */
function waitingSession({ task, liveId }: BoardCard): Session | null {
  return task.session?.id === liveId ? task.session : null;
}

/** Where what holds it is put right, before it is tried again. */
function causeOf({ waitingFor }: PoolSession, { projectId }: Task): { href: string; label: string } | null {
  switch (waitingFor?.reason) {
    case "agent-unusable":
      return { href: "/agents", label: "Agents" };
    case "repository-unusable":
      return { href: `/projects/${projectId}/settings`, label: "Project settings" };
    default:
      return null;
  }
}

/** What the figures in the line mean, of those that stand there. */
function hintFor(queued: readonly PoolSession[]): string {
  const ahead = "“Ahead” counts the sessions of everybody that would be granted a seat first, in the pool’s own order.";
  const estimate =
    "Estimates come from up to 200 recent sessions and from how long the running ones already take: half start by the first figure, four in five by the second, unless others go first meanwhile.";
  return [
    queued.some((session) => session.ahead !== null) ? ahead : "",
    queued.some((session) => session.startsIn !== null) ? estimate : "",
  ]
    .filter(Boolean)
    .join(" ");
}
