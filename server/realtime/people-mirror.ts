/** What sockets have been told of people's counts, and what is new in them since. Looks only at the people a change touched. */
import type { PoolPicture } from "../contract/pool";
import type { PoolSnapshot, UserCounts } from "../core/pool/picture";
import type { UserId } from "../core/words";

export type Touched = ReadonlySet<UserId> | "all";

export interface PeopleChange {
  readonly set: Partial<Pick<PoolPicture, "users" | "held">>;
  readonly gone: { users?: string[]; held?: string[] };
}

export class PeopleMirror {
  readonly #users = new Map<UserId, UserCounts>();
  /** How many of somebody's queued sessions are held; nobody without any. */
  readonly #held = new Map<UserId, number>();

  users(): PoolPicture["users"] {
    return Object.fromEntries(this.#users);
  }

  held(): PoolPicture["held"] {
    return Object.fromEntries(this.#held);
  }

  advance(snapshot: PoolSnapshot, touched: Touched): PeopleChange {
    const users = this.#advanceUsers(snapshot, touched);
    const held = this.#advanceHeld(snapshot, touched);
    return {
      set: {
        ...(Object.keys(users.set).length > 0 ? { users: users.set } : {}),
        ...(Object.keys(held.set).length > 0 ? { held: held.set } : {}),
      },
      gone: {
        ...(users.gone.length > 0 ? { users: users.gone } : {}),
        ...(held.gone.length > 0 ? { held: held.gone } : {}),
      },
    };
  }

  #advanceUsers(snapshot: PoolSnapshot, touched: Touched): { set: PoolPicture["users"]; gone: string[] } {
    const set: PoolPicture["users"] = {};
    const gone: string[] = [];
    const now = touched === "all" ? new Map(snapshot.users()) : null;
    const ids = touched === "all" ? new Set([...this.#users.keys(), ...(now?.keys() ?? [])]) : touched;
    for (const userId of ids) {
      const counts = now?.get(userId) ?? snapshot.user(userId);
      const known = this.#users.get(userId);
      if (counts.running + counts.queued === 0) {
        if (this.#users.delete(userId)) gone.push(userId);
      } else if (known === undefined || !sameCounts(known, counts)) {
        const { running, max, queued } = counts;
        this.#users.set(userId, { running, max, queued });
        set[userId] = { running, max, queued };
      }
    }
    return { set, gone };
  }

  #advanceHeld(snapshot: PoolSnapshot, touched: Touched): { set: PoolPicture["held"]; gone: string[] } {
    const set: PoolPicture["held"] = {};
    const gone: string[] = [];
    const now = touched === "all" ? new Map(snapshot.held()) : null;
    const ids = touched === "all" ? new Set([...this.#held.keys(), ...(now?.keys() ?? [])]) : touched;
    for (const userId of ids) {
      const count = now === null ? snapshot.heldOf(userId) : (now.get(userId) ?? 0);
      if (count === 0) {
        if (this.#held.delete(userId)) gone.push(userId);
      } else if (this.#held.get(userId) !== count) {
        this.#held.set(userId, count);
        set[userId] = count;
      }
    }
    return { set, gone };
  }
}

export function sameCounts(one: UserCounts, other: UserCounts): boolean {
  return one.running === other.running && one.max === other.max && one.queued === other.queued;
}
