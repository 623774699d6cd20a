/** Where a repository's branches go when they are pushed. */
export interface RemotePlace {
  readonly kind: "remote";
  /** As git has it, without a login. */
  readonly address: string;
  /** What the base branch is called there. */
  readonly base: string;
}

/** Where the base here stands beside the remote's, as that was fetched or pushed last. */
export type BaseStanding =
  | {
      readonly kind: "remote";
      /** What the remote is called, and the base there. */
      readonly name: string;
      readonly base: string;
      /** Commits on the base's own line that the remote does not have, newest first, 500 at most; null: nobody knows what it has. */
      readonly unpushed: readonly string[] | null;
      /** Of a clone whose base lacks commits of the remote's, which new work then starts without: whole sentences; null: it lacks none. */
      readonly apart: string | null;
    }
  /** There is no remote, or several and none chosen: nothing can be pushed. */
  | { readonly kind: "nowhere"; readonly why: string };

export interface Remotes {
  /** `null` for a repository without a remote, or with several and none chosen; never asks the network. */
  remote(repository: string, baseBranch: string): Promise<RemotePlace | null>;
  /** `null` for a repository that cannot be used; never asks the network. */
  standing(repository: string, baseBranch: string): Promise<BaseStanding | null>;
}
