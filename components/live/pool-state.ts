/**
 * The pool's picture in the browser: message in, next picture out. Pure. A picture only moves forward: what is older than
 * what is held is dropped, what leaves a hole is not applied but answered with "gap", whereupon a snapshot is asked for.
 */
import type { PoolMessage } from "@/server/contract/live";
import type { PoolPicture } from "@/server/contract/pool";

export type Step<Picture> =
  | { readonly kind: "next"; readonly picture: Picture }
  | { readonly kind: "old" }
  | { readonly kind: "gap" };

type PoolDelta = Extract<PoolMessage, { kind: "delta" }>;

/** A picture of the same version is not older: it shows the same moment to somebody who may see other projects now. */
export function isOlder(picture: PoolPicture, held: PoolPicture | undefined): boolean {
  if (held === undefined) return false;
  if (picture.epoch !== held.epoch) return picture.epoch < held.epoch;
  return picture.version < held.version;
}

export function stepPool(held: PoolPicture | undefined, message: PoolMessage): Step<PoolPicture> {
  if (message.kind === "snapshot") {
    const { kind: _, ...picture } = message;
    return isOlder(picture, held) ? { kind: "old" } : { kind: "next", picture };
  }
  if (held === undefined) return { kind: "gap" };
  if (message.epoch < held.epoch) return { kind: "old" };
  if (message.epoch > held.epoch) return { kind: "gap" };
  // Of the same version too: places in the order of grants are told a moment after what changed them (L2).
  if (message.to < held.version) return { kind: "old" };
  if (message.from > held.version) return { kind: "gap" };
  return { kind: "next", picture: applied(held, message) };
}

/** Values are absolute, so a delta that reaches back before the held version does no harm. */
function applied(held: PoolPicture, { to, at, set, gone }: PoolDelta): PoolPicture {
  return {
    epoch: held.epoch,
    version: to,
    at,
    paused: set.paused ?? held.paused,
    isReady: set.isReady ?? held.isReady,
    isDiskShort: set.isDiskShort ?? held.isDiskShort,
    truncated: set.truncated ?? held.truncated,
    global: set.global ?? held.global,
    perUserMax: set.perUserMax ?? held.perUserMax,
    limits: set.limits ?? held.limits,
    users: merged(held.users, set.users, gone.users),
    held: merged(held.held, set.held, gone.held),
    seats: merged(held.seats, set.seats, gone.seats),
    sessions: merged(held.sessions, set.sessions, gone.sessions),
  };
}

/** The same object when nothing changes, so that whoever looks at a part of the picture need not look again. */
export function merged<Value>(
  held: Record<string, Value>,
  set: Record<string, Value> | undefined,
  gone: readonly string[] | undefined,
): Record<string, Value> {
  if (set === undefined && !gone?.some((key) => key in held)) return held;
  const next = { ...held, ...set };
  for (const key of gone ?? []) delete next[key];
  return next;
}
