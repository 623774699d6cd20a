/** The pool's rooms made from each other, in the one order that works. Decides nothing; `runner-pool.ts` has the verbs. */
import type { Order } from "../../core/pool/events";
import type { LiveSession, PoolSnapshot } from "../../core/pool/picture";
import type { Ended } from "../../core/session/lifecycle";
import type { AttemptRef } from "../../core/words";
import { isProvablyDead, selfAsHolder } from "../../system/holder";
import { Counters } from "./beside/counters";
import { PoolForecast } from "./beside/forecast";
import type { PoolOptions } from "./pool-options";
import { PoolAside } from "./servers/aside";
import { PoolAsker } from "./servers/asker";
import { PoolEars } from "./servers/ears";
import { PoolFollower } from "./servers/follower";
import { PoolRole } from "./servers/role";
import { PoolScout } from "./servers/scout";
import { PoolTeller } from "./servers/teller";
import { grantWish } from "./servers/wishes";
import { PoolAnnouncer } from "./writer/announcer";
import { PoolBoot } from "./writer/boot";
import { Lease } from "./writer/lease";
import { PoolLife } from "./writer/life";
import { Mailbox } from "./writer/mailbox";
import { PoolSupervision } from "./writer/supervision";
import { PoolWatch } from "./writer/watch";

/** What the rooms need of the pool that they are the rooms of. */
export interface PoolDoors {
  readonly held: (run: AttemptRef) => LiveSession | null;
  readonly release: (run: AttemptRef, ended: Ended) => Promise<unknown>;
  readonly requeue: (run: AttemptRef) => Promise<unknown>;
  /** For orders of the pool to itself: nobody waits for the answer. */
  readonly tell: (order: Order) => Promise<void>;
  /** A wish of another server: its answer is written with the commit. */
  readonly decide: (order: Order, wishId: string) => Promise<unknown>;
  readonly isDiskShort: () => boolean;
  readonly isLeaving: () => boolean;
}

export type PoolParts = ReturnType<typeof makeParts>;

export function makeParts(options: PoolOptions, doors: PoolDoors) {
  const { store, clock, log, waiter, firstCaps, onFatal, link, holder = selfAsHolder() } = options;
  const mailbox = new Mailbox();
  const counters = new Counters();
  const announcer = new PoolAnnouncer(firstCaps, clock, log);
  const release = (run: AttemptRef, ended: Ended) => doors.release(run, ended).then(nothing, nothing);
  const watch = new PoolWatch({ waiter, clock, log, held: doors.held, settle: release });
  const boot = new PoolBoot({
    watch,
    probe: options.probe ?? (async () => ({ kind: "adopt" })),
    clock,
    log,
    release,
    requeue: (run) => doors.requeue(run).catch(nothing),
  });
  const aside = new PoolAside(store);
  const isDead = options.isProvablyDead ?? isProvablyDead;
  const lease = new Lease({ store: options.lease, holder, isProvablyDead: isDead, clock });
  const teller = new PoolTeller();
  const follower = new PoolFollower({ link, holder, announcer, log });
  const asker = new PoolAsker(link);
  const wishes = {
    link,
    log,
    now: clock.now,
    decide: doors.decide,
    rebuild: (): Promise<PoolSnapshot> => life.rebuild(),
    declareLost: (run: AttemptRef) => waiter.declareLost(run),
  };
  const scout = new PoolScout({
    link,
    holder,
    teller,
    poke: () => mailbox.poke(),
    takeIn: (row) => doors.tell({ kind: "take-in", row }),
    grant: (asked) => grantWish(wishes, asked),
  });
  const ears = new PoolEars({ link, lease, scout, asker, follower });
  const role = new PoolRole({ lease, mailbox, boot, watch, follower, teller, ears, counters, log });
  const supervision = new PoolSupervision({ clock, log, counters, onFatal });
  const open = () => void doors.tell({ kind: "open" });
  const life = new PoolLife({
    store,
    clock,
    log,
    mailbox,
    lease,
    watch,
    boot,
    aside,
    scout,
    announcer,
    counters,
    firstCaps,
    supervision,
    open,
    isDiskShort: doors.isDiskShort,
    isLeaving: doors.isLeaving,
    teller,
    follower,
    role,
  });
  const forecast = new PoolForecast({ store, clock, log, announcer });
  return { mailbox, counters, announcer, watch, aside, lease, follower, asker, ears, life, forecast, link };
}

function nothing(): undefined {
  return undefined;
}
