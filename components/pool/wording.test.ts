import { expect, test } from "vitest";
import type { PoolPicture, PoolSession } from "@/server/contract/pool";
import { sampleLive, samplePool } from "../board/sample";
import { estimateOf, estimateRangeOf, reasonOf, seatsSentence, shortRangeOf } from "./wording";

const free = samplePool({ global: { running: 1, max: 20, queued: 0 } });

const reader = (pool: PoolPicture) => ({ pool, meId: "nora", nameOf: (id: string) => id, numberOf: () => null });
const waiting = (startsIn: PoolSession["startsIn"], change: Partial<PoolSession> = {}) =>
  sampleLive({ waitingFor: { reason: "pool-limit" }, startsIn, ...change });
const told = (p50: number, p80: number) => {
  const session = waiting({ p50, p80 });
  return [estimateOf, estimateRangeOf, shortRangeOf].map((say) => say(session, reader(free)));
};

test("[P15] an estimate is p50 on cards, the range on pages, in the unit that somebody would use", () => {
  expect(told(960, 1_440)).toEqual(["about 16 min", "about 16 to 24 min", "16–24 min"]);
  expect(told(20, 45)).toEqual(["about 20 s", "about 20 to 45 s", "20–45 s"]);
  expect(told(45, 180)).toEqual(["about 45 s", "about 45 s to 3 min", "45 s – 3 min"]);
  expect(told(4_800, 9_000)).toEqual(["about 80 min", "about 80 min to 3 h", "80 min – 3 h"]);
  expect(told(300, 315)).toEqual(["about 5 min", "about 5 min", "5 min"]);
  expect(told(0, 0)).toEqual(["about 5 s", "about 5 s", "5 s"]);
});

test("[P15] without history there is no number but 'no estimate yet'; where nobody can know, 'no estimate'", () => {
  const said = (session: PoolSession, pool: PoolPicture = free) =>
    [estimateOf, estimateRangeOf, shortRangeOf].map((say) => say(session, reader(pool)));
  expect(said(waiting(null))).toEqual(Array(3).fill("no estimate yet"));
  expect(said(waiting(null, { waitingFor: { reason: "your-limit" } }))).toEqual(Array(3).fill("no estimate yet"));
  for (const reason of ["paused", "pool-starting", "disk"] as const) {
    expect(said(waiting(null, { waitingFor: { reason } }))).toEqual(Array(3).fill("no estimate"));
  }
  expect(said(waiting(null), { ...free, global: { running: 0, max: 0, queued: 1 } })).toEqual(
    Array(3).fill("no estimate"),
  );
  expect(said(waiting(null), { ...free, limits: { nora: 0 } })).toEqual(Array(3).fill("no estimate"));
});

test("[P14] a limit is whose it is by name, and somebody's while names are on their way", () => {
  const pool = { ...free, users: { mira: { running: 2, max: 2, queued: 1 } } };
  const session = sampleLive({ userId: "mira", waitingFor: { reason: "your-limit", sessions: [] } });
  const said = (name: string) => reasonOf(session, { ...reader(pool), nameOf: () => name });
  expect(said("Mira Okafor")).toMatch(/^Mira’s limit 2\/2/);
  expect(said("")).toMatch(/^their limit 2\/2/);
});

test("[B12] a name from right to left turns none of the words beside it", () => {
  const session = sampleLive({ userId: "amr", ahead: 0, waitingFor: { reason: "your-limit", sessions: [] } });
  const pool = { ...free, users: { amr: { running: 2, max: 2, queued: 1 } } };
  const amr = (picture: PoolPicture) => ({ ...reader(picture), nameOf: () => "עמר בן־דוד" });
  expect(reasonOf(session, amr(pool))).toMatch(/^\u200e\u2068עמר\u2069’s limit 2\/2/);
  const full = { ...pool, global: { running: 20, max: 20, queued: 1 }, sessions: { s1: session } };
  expect(seatsSentence(amr(full))).toBe("All seats taken · the next free one goes to \u200e\u2068עמר\u2069");
});

test("[P14][L4] why seats stay free is true of everybody who waits, whoever may see which sessions", () => {
  const waits = { ann: { running: 2, max: 2, queued: 1 }, ben: { running: 0, max: 2, queued: 3 } };
  const said = (change: Partial<PoolPicture>) =>
    seatsSentence(reader(samplePool({ global: { running: 2, max: 20, queued: 4 }, users: waits, ...change })));
  expect(said({ held: { ben: 3 } })).toBe("18 seats free · everyone who waits is held or at their own limit");
  expect(said({ held: { ann: 1, ben: 3 } })).toBe("18 seats free · everyone who waits is held");
  expect(said({ users: { ann: waits.ann, ben: { running: 2, max: 2, queued: 3 } } })).toBe(
    "18 seats free · everyone who waits is at their own limit",
  );
  // Between two commits somebody may be about to start.
  expect(said({})).toBe("18 seats free");
  expect(said({ isDiskShort: true })).toBe("Nothing starts while the server is short of disk");
  expect(seatsSentence(reader(free))).toBe("19 seats free · nobody waits");
});
