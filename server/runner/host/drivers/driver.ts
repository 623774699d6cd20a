/** What a run needs of a driver, whichever way it speaks with its agent. */
import type { Launched, LaunchRequest } from "../launch";

export interface Driver {
  start(launch: (request: Pick<LaunchRequest, "argv" | "stdinFd">) => Promise<Launched>): Promise<Launched>;
  /** Null: it speaks no protocol, so the only polite way to stop its agent is a signal. */
  readonly conversation: Conversation | null;
}

export interface Conversation {
  /** Resolves when the agent has taken up its protocol; never, if it does not. */
  readonly up: Promise<void>;
  /** Resolves with one plain sentence when it will never take it up: then nothing has acted. */
  readonly failsToStart: Promise<string>;
  /** Resolves when the agent reported its result, was told to leave, and did not; or when it can report none any more. Never, if it leaves. */
  readonly lingers: Promise<void>;
  /** Asks the agent to break off and leave; it has done neither when this returns. */
  cancel(): void;
  /** After the tree is dead: everything it had said is in the journal. */
  settle(): Promise<void>;
  /** What it reported. `message`: its own words for an error. */
  outcome(): { readonly result: "success" | "error" | "none"; readonly message?: string };
}
