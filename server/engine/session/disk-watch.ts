/**
 * Watches the room on the data directory's disk. Below the least nothing is granted, and every waiting session says so (R14);
 * when there is room again the pool goes on by itself. Never removes anything: that is retention's.
 */
import { reasonOf } from "../../core/text/reason";

/** R14: with less than 1 GB (10^9 bytes) free nothing is granted. */
export const DISK_LEAST_BYTES = 1_000_000_000;
const LOOK_EVERY_MS = 5_000;

export interface DiskWatchParts {
  readonly freeBytes: () => Promise<number>;
  readonly pool: { setDiskShort(isShort: boolean): void };
  readonly log: { info(line: string): void; warn(line: string): void };
  readonly leastBytes: number;
  readonly lookEveryMs?: number;
}

export interface DiskWatch {
  /** One look, now. A disk that cannot be asked changes nothing. */
  look(): Promise<void>;
  stop(): void;
}

/** Begins to look at once. */
export function watchDisk({ freeBytes, pool, log, leastBytes, lookEveryMs }: DiskWatchParts): DiskWatch {
  let isShort = false;

  const look = async () => {
    try {
      const free = await freeBytes();
      if (free < leastBytes === isShort) return;
      isShort = !isShort;
      pool.setDiskShort(isShort);
      if (isShort) log.warn(`only ${megabytes(free)} MB are free on the disk: nothing starts until there is more room`);
      else log.info("the disk has room again");
    } catch (error) {
      log.warn(`the room on the disk could not be found out: ${reasonOf(error)}`);
    }
  };

  const beat = setInterval(() => void look(), lookEveryMs ?? LOOK_EVERY_MS);
  beat.unref();
  void look();
  return { look, stop: () => clearInterval(beat) };
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1_000_000);
}
