/** Who somebody is and what they may, as the engine and the API ask it. Implemented by `auth/` (caller) and `db/` (roles). */
import type { InstallationRole, Millis, ProjectId, ProjectRole, UserId } from "../core/words";

export interface Caller {
  readonly userId: UserId;
  readonly name: string;
  readonly email: string;
  readonly role: InstallationRole;
  /** A cookie needs the right origin for changes (S3); a token carries its scope (S5). */
  readonly via:
    | { readonly kind: "cookie"; readonly loginId: string }
    | { readonly kind: "token"; readonly tokenId: string };
  readonly scope: "read" | "dispatch" | "admin";
}

export interface Access {
  /** Null: not a member, which reads as "not there" (S2). Removed projects have no members. */
  roleIn(userId: UserId, projectId: ProjectId): Promise<ProjectRole | null>;
  projectsOf(userId: UserId): Promise<ProjectId[]>;
}

/** For open connections: one look at many people at once (L1). */
export interface Rights {
  /** Of these logins and tokens, the ids of those that are neither ended, expired nor revoked, with an active owner. */
  alive(seen: { readonly loginIds: readonly string[]; readonly tokenIds: readonly string[] }): Promise<Set<string>>;
  projectsOf(userIds: readonly UserId[]): Promise<Map<UserId, Set<ProjectId>>>;
}

export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly scope: Caller["scope"];
  readonly createdAt: Millis;
  readonly lastUsedAt: Millis | null;
}

/** API tokens of a person (S5). The secret is told once, when it is made. */
export interface ApiTokens {
  make(userId: UserId, name: string, scope: ApiToken["scope"]): Promise<ApiToken & { readonly secret: string }>;
  list(userId: UserId): Promise<ApiToken[]>;
  /** False: not there, not yours, or revoked already. */
  revoke(userId: UserId, tokenId: string): Promise<boolean>;
}
