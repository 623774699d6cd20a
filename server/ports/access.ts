/** Who somebody is and what they may, as the engine and the API ask it. Implemented by `auth/` (caller) and `db/` (roles). */
import type { InstallationRole, ProjectId, ProjectRole, UserId } from "../core/words";

export interface Caller {
  readonly userId: UserId;
  readonly name: string;
  readonly email: string;
  readonly role: InstallationRole;
  /** A cookie needs the right origin for changes (S3); a token carries its scope (S5). */
  readonly via: { readonly kind: "cookie"; readonly loginId: string } | { readonly kind: "token"; readonly tokenId: string };
  readonly scope: "read" | "dispatch" | "admin";
}

export interface Access {
  /** Null: not a member, which reads as "not there" (S2). Removed projects have no members. */
  roleIn(userId: UserId, projectId: ProjectId): Promise<ProjectRole | null>;
  projectsOf(userId: UserId): Promise<ProjectId[]>;
}
