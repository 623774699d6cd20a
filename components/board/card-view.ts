/**
 * What a card says in each state, word for word as the design's table (B1). Pure: no clock is read here, running clocks are
 * named by their beginning and tick on the screen. The task page and the profile say the same from the same function.
 */
import type { Session } from "@/server/contract/sessions";
import { endedWithSession } from "@/server/core/agent/background";
import { estimateOf, isHeld, type PoolReader, queuedWord, reasonOf } from "../pool/wording";
import { costOnCard } from "../ui/cost";
import type { MarkName } from "../ui/icon";
import { firstNameOf } from "../ui/person";
import { secondsBetween, span, until } from "../ui/time";
import { inSentence, withoutDisguise } from "../ui/written";
import { type CardTail, tailOf } from "./card-moments";
import type { BoardCard } from "./columns";
import { outcomeWord } from "./outcome-word";

export type CardLook =
  | "backlog"
  | "queued"
  | "starting"
  | "running"
  | "asking"
  | "stopping"
  | "saving"
  | "succeeded"
  | "failed"
  | "cancelled"
  | "done";

export type CardMark =
  | { readonly kind: "mark"; readonly name: MarkName }
  | { readonly kind: "place"; readonly place: number };

/** What stands at the right of the first line. */
export type CardRight =
  | { readonly kind: "nothing" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "clock"; readonly since: string }
  | { readonly kind: "age"; readonly since: string }
  | { readonly kind: "lines"; readonly added: number; readonly removed: number };

export interface CardView {
  readonly look: CardLook;
  readonly mark: CardMark | null;
  readonly word: string;
  readonly right: CardRight;
  readonly note: string;
  readonly noteRight: string | null;
  readonly tail: CardTail | null;
  /** Since when the card is in this state; its age. */
  readonly since: string;
  /** Who dispatched it, or who wrote it. */
  readonly userId: string | null;
}

/** Null instead of a pool: the picture is not there yet. */
export type CardReader = Pick<PoolReader, "meId" | "nameOf"> & {
  readonly reader: PoolReader | null;
  /** False of an agent that costs nothing, and until that is known (A4). */
  readonly mayCost: (agentId: string) => boolean;
  /** After so long without output an agent of this project counts as quiet (R9); null: not known yet. */
  readonly quietNoticeSeconds: number | null;
};

export function viewOf(card: BoardCard, who: CardReader): CardView {
  const view = withoutTail(card, who);
  return { ...view, tail: tailOf(card, who.quietNoticeSeconds) };
}

type TaillessView = Omit<CardView, "tail">;

function withoutTail(card: BoardCard, who: CardReader): TaillessView {
  const { task, column, live } = card;
  if (column === "done") return doneView(card, who);
  if (column === "backlog") {
    const view = {
      look: "backlog",
      mark: null,
      word: "Backlog",
      note: withoutDisguise(task.prompt),
      noteRight: null,
    } as const;
    return { ...view, right: { kind: "nothing" }, since: task.createdAt, userId: task.createdBy };
  }
  if (live?.status === "queued") return queuedView(card, live, who);
  if (live?.status === "running") return runningView(card, live, who);
  return endedView(card, who);
}

type Live = NonNullable<BoardCard["live"]>;

function queuedView(_card: BoardCard, live: Live, { reader }: CardReader): TaillessView {
  const common = {
    look: "queued",
    word: queuedWord(live),
    noteRight: null,
    since: live.queuedAt,
    userId: live.userId,
  } as const;
  const note = reader === null ? "" : reasonOf(live, reader);
  if (isHeld(live)) {
    const end = live.waitingFor?.until;
    const right: CardRight =
      end === undefined || reader === null
        ? { kind: "nothing" }
        : { kind: "text", text: until(end, Date.parse(reader.pool.at)) };
    return { ...common, mark: { kind: "mark", name: "held" }, right, note };
  }
  const text = reader === null ? "no estimate" : estimateOf(live, reader);
  return { ...common, mark: { kind: "place", place: live.position ?? 1 }, right: { kind: "text", text }, note };
}

function runningView(card: BoardCard, live: Live, who: CardReader): TaillessView {
  const session = card.task.session?.id === card.liveId ? card.task.session : null;
  const since = live.startedAt ?? live.queuedAt;
  const lastAction = session?.lastAction ?? null;
  const common = { noteRight: null, since: live.queuedAt, userId: live.userId } as const;
  const clock = { kind: "clock", since } as const;
  const phaseSince = session?.phase === live.phase ? session.phaseSince : null;
  const inPhase = { kind: "clock", since: phaseSince ?? since } as const;
  const mark = (name: MarkName) => ({ kind: "mark", name }) as const;
  switch (live.phase) {
    case null:
    case "starting": {
      const note = lastAction ?? "worktree and agent coming up";
      return { ...common, look: "starting", mark: mark("starting"), word: "Starting", right: clock, note };
    }
    case "working": {
      const note = lastAction ?? "at work";
      return { ...common, look: "running", mark: mark("running"), word: "Running", right: clock, note };
    }
    case "asking": {
      const word = live.userId === who.meId ? "Needs you" : `Needs ${nameFor(live.userId, who)}`;
      const age = { kind: "age", since: phaseSince ?? since } as const;
      return { ...common, look: "asking", mark: mark("asking"), word, right: age, note: questionOf(session) };
    }
    case "stopping":
      return {
        ...common,
        look: "stopping",
        mark: mark("stopping"),
        word: "Stopping",
        right: inPhase,
        note: "asked to stop",
      };
    case "saving": {
      const note = "committing the work";
      return { ...common, look: "saving", mark: mark("running"), word: "Saving work", right: inPhase, note };
    }
    default:
      return live.phase satisfies never;
  }
}

