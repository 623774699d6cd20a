/**
 * What each call needs of its caller, as data: the router carries one `CallMeta` per call, the API's gate reads it and the
 * permission table's test walks it. Nobody else decides about permission (S2, S5).
 */

/** Scopes of API tokens in rising order (S5); a cookie has them all, as far as the person's role goes. */
export const SCOPES = ["read", "dispatch", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

export type Need =
  | { readonly kind: "signed-in" }
  /** An administrator of the installation; others get 403. */
  | { readonly kind: "admin" }
  /**
   * A role in the project that the path's `id` belongs to. Not a member: 404, as if the id did not exist; a member where
   * an owner is needed: 403. `owner-or-self`: also the person the path's `userId` names. `owner-or-joining`: also an
   * administrator whom the path's `userId` names, which is how one joins a foreign project.
   */
  | {
      readonly kind: "project";
      readonly idOf: "project" | "task" | "session";
      readonly role: "member" | "owner" | "owner-or-self" | "owner-or-joining";
    }
  /** What belongs to the installation is for administrators, what belongs to a project for its owners. */
  | { readonly kind: "home"; readonly idOf: "agent" | "invitation" | "body" };

export interface CallMeta {
  readonly need: Need;
  readonly scope: Scope;
}
