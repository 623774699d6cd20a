/**
 * Dispatches while there is no writer's memory (P1, P12): the row is inserted queued, beside the writer, and the next term
 * takes it in before it decides anything, so that who was answered first goes first (P5).
 */
import { randomUUID } from "node:crypto";
import type { NewSession } from "../../../core/pool/events";
import type { Millis, UserId } from "../../../core/words";
import type { Inserted, PoolStore } from "../../../ports/pool-store";
import type { PoolWriter } from "../writer/writer";

/** Inserts that take longer than a caller waits have not been answered: nobody's turn depends on them, the scout finds them. */
const STRAGGLER_MS = 2_000;

export class PoolAside {
  readonly #store: PoolStore;
  #userIds = new Set<UserId>();
  #flying = new Set<Promise<unknown>>();

  constructor(store: PoolStore) {
    this.#store = store;
  }

  insert(session: NewSession, at: Millis): Promise<Inserted> {
    const inserting = this.#store.insertQueued(session.id ?? randomUUID(), session, at);
    const flying = this.#flying;
    const done: Promise<unknown> = inserting.then(
      () => flying.delete(done),
      () => flying.delete(done),
    );
    this.#userIds.add(session.userId);
    flying.add(done);
    return inserting;
  }

  /** Once memory is there and nothing is inserted aside any more: what was inserted while it was being read. */
  async takenInBy(writer: PoolWriter): Promise<void> {
    const userIds = [...this.#userIds];
    const flying = this.#flying;
    if (userIds.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, STRAGGLER_MS);
    });
    await Promise.race([Promise.all(flying), late]);
    clearTimeout(timer);
    const { rows, userIds: all } = await this.#store.loadUsers(userIds, []);
    writer.reload(writer.epoch, all, rows);
    this.#userIds = new Set();
    this.#flying = new Set();
  }
}
