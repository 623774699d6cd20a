/** What cannot be used at the moment (A8), and which waiting sessions do not say so yet, or say so still. */
import type { AgentId, Millis, ProjectId, SessionId } from "../core/words";

export interface StoredHold {
  readonly subject: "agent" | "repository";
  /** The agent's or, for a repository, the project's. */
  readonly subjectId: AgentId | ProjectId;
  /** One plain sentence. */
  readonly detail: string;
  /** When it ends by itself; null: when somebody tries again. */
  readonly until: Millis | null;
}

export interface Disagreement {
  readonly sessionId: SessionId;
  /** What it should wait for; null: for nothing of the kind. */
  readonly hold: StoredHold | null;
}

export interface HoldStore {
  /** In place of an earlier one of the same subject. */
  put(hold: StoredHold): Promise<void>;
  remove(subject: StoredHold["subject"], subjectId: string): Promise<void>;
  /** Those that have not ended by `now`. */
  all(now: Millis): Promise<StoredHold[]>;
  /** Waiting sessions that are held, or not, or for another reason or time than the holds at `now` say. */
  disagreeing(now: Millis, limit: number): Promise<Disagreement[]>;
}
