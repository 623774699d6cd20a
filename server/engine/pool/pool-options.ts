/** What the pool is made from, and what whoever makes it may do with it beside the verbs. */
import type { Clock } from "../../ports/clock";
import type { PoolLink } from "../../ports/pool-link";
import type { LeaseStore, PoolStore } from "../../ports/pool-store";
import type { BootProbe, Caps, Pool, Vitals, Waiter } from "../pool";

export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface PoolOptions {
  readonly store: PoolStore;
  readonly lease: LeaseStore;
  /** To the other servers on the same database. */
  readonly link: PoolLink;
  readonly waiter: Waiter;
  /** How running sessions that nobody here watches are found out about; without it all are handed to waiters. */
  readonly probe?: BootProbe;
  readonly clock: Clock;
  readonly log: Log;
  /** Settings of a first start; the database's are used ever after. */
  readonly firstCaps: Caps;
  /** The pool cannot go on: the process should end, non-zero, saying why (P18). */
  readonly onFatal: (reason: string) => void;
  readonly testHooks?: boolean;
  /** Who this writer is in the lease row, and who is certainly over; looked up in the system unless given. */
  readonly holder?: string;
  readonly isProvablyDead?: (holder: string) => boolean;
}

export interface RunningPool extends Pool {
  /** Begins with the lease; the door is open from now on (P12). */
  start(): void;
  /** Resolves when the first boot pass is over and grants are given. */
  ready(): Promise<void>;
  /** The first step of a leave: nothing is granted any more. Resolves once no batch that may still grant is under way. */
  stopGranting(): Promise<void>;
  /** Writes what is waiting, gives the lease up, lets go of the waiters: their sessions go on without us (R5). */
  stop(): Promise<void>;
  /** Below the least free space nothing is granted, and the reason is `disk` (R14). What runs goes on. */
  setDiskShort(isShort: boolean): void;
  /**
   * Whether this server may act on what runs right now: it holds the lease, by its own clock with a margin (P19). Asked in the
   * same turn in which something is done.
   */
  mayDrive(): boolean;
  vitals(): Vitals;
  /** Makes the writer's loop throw at its next batch. Only there when test hooks were asked for. */
  crashNext?(): void;
}
