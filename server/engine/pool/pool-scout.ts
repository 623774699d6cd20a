/**
 * Finds queued rows that the writer's memory does not know (P19): somebody else inserted them, or an insert beside the writer
 * came late. Looked for outside the mailbox, once a second. Numbers can be given before and committed after others, so a
 * look goes back to what was the highest number some seconds ago, never only "greater than the last seen".
 */
import type { LiveRow } from "../../core/pool/rows";
import type { Clock } from "../../ports/clock";
import type { PoolStore } from "../../ports/pool-store";
import type { PoolWriter } from "./pool-writer";

const LOOK_EVERY_MS = 1_000;
/** Longer than an insert beside the writer may take before the database ends it. */
const LATEST_INSERT_MS = 10_000;
/** Numbers below the highest at the start of a term that may still have been on their way then. */
const ON_THEIR_WAY = 5_000;

export interface ScoutParts {
  readonly store: Pick<PoolStore, "queuedAfter" | "loadUsers">;
  readonly clock: Clock;
  readonly takeIn: (row: LiveRow) => void;
}

export class PoolScout {
  readonly #parts: ScoutParts;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: ScoutParts) {
    this.#parts = parts;
  }

  /** Looks for this writer until it is stopped, or until another writer is watched. */
  watch(writer: PoolWriter): void {
    this.stop();
    const { clock } = this.#parts;
    const marks = [{ at: clock.monotonic(), seq: writer.state.lastSeq - ON_THEIR_WAY }];
    const look = async () => {
      const now = clock.monotonic();
      marks.push({ at: now, seq: writer.state.lastSeq });
      while (marks[1] && marks[1].at <= now - LATEST_INSERT_MS) marks.shift();
      await this.#look(writer, marks[0]?.seq ?? 0);
      if (this.#timer === timer) this.#timer.refresh();
    };
    const timer = setTimeout(() => void look(), LOOK_EVERY_MS);
    this.#timer = timer.unref();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #look(writer: PoolWriter, after: number): Promise<void> {
    const { store, takeIn } = this.#parts;
    try {
      const queued = await store.queuedAfter(after);
      const unknown = queued.filter((row) => !writer.state.sessions.has(row.id));
      if (unknown.length === 0) return;
      const { rows } = await store.loadUsers([...new Set(unknown.map((row) => row.userId))], []);
      for (const row of rows.live) if (!writer.state.sessions.has(row.id)) takeIn(row);
    } catch {
      // The database is away; whoever notices that first begins a new term, and the next look makes up for this one.
    }
  }
}
