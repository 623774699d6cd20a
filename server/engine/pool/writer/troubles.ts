/** What may end a batch or a term of the pool's writer; each says what has to be done about it. */
import type { Decision } from "../../../core/pool";
import type { TaskId, UserId } from "../../../core/words";
import { PoolUnavailable } from "../../pool";

/** Another server is the writer: it has to be asked instead. */
export class WriterElsewhere extends PoolUnavailable {
  constructor() {
    super("Another server has become the pool's writer. Try again in a moment.");
  }
}

/** The lease row is not ours: whatever memory holds is nobody's truth any more. */
export class LeaseLost extends Error {}

/** What must be read back from rows before anything else happens. */
export class OutcomeUnknown extends Error {
  readonly userIds: ReadonlySet<UserId>;
  readonly taskIds: readonly TaskId[];

  constructor(decision: Decision, options?: ErrorOptions) {
    super("the outcome of a commit is unknown", options);
    this.userIds = decision.touched;
    this.taskIds = decision.writes.inserts.map(({ row }) => row.taskId);
  }
}

/** A bug, in the core or in an adapter: what memory holds cannot be trusted any more. */
export class LoopCrashed extends Error {}

/** Not a failure: an admin wants memory to be read again from rows. */
export class RebuildAsked extends Error {}
