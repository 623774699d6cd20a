/**
 * `Idempotency-Key` of dispatches (P3). A key is reserved together with the id that its session will have, before the
 * session is enqueued, so that nothing is torn when the process dies in between: a replay finds the key, looks for the
 * session by that id, and enqueues under the same id if it is not there.
 */
import type { SessionId, UserId } from "../core/words";

export interface KeyName {
  readonly userId: UserId;
  /** The call with its id: the same key may be used on another task. */
  readonly route: string;
  readonly key: string;
}

export interface KeyEntry {
  readonly bodyHash: string;
  readonly sessionId: SessionId;
}

export interface DispatchKeys {
  /** The entry that holds: the one given, or that of whoever came first in the last 24 h. */
  reserve(name: KeyName, entry: KeyEntry): Promise<KeyEntry>;
  /** The task was live already: replays shall answer that session. */
  pointTo(name: KeyName, sessionId: SessionId): Promise<void>;
}
