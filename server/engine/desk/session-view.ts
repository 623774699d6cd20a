/**
 * Sessions and cards in the contract's shapes: the row, with the pool's snapshot laid over what lives (P13). A live
 * session's status, phase and place come from the snapshot only, so that one answer tells one picture.
 */
import { iso } from "../../contract/common";
import { poolSessionView } from "../../contract/pool-view";
import type { Session, WaitingForView } from "../../contract/sessions";
import type { Task } from "../../contract/tasks";
import { usageFrom } from "../../core/agent/usage";
import type { LiveSession, PoolSnapshot } from "../../core/pool/picture";
import { questionFrom } from "../../core/session/question";
import { failureSentence, whatToDoNext } from "../../core/session/sentences";
import { columnOf } from "../../core/task/board";
import { issueAddress } from "../../core/text/github-address";
import { isLive, type SessionPhase, type SessionStatus, WORKTREE_GONE } from "../../core/words";
import type { StoredSession } from "../../ports/session-store";
import type { StoredCard } from "../../ports/task-store";
import { TERM_GRACE_MS } from "../session/session-start";

export function sessionView(row: StoredSession, snapshot: PoolSnapshot): Session {
  const live = snapshot.session(row.id);
  const phase = live ? live.phase : row.phase;
  const view = { ...rowView(row), ...phaseView(row, phase), ...(live ? liveView(live) : notLiveView(row)) };
  // The row keeps what was asked last: who does not ask any more has no question.
  return { ...view, question: view.phase === "asking" ? questionView(row) : null };
}

/** The newest session of the card may have been made after its row was read: then the snapshot is all there is. */
export function taskView(card: StoredCard, snapshot: PoolSnapshot): Task {
  const { task, newest, newestStartedId, sessionCount, pullRequest, issue } = card;
  const live = snapshot.ofTask(task.id);
  const isUnread = live !== undefined && live.id !== newest?.id;
  const session = isUnread ? unreadView(live) : newest && sessionView(newest, snapshot);
  return {
    id: task.id,
    projectId: task.projectId,
    number: task.number,
    title: task.title,
    prompt: task.prompt,
    agentId: task.agentId,
    column: columnOf({
      shelf: task.shelf,
      shelfSessionId: task.shelfSessionId,
      live: liveStatus(session?.status),
      newestStartedId,
    }),
    session,
    sessionCount: sessionCount + (isUnread ? 1 : 0),
    orderKey: task.orderKey,
    branch: task.branch,
    createdBy: task.createdBy,
    createdAt: iso(task.createdAt),
    updatedAt: iso(task.updatedAt),
    shelfAt: task.shelfAt === null ? null : iso(task.shelfAt),
    shelfBy: task.shelfBy,
    outcome: task.outcome && { ...task.outcome, at: iso(task.outcome.at) },
    pullRequest: pullRequest && { ...pullRequest, changedAt: iso(pullRequest.changedAt) },
    issue: issue && { repository: issue.repository, number: issue.number, url: issueAddress(issue) },
    pushedAt: isoOrNull(task.pushedAt),
    pushedBranch: task.pushedBranch,
    unsavedIn: session !== null && hasUnsaved(session) ? task.worktree : null,
  };
}

function hasUnsaved({ workUnsaved, leftOut }: Session): boolean {
  return leftOut.length > 0 || (workUnsaved !== null && workUnsaved !== WORKTREE_GONE);
}

/** What only the pool knows; the rest of a live session is as its row says. */
function liveView(live: LiveSession) {
  // The row may be ahead of the snapshot: an ending is told once the snapshot has it.
  return { ...poolSessionView(live), finishedAt: null, exitCode: null, failure: null };
}

/** Over, or live in a row that no pool has read yet (it is starting). */
function notLiveView(row: StoredSession) {
  const isWaiting = row.status === "queued";
  const starting: WaitingForView = { reason: "pool-starting" };
  return {
    position: row.status === "running" ? 0 : null,
    ahead: null,
    waitingFor: isWaiting ? starting : null,
    startsIn: null,
    seat: row.status === "running" ? row.seat : null,
  };
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}

/** A row may be a moment older than the snapshot: then nobody knows yet since when. */
function phaseView(row: StoredSession, phase: SessionPhase | null) {
  const since = row.phase === phase ? row.phaseSince : null;
  const forcedAt = phase === "stopping" && since !== null ? since + TERM_GRACE_MS : null;
  return { phaseSince: isoOrNull(since), forcedAt: isoOrNull(forcedAt) };
}

function rowView(row: StoredSession) {
  return {
    id: row.id,
    taskId: row.taskId,
    projectId: row.projectId,
    userId: row.userId,
    agentId: row.agentId,
    attempt: row.attempt,
    status: row.status,
    phase: row.status === "running" ? row.phase : null,
    queuedAt: iso(row.queuedAt),
    startedAt: isoOrNull(row.startedAt),
    finishedAt: isoOrNull(row.finishedAt),
    exitCode: row.exitCode,
    failure: failureView(row),
    cancelledBy: row.cancelledBy,
    usage: usageFrom(row.usage),
    continues: row.continues,
    lastAction: row.lastAction,
    mode: row.mode,
    message: row.message,
    files: row.files,
    additions: row.additions,
    deletions: row.deletions,
    outputBytes: row.outputBytes,
    lastOutputAt: isoOrNull(row.lastOutputAt),
    adoptedAt: isoOrNull(row.adoptedAt),
    outputRemoved: row.outputRemoved,
    workUnsaved: row.workUnsaved,
    leftOut: [...row.leftOut],
  };
}

function questionView(row: StoredSession): Session["question"] {
  const question = questionFrom(row.question);
  return question && { ...question, options: [...question.options], askedAt: iso(question.askedAt) };
}

function failureView(row: StoredSession): Session["failure"] {
  if (row.failureKind === null) return null;
  const { failureKind: kind, failureDetail: detail, exitCode, signal, workUnsaved } = row;
  return {
    kind,
    ...(exitCode === null ? {} : { exitCode }),
    ...(signal === null ? {} : { signal }),
    sentence: failureSentence({ kind, detail, exitCode, signal, workUnsaved }),
    next: whatToDoNext({ kind, detail, signal, workUnsaved }),
  };
}

function unreadView(live: LiveSession): Session {
  return {
    id: live.id,
    agentId: live.agentId,
    cancelledBy: null,
    usage: null,
    question: null,
    continues: null,
    lastAction: null,
    mode: "work",
    message: null,
    files: null,
    additions: null,
    deletions: null,
    outputBytes: null,
    lastOutputAt: null,
    adoptedAt: null,
    phaseSince: null,
    forcedAt: null,
    outputRemoved: false,
    workUnsaved: null,
    leftOut: [],
    ...liveView(live),
  };
}

function liveStatus(status: SessionStatus | undefined) {
  return status !== undefined && isLive(status) ? status : null;
}
