/**
 * The writer's look at what others want of it (P19): queued rows that its memory does not know, wishes that were written down,
 * and whether anybody follows. Looked for outside the mailbox: when somebody says so, and once a second for what nobody said.
 * A newcomer is known by a mark in its row and not by its number, so it cannot be overlooked however late it was committed.
 */
import type { LiveRow } from "../../../core/pool/rows";
import type { SessionId } from "../../../core/words";
import type { Asked, PoolLink } from "../../../ports/pool-link";
import type { PoolWriter } from "../writer/writer";
import type { PoolTeller } from "./teller";

const LOOK_EVERY_MS = 1_000;
/** Old changes, answered wishes and followers of long ago are cleared away once in so many looks. */
const CLEAR_EVERY = 60;

export interface ScoutParts {
  readonly link: PoolLink;
  /** Who this server is; it does not follow itself. */
  readonly holder: string;
  readonly teller: PoolTeller;
  /** Both resolve when the writer has dealt with it, whatever became of it. */
  readonly takeIn: (row: LiveRow) => Promise<void>;
  readonly grant: (asked: Asked) => Promise<void>;
  /** The next batch has something to tell. */
  readonly poke: () => void;
}

export class PoolScout {
  readonly #parts: ScoutParts;
  readonly #coming = new Set<SessionId>();
  readonly #granting = new Set<string>();
  #writer: PoolWriter | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;
  #isDue = false;
  #looks = 0;

  constructor(parts: ScoutParts) {
    this.#parts = parts;
  }

  /** Looks for this writer until it is stopped, or until another writer is watched. */
  watch(writer: PoolWriter): void {
    this.stop();
    this.#writer = writer;
    this.#timer = setInterval(() => this.wake(), LOOK_EVERY_MS);
    this.#timer.unref();
    this.wake();
  }

  /** Looks at once, or again after the look that is under way. */
  wake(): void {
    this.#isDue = true;
    if (!this.#isLooking) void this.#look();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#writer = null;
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#isDue && this.#writer) {
      this.#isDue = false;
      // The database is away: whoever notices that first begins a new term, and the next look makes up for this one.
      await this.#lookOnce(this.#writer).catch(() => undefined);
    }
    this.#isLooking = false;
  }

  async #lookOnce(writer: PoolWriter): Promise<void> {
    const { link, holder, teller, poke } = this.#parts;
    // What is on its way into memory may be there and over by the time the answer comes.
    const known = new Set([...this.#coming, ...teller.newcomers]);
    const { newcomers, asked, isFollowed } = await link.look(holder);
    if (this.#writer !== writer) return;
    for (const row of newcomers) if (!known.has(row.id) && !writer.state.sessions.has(row.id)) this.#takeIn(row);
    for (const one of asked) if (!this.#granting.has(one.id)) this.#grant(one);
    if (isFollowed && teller.follow()) poke();
    this.#looks += 1;
    if (this.#looks % CLEAR_EVERY === 0) await link.clear(writer.epoch, writer.snapshot.version);
  }

  #takeIn(row: LiveRow): void {
    this.#coming.add(row.id);
    void this.#parts.takeIn(row).finally(() => this.#coming.delete(row.id));
  }

  #grant(asked: Asked): void {
    this.#granting.add(asked.id);
    void this.#parts.grant(asked).finally(() => this.#granting.delete(asked.id));
  }
}
