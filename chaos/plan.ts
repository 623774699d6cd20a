/**
 * What is killed, and when, from a seed: the same seed and number of kills give the same plan. Pure; nothing here knows how
 * one kills. `kills` counts `kill -9` of the server; the others come beside them, in the shares of the specification
 * (section 12: 20 of Postgres beside 200 of the server).
 */
import { type Chance, chanceOf } from "./chance";

/** Connections end by `pg_terminate_backend`; the writer is frozen until another server has taken over. */
export const VICTIMS = ["server", "postgres", "backend", "host", "agent", "writer"] as const;
export type Victim = (typeof VICTIMS)[number];

/** When a step's kill happens, counted from the kill before it. */
export type Moment =
  /** After so many agents have come to their end: under load, with things done in between. */
  | { readonly kind: "after-endings"; readonly endings: number }
  /** After a short while, whatever happens: often while the server is still starting. */
  | { readonly kind: "after-ms"; readonly ms: number };

export interface Step {
  readonly number: number;
  readonly victim: Victim;
  readonly moment: Moment;
  /** From 0 up to 1: which of the hosts, agents or connections there are. */
  readonly which: number;
}

/** One of these beside so many of the server; at least one each. */
const SERVERS_PER: Record<Exclude<Victim, "server">, number> = {
  postgres: 10,
  backend: 8,
  host: 4,
  agent: 4,
  writer: 20,
};
const SOON_PART = 0.35;
const SOON_MOST_MS = 2_500;
const ENDINGS_MOST = 4;

export function planOf(seed: string, kills: number): Step[] {
  const chance = chanceOf(`plan ${seed}`);
  const others = VICTIMS.flatMap((victim) =>
    victim === "server" ? [] : Array<Victim>(Math.max(1, Math.floor(kills / SERVERS_PER[victim]))).fill(victim),
  );
  const victims = chance.shuffled([...Array<Victim>(kills).fill("server"), ...others]);
  return victims.map((victim, index) => ({
    number: index + 1,
    victim,
    moment: momentOf(chance),
    which: chance.next(),
  }));
}

function momentOf(chance: Chance): Moment {
  return chance.happens(SOON_PART)
    ? { kind: "after-ms", ms: chance.between(0, SOON_MOST_MS) }
    : { kind: "after-endings", endings: chance.between(1, ENDINGS_MOST) };
}
