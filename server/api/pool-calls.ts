/** `/pool`: the picture for everybody, the settings for administrators. */
import type { PeopleDesk } from "../engine/desk/people-desk";
import { poolPicture, userLineView } from "../engine/desk/pool-view";
import type { Pool } from "../engine/pool";
import type { Access } from "../ports/access";
import type { PoolHistoryStore } from "../ports/pool-history";
import type { Calls } from "./calls";
import { type CallContext, tellVersion } from "./context";
import { CallRefused } from "./errors";
import { createPoolHealth, type WatchedPool } from "./pool-health";
import { historyView } from "./pool-history";

export interface PoolCallParts {
  readonly pool: Pick<Pool, "caps" | "setCaps" | "setUserCap" | "rebuild"> & WatchedPool;
  readonly access: Pick<Access, "projectsOf">;
  readonly people: Pick<PeopleDesk, "person">;
  readonly history: Pick<PoolHistoryStore, "read">;
}

export function poolCalls(calls: Calls, { pool, access, people, history }: PoolCallParts) {
  const { pool: call } = calls;
  const health = createPoolHealth(pool);

  async function known(userId: string): Promise<void> {
    if ((await people.person(userId)) === null) throw new CallRefused("NOT_FOUND", "There is no such person.");
  }

  async function picture(context: CallContext, userId: string) {
    const visible = new Set(await access.projectsOf(userId));
    const snapshot = pool.snapshot();
    tellVersion(context, snapshot);
    return poolPicture(snapshot, visible);
  }

  return call.router({
    get: call.get.handler(({ context }) => picture(context, context.caller.userId)),
    health: call.health.handler(({ context }) => {
      tellVersion(context, pool.snapshot());
      return health();
    }),
    history: call.history.handler(({ input }) => historyView(history, input.hours)),
    line: call.line.handler(async ({ context, input: { id } }) => {
      await known(id);
      const visible = new Set(await access.projectsOf(context.caller.userId));
      const snapshot = pool.snapshot();
      tellVersion(context, snapshot);
      return userLineView(snapshot, id, visible);
    }),
    settings: call.settings.handler(() => pool.caps()),
    change: call.change.handler(async ({ context, input }) => {
      const caps = await pool.setCaps(input);
      tellVersion(context, pool.snapshot());
      return caps;
    }),
    setUser: call.setUser.handler(async ({ context, input: { id, max } }) => {
      await known(id);
      await pool.setUserCap(id, max);
      const snapshot = pool.snapshot();
      tellVersion(context, snapshot);
      return { userId: id, max: snapshot.user(id).max };
    }),
    rebuild: call.rebuild.handler(async ({ context }) => {
      await pool.rebuild();
      return picture(context, context.caller.userId);
    }),
  });
}
