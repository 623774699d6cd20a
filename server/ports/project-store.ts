/** Project rows and who belongs to them. Removed projects are not there for any verb. */
import type { Millis, ProjectId, ProjectRole, TaskId, UserId } from "../core/words";

export interface StoredProject {
  readonly id: ProjectId;
  readonly name: string;
  /** What the person gave: absolute path, clone URL without credentials, or "sample". */
  readonly repository: string;
  /** Absolute path of the git repository that is used. */
  readonly path: string;
  readonly baseBranch: string;
  readonly longestRunMs: number;
  readonly quietNoticeMs: number;
  /** Null: none. */
  readonly setupScript: string | null;
  /** A token for GitHub is set. */
  readonly hasGitHub: boolean;
  readonly createdAt: Millis;
}

export interface ProjectChange {
  readonly name?: string | undefined;
  readonly repository?: string | undefined;
  readonly path?: string | undefined;
  readonly baseBranch?: string | undefined;
  readonly longestRunMs?: number | undefined;
  readonly quietNoticeMs?: number | undefined;
  readonly setupScript?: string | null | undefined;
}

export interface StoredMember {
  readonly userId: UserId;
  readonly name: string;
  readonly email: string;
  readonly role: ProjectRole;
  readonly addedAt: Millis;
}

/** The last owner of a project stays one (spec 9): `last-owner` changes nothing. */
export type MemberChange = "changed" | "no-such-user" | "no-such-member" | "last-owner";

export interface ProjectStore {
  project(id: ProjectId): Promise<StoredProject | null>;
  /** Those of one person, with that person's role, oldest first. */
  ofUser(
    userId: UserId,
    after: ProjectId | null,
    limit: number,
  ): Promise<{ readonly project: StoredProject; readonly role: ProjectRole }[]>;
  /** With its first owner, in one commit. */
  create(project: StoredProject, owner: UserId): Promise<void>;
  change(id: ProjectId, change: ProjectChange): Promise<void>;
  remove(id: ProjectId, at: Millis): Promise<void>;
  /** What the branches of its tasks began at, each once. */
  baseCommits(id: ProjectId): Promise<string[]>;
  members(id: ProjectId, after: UserId | null, limit: number): Promise<StoredMember[]>;
  setMember(id: ProjectId, userId: UserId, role: ProjectRole, at: Millis): Promise<MemberChange>;
  /** A trial changes nothing: it only tells what would be refused. */
  removeMember(id: ProjectId, userId: UserId, how: { readonly isTrial: boolean }): Promise<MemberChange>;
}

/** What somebody is in the project that an id belongs to; null: not there, or not a member (S2). */
export interface Standing {
  readonly projectId: ProjectId;
  readonly role: ProjectRole;
}

export interface Standings {
  standing(
    userId: UserId,
    of: { readonly kind: "project" | "task" | "session"; readonly id: string },
  ): Promise<Standing | null>;
  /**
   * Waits for a move of the card that is under way. `no`: the account, the membership, the project or the task has ended;
   * `done`: somebody put the card into Done.
   */
  mayDispatch(userId: UserId, taskId: TaskId): Promise<"yes" | "no" | "done">;
}
