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
  /** Null: this person has as many as one may have. */
  make(
    userId: UserId,
    name: string,
    scope: ApiToken["scope"],
  ): Promise<(ApiToken & { readonly secret: string }) | null>;
  list(userId: UserId): Promise<ApiToken[]>;
  /** False: not there, not yours, or revoked already. */
  revoke(userId: UserId, tokenId: string): Promise<boolean>;
}

/** An open invitation: not used, not too old, and its maker might still make it. */
export interface Invitation {
  readonly id: string;
  /** Null: for whoever holds the link. */
  readonly email: string | null;
  readonly projectId: ProjectId | null;
  readonly invitedBy: UserId;
  readonly createdAt: Millis;
  readonly expiresAt: Millis;
}

/** What an invitation's page may tell. */
export interface OpenInvitation {
  /** The only address that may use it; null: any. */
  readonly email: string | null;
  readonly invitedBy: string;
  /** Null: it leads into the installation alone. */
  readonly project: { readonly id: ProjectId; readonly name: string } | null;
}

export type Accepted =
  | { readonly kind: "joined"; readonly projectId: ProjectId }
  | { readonly kind: "not-open" }
  | { readonly kind: "for-another"; readonly email: string }
  /** It leads nowhere that they are not already, and stays open. */
  | { readonly kind: "needless" };

/** Who may come in by a link (S4). The secret is told once, when it is made. */
export interface Invitations {
  make(
    by: UserId,
    wish: { readonly email: string | null; readonly projectId: ProjectId | null },
  ): Promise<
    /** `hasAccount`: who is invited is here already, and only joins. `replaced`: an earlier link of theirs is dead now. */
    | {
        readonly kind: "made";
        readonly invitation: Invitation;
        readonly secret: string;
        readonly hasAccount: boolean;
        readonly replaced: boolean;
      }
    /** The address has all that the invitation would give: an account, and a part in the project. */
    | { readonly kind: "needless" }
    /** Nobody may register here at all. */
    | { readonly kind: "closed" }
    | { readonly kind: "too-many" }
  >;
  /** One's own, those of projects one owns, and for administrators those into the installation alone; newest first. */
  visibleTo(viewer: Pick<Caller, "userId" | "role">, projectId: ProjectId | null): Promise<Invitation[]>;
  invitation(id: string): Promise<Invitation | null>;
  remove(id: string): Promise<void>;
  /** For the page that its link opens; null: not open any more. */
  look(secret: string): Promise<OpenInvitation | null>;
  /** Somebody with an account joins the project that the link leads to, and uses it up; of many at once one does. */
  accept(secret: string, by: Pick<Caller, "userId" | "email">): Promise<Accepted>;
}

/** Of the people, for whoever lost theirs (S1). */
export interface Passwords {
  /** A new one in place of the old, told once; every login of theirs ends. Tokens go on. */
  renew(userId: UserId): Promise<string>;
}
