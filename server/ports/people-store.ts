/** People as profiles show them, and the changes administrators make. Signing in is `auth/`'s. */
import type { EndedStatus, InstallationRole, Millis, ProjectId, SessionId, TaskId, UserId } from "../core/words";

export interface StoredPerson {
  readonly id: UserId;
  readonly name: string;
  readonly email: string;
  readonly role: InstallationRole;
  readonly active: boolean;
}

/** One ended session in somebody's history. */
export interface PastSession {
  readonly sessionId: SessionId;
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  readonly number: number;
  readonly title: string;
  /** Its name; null where it is not kept any more. */
  readonly agent: string | null;
  /** Lines; null: it brought nothing that could be counted. */
  readonly additions: number | null;
  readonly deletions: number | null;
  /** As its row has it: believed by `usageFrom` alone. */
  readonly usage: unknown;
  readonly status: EndedStatus;
  readonly queuedAt: Millis;
  readonly startedAt: Millis | null;
  readonly finishedAt: Millis;
}

export interface Usage {
  /** Seconds from dispatch to grant; null without history. */
  readonly wait: { readonly p50: number; readonly p95: number; readonly sessions: number } | null;
  /** The same per day of the grant, oldest first; null on days without one. */
  readonly waitDays: readonly { readonly day: string; readonly p50: number | null; readonly p95: number | null }[];
  /** Agent time per day, oldest first, days without any included. */
  readonly agentSeconds: readonly { readonly day: string; readonly seconds: number }[];
}

export interface PeopleStore {
  person(id: UserId): Promise<StoredPerson | null>;
  /** Active ones and others, in the order in which they came. */
  people(after: UserId | null, limit: number): Promise<StoredPerson[]>;
  usage(id: UserId, now: Millis, timeZone: string): Promise<Usage>;
  /** Newest first, those before `after`, only of projects that `viewer` is a member of (L4). */
  history(id: UserId, viewer: UserId, after: SessionId | null, limit: number): Promise<PastSession[]>;
  /**
   * Role and activity; the last active administrator stays one, also when two demote each other at once (S2). Deactivating
   * ends the person's logins (their ids are answered) and revokes their tokens. A trial changes nothing.
   */
  change(
    id: UserId,
    change: { readonly role?: InstallationRole | undefined; readonly active?: boolean | undefined },
    how: { readonly isTrial: boolean },
  ): Promise<
    { readonly kind: "changed"; readonly endedLogins: readonly string[] } | { readonly kind: "gone" | "last-admin" }
  >;
}
