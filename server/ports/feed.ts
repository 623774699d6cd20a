/**
 * Gossip: tells open boards that something changed. Called after the commit that made it true (P11); every call may be
 * lost without harm, and none is ever awaited by whoever calls.
 */
import type { NewsTopic } from "../contract/live";
import type { ProjectId, TaskId, UserId } from "../core/words";

/** Who may see what was changed. */
export type Audience =
  | { readonly kind: "everybody" }
  | { readonly kind: "project"; readonly projectId: ProjectId }
  | { readonly kind: "person"; readonly userId: UserId };

export interface Feed {
  /** Cards were made, moved, edited, or their newest session changed. */
  tasksChanged(projectId: ProjectId, taskIds: readonly TaskId[]): void;
  tasksGone(projectId: ProjectId, taskIds: readonly TaskId[]): void;
  projectGone(projectId: ProjectId): void;
  /** Somebody was added, removed, or given another role: sockets lose what they may no longer see (L1). */
  accessChanged(userId: UserId): void;
  /** A login ended (sign-out, expiry, revocation): its sockets end within 5 s. */
  loginEnded(loginId: string): void;
  /** Somebody was deactivated: their sockets are told so, and end. */
  personDeactivated(userId: UserId): void;
  /** Something that is read by plain calls was changed: whoever shows it reads it again (L5). */
  news(topic: NewsTopic, audience: Audience): void;
}

/** The same as one server says it to the others. */
export type FeedWord =
  | { readonly kind: "tasks"; readonly projectId: ProjectId; readonly taskIds: readonly TaskId[] }
  | { readonly kind: "project-gone"; readonly projectId: ProjectId }
  | { readonly kind: "access"; readonly userId: UserId }
  | { readonly kind: "person-deactivated"; readonly userId: UserId }
  | { readonly kind: "login-ended"; readonly loginId: string }
  | { readonly kind: "news"; readonly topic: NewsTopic; readonly audience: Audience };