function questionOf(session: Session | null): string {
  return session?.question?.text ?? "The agent waits for an answer.";
}

function endedView({ task }: BoardCard, who: CardReader): TaillessView {
  const { session } = task;
  const base = { userId: session?.userId ?? task.createdBy, since: session?.finishedAt ?? task.updatedAt };
  if (session === null) {
    const empty = { look: "cancelled", mark: null, word: "No session yet", note: "", noteRight: null } as const;
    return { ...base, ...empty, right: { kind: "nothing" } };
  }
  const cost = costOnCard(session, who.mayCost);
  const common = { ...base, right: linesOf(session), noteRight: cost };
  const soon = { ...base, note: "", noteRight: null, right: { kind: "nothing" } } as const;
  const mark = (name: MarkName) => ({ kind: "mark", name }) as const;
  switch (session.status) {
    case "succeeded":
      return { ...common, look: "succeeded", mark: mark("succeeded"), word: "Succeeded", note: workOf(session) };
    case "failed": {
      const sentence = session.failure?.sentence ?? "The session failed.";
      const note = unsavedOf(session) ?? [sentence, ...leftOutOf(session)].join(" · ");
      return { ...common, look: "failed", mark: mark("failed"), word: "Failed", note };
    }
    case "cancelled":
      return {
        ...common,
        look: "cancelled",
        mark: mark("cancelled"),
        word: "Cancelled",
        note: [cancelledBy(session, who), ...leftOutOf(session)].join(" · "),
      };
    case "queued":
      // The pool has it no longer, the card's own news is still on its way: who has no slot leaves only the line.
      return { ...soon, look: "cancelled", mark: mark("cancelled"), word: "Withdrawn" };
    case "running":
      return { ...soon, look: "saving", mark: mark("running"), word: "Saving work" };
    default:
      return session.status satisfies never;
  }
}

function doneView({ task }: BoardCard, who: CardReader): TaillessView {
  const { outcome } = task;
  const sessions = task.sessionCount === 1 ? "1 session" : `${task.sessionCount} sessions`;
  const byId = outcome?.by ?? task.shelfBy;
  const name = byId === null ? "" : nameFor(byId, who);
  const by = name === "" ? "" : `by ${name} · `;
  return {
    look: "done",
    mark: { kind: "mark", name: "done" },
    word: outcomeWord(task),
    right: task.session?.startedAt ? linesOf(task.session) : { kind: "nothing" },
    note: `${by}${outcome?.kind === "discarded" ? "branch kept" : sessions}`,
    noteRight: costOnCard(task.session, who.mayCost),
    since: task.shelfAt ?? task.updatedAt,
    userId: task.session?.userId ?? task.createdBy,
  };
}

function linesOf(session: Session): CardRight {
  const { additions, deletions, files } = session;
  if (additions === null || deletions === null) return { kind: "nothing" };
  if (files === 0) return { kind: "text", text: "no changes" };
  return { kind: "lines", added: additions, removed: deletions };
}

function workOf(session: Session): string {
  const unsaved = unsavedOf(session);
  if (unsaved !== null) return unsaved;
  const files = session.files === 1 ? "1 file" : `${session.files} files`;
  const ended = endedWithSession(session.lastAction) === null ? null : "ended something in the background";
  const parts = [session.files ? files : null, tookOf(session), ended, ...leftOutOf(session)];
  return parts.filter((part) => part !== null).join(" · ");
}

/** One part of a note, or none. */
const leftOutOf = ({ leftOut }: Session) => (leftOut.length ? [`left out: ${inSentence(leftOut.join(", "))}`] : []);

function unsavedOf(session: Session): string | null {
  return session.workUnsaved === null ? null : `Work not saved: ${session.workUnsaved}`;
}

function tookOf({ startedAt, finishedAt }: Session): string | null {
  if (startedAt === null || finishedAt === null) return null;
  return span(secondsBetween(startedAt, Date.parse(finishedAt)));
}

function cancelledBy(session: Session, who: CardReader): string {
  const by = session.cancelledBy === null ? "by the server’s operator" : `by ${nameFor(session.cancelledBy, who)}`;
  const took = tookOf(session);
  if (took === null) return `${by} before it started`;
  const kept = session.files === null || session.files === 0 ? "" : " · work kept";
  return unsavedOf(session) ?? `${by} after ${took}${kept}`;
}

const nameFor = (userId: string, who: CardReader) => inSentence(firstNameOf(who.nameOf(userId)));
