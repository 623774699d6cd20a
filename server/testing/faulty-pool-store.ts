/** A pool store whose commits fail when a test says so: before they reach the database, after they did, or for as long as it is away. */
import type { PoolLink } from "../ports/pool-link";
import type { PoolStore } from "../ports/pool-store";

export type Fault =
  /** The connection was gone before the statement left. */
  | "before"
  /** The statement was committed, its reply was lost. */
  | "after";

export class FaultyPoolStore implements PoolStore {
  readonly #store: PoolStore;
  /** While true, nothing reaches the database. */
  isAway = false;
  /** What happens to the next commits, first one first. */
  readonly faults: Fault[] = [];
  commits = 0;
  readonly ensureSettings: PoolStore["ensureSettings"];
  readonly load: PoolStore["load"];
  readonly loadUsers: PoolStore["loadUsers"];
  readonly insertQueued: PoolStore["insertQueued"];
  readonly recentEndings: PoolStore["recentEndings"];

  constructor(store: PoolStore) {
    this.#store = store;
    this.ensureSettings = async (first) => this.#reach(() => store.ensureSettings(first));
    this.load = async () => this.#reach(() => store.load());
    this.loadUsers = async (userIds, taskIds) => this.#reach(() => store.loadUsers(userIds, taskIds));
    this.insertQueued = async (id, session, at) => this.#reach(() => store.insertQueued(id, session, at));
    this.recentEndings = async (which) => this.#reach(() => store.recentEndings(which));
  }

  commit: PoolStore["commit"] = async (epoch, writes, beside) => {
    const fault = this.faults.shift();
    if (fault === "before") throw new Error("the connection was cut before the statement");
    const committed = await this.#reach(() => this.#store.commit(epoch, writes, beside));
    this.commits += 1;
    if (fault === "after") throw new Error("the connection was cut after the statement");
    return committed;
  };

  close(): Promise<void> {
    return this.#store.close();
  }

  #reach<T>(verb: () => Promise<T>): Promise<T> {
    return this.isAway ? Promise.reject(new Error("the database is away")) : verb();
  }
}

/** While `isAway`, nothing of it reaches the database, and no word is heard. */
export function faultyPoolLink(link: PoolLink, isAway: () => boolean): PoolLink {
  const reach = <Args extends readonly unknown[], T>(verb: (...args: Args) => Promise<T>) => {
    return async (...args: Args): Promise<T> => {
      if (isAway()) throw new Error("the database is away");
      return verb(...args);
    };
  };
  return {
    hear: (listener) => link.hear((word) => isAway() || listener(word)),
    say: (word) => isAway() || link.say(word),
    look: reach(link.look),
    answer: reach(link.answer),
    clear: reach(link.clear),
    ask: reach(link.ask),
    answers: reach(link.answers),
    follow: reach(link.follow),
    unfollow: reach(link.unfollow),
    news: reach(link.news),
    close: () => link.close(),
  };
}
