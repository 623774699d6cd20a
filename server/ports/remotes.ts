/** Where a repository's branches go when they are pushed. */
export interface RemotePlace {
  readonly kind: "remote";
  /** As git has it, without a login. */
  readonly address: string;
  /** What the base branch is called there. */
  readonly base: string;
}

export interface Remotes {
  /** `null` for a repository without a remote, or with several and none chosen; never asks the network. */
  remote(repository: string, baseBranch: string): Promise<RemotePlace | null>;
}
