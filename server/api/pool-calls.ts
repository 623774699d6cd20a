/** `/pool`: the picture for everybody, the settings for administrators. */
import type { PeopleDesk } from "../engine/people-desk";
import type { Pool } from "../engine/pool";
import { poolPicture } from "../engine/pool-view";
import type { Access } from "../ports/access";
import type { Calls } from "./calls";
import { type CallContext, tellVersion } from "./context";
import { CallRefused } from "./errors";

export interface PoolCallParts {
  readonly pool: Pick<Pool, "snapshot" | "caps" | "setCaps" | "setUserCap" | "rebuild">;
  readonly access: Pick<Access, "projectsOf">;
  readonly people: Pick<PeopleDesk, "person">;
}

export function poolCalls(calls: Calls, { pool, access, people }: PoolCallParts) {
  const { pool: call } = calls;

  async function picture(context: CallContext, userId: string) {
    const visible = new Set(await access.projectsOf(userId));
    const snapshot = pool.snapshot();
    tellVersion(context, snapshot);
    return poolPicture(snapshot, visible);
  }

  return call.router({
    get: call.get.handler(({ context }) => picture(context, context.caller.userId)),
    settings: call.settings.handler(() => pool.caps()),
    change: call.change.handler(async ({ context, input }) => {
      const caps = await pool.setCaps(input);
      tellVersion(context, pool.snapshot());
      return caps;
    }),
    setUser: call.setUser.handler(async ({ context, input: { id, max } }) => {
      if ((await people.person(id)) === null) throw new CallRefused("NOT_FOUND", "There is no such person.");
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
