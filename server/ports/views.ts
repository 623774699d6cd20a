/** Reads for screens, in the contract's shapes, with the pool's snapshot laid over the rows (P13). */
import type { Task } from "../contract/tasks";
import type { ProjectId, TaskId } from "../core/words";

export interface BoardViews {
  /** All cards of a project; prompts cut to their beginning. */
  board(projectId: ProjectId): Promise<Task[]>;
  /** The cards with these ids; missing ones are gone. */
  cards(projectId: ProjectId, ids: readonly TaskId[]): Promise<Task[]>;
}
