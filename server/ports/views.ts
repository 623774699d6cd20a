/** Reads for screens, in the contract's shapes, with the pool's snapshot laid over the rows (P13). */
import type { Task } from "../contract/tasks";
import type { AttemptRef, ProjectId, SessionId, TaskId } from "../core/words";

export interface BoardViews {
  /** All cards of a project; prompts cut to their beginning. */
  board(projectId: ProjectId): Promise<Task[]>;
  /** The cards with these ids; missing ones are gone. */
  cards(projectId: ProjectId, ids: readonly TaskId[]): Promise<Task[]>;
}

/** Where a session's output is to be read. */
export interface SessionPlace {
  readonly projectId: ProjectId;
  readonly run: AttemptRef;
  /** Ended: nothing is added to its output any more. */
  readonly isOver: boolean;
}

export interface SessionPlaces {
  /** From the rows; null: there is no such session, or its project was removed. */
  placeOf(sessionId: SessionId): Promise<SessionPlace | null>;
}
