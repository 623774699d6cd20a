/** The lease row (P19): who may change live rows. Only database time; a connection of its own. */
import type { LeaseStore, LeaseTaken } from "../ports/pool-store";
import { askWithin } from "./ask-within";
import { leaseClient } from "./client";
import { CHANNEL, SAYS_RESIGNED } from "./gossip";

const ASK_LIMIT_S = 2;

/** Whether any server is the writer of this database now. Rejects when it cannot be asked within 2 s. */
export async function isLeaseHeld(url: string): Promise<boolean> {
  return askWithin(url, ASK_LIMIT_S, async (sql) => {
    return (await sql`select from pool_lease where expires_at > clock_timestamp()`).length > 0;
  });
}

export function createLeaseStore(url: string): LeaseStore {
  const sql = leaseClient(url);

  async function take(holder: string, ttlMs: number, deadHolder: string | null): Promise<LeaseTaken> {
    const [taken] = await sql<{ epoch: string }[]>`
      insert into pool_lease (id, holder, epoch, expires_at)
      values (1, ${holder}, 1, clock_timestamp() + ${ttlMs} * interval '1 millisecond')
      on conflict (id) do update
        set holder = excluded.holder, epoch = pool_lease.epoch + 1, expires_at = excluded.expires_at
        where pool_lease.expires_at < clock_timestamp()
          or pool_lease.holder = excluded.holder
          or pool_lease.holder = ${deadHolder}
      returning epoch`;
    if (taken) return { kind: "taken", epoch: Number(taken.epoch) };
    const [held] = await sql<{ holder: string; left: string }[]>`
      select holder, (extract(epoch from expires_at - clock_timestamp()) * 1000)::bigint as left
      from pool_lease where id = 1`;
    return { kind: "held", holder: held?.holder ?? "", expiresInMs: Math.max(0, Number(held?.left ?? 0)) };
  }

  async function renew(holder: string, epoch: number, ttlMs: number): Promise<boolean> {
    const rows = await sql`
      update pool_lease set expires_at = clock_timestamp() + ${ttlMs} * interval '1 millisecond'
      where id = 1 and holder = ${holder} and epoch = ${epoch} returning 1`;
    return rows.length === 1;
  }

  async function giveUp(holder: string, epoch: number): Promise<void> {
    await sql`with given_up as (
      update pool_lease set expires_at = to_timestamp(0)
      where id = 1 and holder = ${holder} and epoch = ${epoch} returning 1)
      select pg_notify(${CHANNEL}, ${SAYS_RESIGNED}) from given_up`;
  }

  return { take, renew, giveUp, close: () => sql.end({ timeout: 1 }) };
}
