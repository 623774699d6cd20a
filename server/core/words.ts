/**
 * The product's nouns as types: ids and statuses. Imports nothing and is imported by everyone,
 * so a word means the same thing in rows, on the wire and on the screen.
 */

export type UserId = string;
export type ProjectId = string;
export type TaskId = string;
export type SessionId = string;
export type AgentId = string;

/** A point in time as milliseconds since 1970 (UTC). Rows and memory; the wire uses ISO 8601. */
export type Millis = number;

export const SESSION_STATUSES = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];
/** A live session waits for a slot or holds one. At most one per task (P3). */
export type LiveStatus = "queued" | "running";
export type EndedStatus = "succeeded" | "failed" | "cancelled";

/** Where a running session is in its life; null while it waits and after it ended. */
export const SESSION_PHASES = ["starting", "working", "asking", "stopping", "saving"] as const;
export type SessionPhase = (typeof SESSION_PHASES)[number];

export const FAILURE_KINDS = [
  "agent-exited",
  "could-not-start",
  "runner-lost",
  "timed-out",
  "no-answer",
  "no-result",
  /** By whoever runs the machine; its status is cancelled, not failed. */
  "stopped",
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** Why a queued session steps aside although its turn may have come (P14). */
export const HOLD_REASONS = ["budget", "agent-unusable", "repository-unusable", "disk"] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** Why a queued session waits, in the order in which the first that applies is told (P14). */
export const WAIT_REASONS = ["pool-starting", "paused", ...HOLD_REASONS, "your-limit", "pool-limit"] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

export const COLUMNS = ["backlog", "waiting", "running", "review", "done"] as const;
export type Column = (typeof COLUMNS)[number];

/** Where a person has put a task; the other two columns are computed and belong to the pool. */
export type Shelf = "backlog" | "review" | "done";

/** What a person made of a task's work. */
export const OUTCOME_KINDS = ["merged", "requested", "discarded"] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

export const AGENT_KINDS = ["shell", "command", "claude-code", "codex", "acp"] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

export type InstallationRole = "admin" | "member";
export type ProjectRole = "owner" | "member";

/** Which try of a session; with the epoch it fences late messages. From 1. */
export type Attempt = number;
/** Which term of the writer. Rises with every takeover of the lease. */
export type Epoch = number;

/** One attempt of one session: what a slot is held for and what a runner is named after. */
export interface AttemptRef {
  readonly sessionId: SessionId;
  readonly attempt: Attempt;
}

export function isLive(status: SessionStatus): status is LiveStatus {
  return status === "queued" || status === "running";
}

/** Stands as `workUnsaved` where nothing is left that could be saved (W2). */
export const WORKTREE_GONE = "The agent removed its worktree: what it had not committed is gone.";
