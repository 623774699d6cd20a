/**
 * What each call needs of its caller, as data: the router carries one `CallMeta` per call, the API's gate reads it and the
 * permission table's test walks it. Nobody else decides about permission (S2, S5).
 */

/**
 * Scopes of API tokens in rising order (S5); a cookie has them all, as far as the person's role goes. `dispatch` is what
 * members do with tasks and sessions. `admin` is for the rest: projects and who is in them, agents, the installation, and
 * what concerns the account itself.
 */
export const SCOPES = ["read", "dispatch", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** What anybody who works here may. Not a member of the project that the path's `id` belongs to: 404, as if it did not exist. */
export type WorkNeed =
  | { readonly kind: "signed-in" }
  | { readonly kind: "project"; readonly idOf: "project" | "task" | "session"; readonly role: "member" };

/** What is for owners and administrators. */
export type RuleNeed =
  /** An administrator of the installation; others get 403. */
  | { readonly kind: "admin" }
  /**
   * An owner of the project; not a member: 404, a member: 403. `owner-or-self`: also the person the path's `userId` names.
   * `owner-or-joining`: also an administrator whom the path's `userId` names, which is how one joins a foreign project.
   */
  | {
      readonly kind: "project";
      readonly idOf: "project";
      readonly role: "owner" | "owner-or-self" | "owner-or-joining";
    }
  /** What belongs to the installation is for administrators, what belongs to a project for its owners. */
  | { readonly kind: "home"; readonly idOf: "agent" | "invitation" | "body" };

export type Need = WorkNeed | RuleNeed;

/** No call that is for owners or administrators can be given to a token of less scope: it would not compile. */
export type CallMeta =
  | { readonly need: WorkNeed; readonly scope: Scope }
  | { readonly need: RuleNeed; readonly scope: "admin" };
