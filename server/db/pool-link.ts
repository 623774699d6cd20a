/** What servers ask of the pool's writer and what it tells them (P19): `pool_requests`, newcomers, followers, and the news. */
import type { LiveRow } from "../core/pool/rows";
import type { Gossip } from "../ports/gossip";
import type { Asked, Found, PoolLink, PoolWord, WishAnswer } from "../ports/pool-link";
import { arrayLiteral } from "./array-literal";
import { askWithin } from "./ask-within";
import { linkClient, type Sql } from "./client";
import { readNews } from "./pool-news";
import { type Columns, LIVE_COLUMNS, rowReader } from "./pool-rows";

/** Newcomers, and wishes, that one look finds; the next look finds the others. */
const LOOK_MAX = 1_000;
/** A follower that was not seen for so long is gone. */
const FOLLOWER_MS = 10_000;
const ASK_LIMIT_S = 2;
/** Versions of which the changes are kept; who is further behind reads everything. */
const CHANGES_KEPT = 2_000;

export function createPoolLink(url: string, gossip: Gossip): PoolLink {
  const sql = linkClient(url);
  return {
    hear: (listener) => hear(gossip, listener),
    say: (word) => gossip.say({ kind: "pool", word }),
    look: (holder) => look(sql, holder),
    async answer(id, answer) {
      const text = JSON.stringify(answer);
      await sql`update pool_requests set answered_at = clock_timestamp(), answer = ${text}::text::jsonb where id = ${id}`;
      gossip.say({ kind: "pool", word: "told" });
    },
    clear: (epoch, version) => clear(sql, epoch, version),
    async ask({ id, wish }) {
      await sql`insert into pool_requests (id, kind, body) values (${id}, ${wish.kind}, ${JSON.stringify(wish)}::text::jsonb)
        on conflict do nothing`;
      gossip.say({ kind: "pool", word: "asked" });
    },
    answers: (ids) => answers(sql, ids),
    async follow(holder) {
      await sql`insert into pool_followers (holder, seen_at) values (${holder}, clock_timestamp())
        on conflict (holder) do update set seen_at = excluded.seen_at`;
    },
    async unfollow(holder) {
      await sql`delete from pool_followers where holder = ${holder}`;
    },
    news: (since) => readNews(sql, since),
    close: () => sql.end({ timeout: 1 }),
  };
}

function hear(gossip: Gossip, listener: (word: PoolWord) => void): () => void {
  const stops = [
    gossip.hear((word) => {
      if (word.kind === "pool") listener(word.word);
    }),
    gossip.missed(() => {
      for (const word of ["resigned", "asked", "told"] as const) listener(word);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Whether another server is there that would take over from this database's writer. Rejects when it cannot be asked within 2 s. */
export async function isFollowed(url: string): Promise<boolean> {
  return askWithin(url, ASK_LIMIT_S, async (sql) => {
    return (await sql`select from pool_followers where ${isThere(sql)}`).length > 0;
  });
}

/** Of a row of `pool_followers`: who follows has said so lately. */
function isThere(sql: Sql) {
  return sql`seen_at > clock_timestamp() - ${FOLLOWER_MS} * interval '1 millisecond'`;
}

async function look(sql: Sql, holder: string): Promise<Found> {
  // Wishes are read first: whoever asks for something about a newcomer asks after it was inserted.
  const asked = await sql<{ id: string; body: string }[]>`select id, body::text as body from pool_requests
    where answered_at is null order by created_at, id limit ${LOOK_MAX}`;
  const newcomers = await sql.unsafe<Columns[]>(
    `select ${LIVE_COLUMNS} from sessions where status = 'queued' and not taken_in order by seq limit ${LOOK_MAX}`,
  );
  const [followed] = await sql<{ is_followed: boolean }[]>`select exists (select from pool_followers
    where holder <> ${holder} and ${isThere(sql)}) as is_followed`;
  const toRow = rowReader();
  const rows: LiveRow[] = newcomers.map((row) => toRow(row));
  return {
    newcomers: rows,
    asked: asked.map(({ id, body }): Asked => ({ id, wish: JSON.parse(body) })),
    isFollowed: followed?.is_followed === true,
  };
}

async function clear(sql: Sql, epoch: number, version: number): Promise<void> {
  await sql`delete from pool_changes where epoch < ${epoch} or version < ${version - CHANGES_KEPT}`;
  await sql`delete from pool_requests where answered_at < clock_timestamp() - interval '1 hour'`;
  await sql`delete from pool_followers where seen_at < clock_timestamp() - interval '1 hour'`;
}

async function answers(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, WishAnswer>> {
  const rows = await sql.unsafe<{ id: string; answer: string | null }[]>(
    `select id, answer::text as answer from pool_requests where id = any($1::text[]) and answered_at is not null`,
    [arrayLiteral(ids)],
  );
  return new Map(rows.flatMap(({ id, answer }) => (answer === null ? [] : [[id, JSON.parse(answer) as WishAnswer]])));
}
