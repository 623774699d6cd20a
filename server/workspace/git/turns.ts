/**
 * One at a time: everything that changes the shared parts of a git directory (refs, registrations, config) takes its turn
 * here (W1), within this process by a queue and between processes on one data directory by a lock file.
 * The lock is a symbolic link whose target says who holds it: made and read in one step, so it is never half written. Its
 * holder gives signs of life, because a server that was frozen lives and yet must not keep the others from their work (P19);
 * what it still does when it wakes up, git's own locks keep apart.
 * Order not to break: queue first, then the lock; the lock goes before the next of the queue comes.
 */
import { createHash, randomUUID } from "node:crypto";
import { lstat, lutimes, mkdir, readlink, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { lifeOf, selfAsHolder } from "../../system/holder";
import { oneByOne, type UnderWay } from "../../system/one-by-one";
import { WorkspaceProblem } from "./git-problem";

const LOCK_WAIT_LIMIT_MS = 90_000;
const LOCK_POLL_MS = 40;
/** A holder that gave no sign for so long is frozen, or gone where we cannot see it (in another container). */
const SILENT_HOLDER_LIMIT_MS = 10_000;
/** Signs that a holder gives within that time. */
const SIGNS_WITHIN_LIMIT = 5;

export class Turns {
  private readonly underWay: UnderWay = new Map();

  constructor(
    private readonly lockFolder: string,
    private readonly silentHolderLimitMs = SILENT_HOLDER_LIMIT_MS,
  ) {}

  /** In this process only: for what belongs to one task. */
  inProcess<T>(key: string, work: () => Promise<T>): Promise<T> {
    return oneByOne(this.underWay, key, work);
  }

  /** Between all processes on this data directory: for what belongs to a git directory. */
  onGitDirectory<T>(gitDirectory: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.inProcess(`git:${gitDirectory}`, async () => {
      signal?.throwIfAborted();
      const release = await this.lock(gitDirectory, signal);
      try {
        return await work();
      } finally {
        await release();
      }
    });
  }

  private async lock(gitDirectory: string, signal?: AbortSignal): Promise<() => Promise<void>> {
    await mkdir(this.lockFolder, { recursive: true });
    const path = join(this.lockFolder, createHash("sha256").update(gitDirectory).digest("hex").slice(0, 24));
    const mark = selfAsHolder();
    const until = Date.now() + LOCK_WAIT_LIMIT_MS;
    const isSilent = listener(path, this.silentHolderLimitMs);
    while (!(await tryLink(mark, path))) {
      signal?.throwIfAborted();
      if ((await isHolderGone(path)) || (await isSilent())) await breakLock(path);
      else if (Date.now() > until)
        throw new WorkspaceProblem(`Another process is busy in ${gitDirectory} for too long.`);
      else await sleep(LOCK_POLL_MS);
    }
    const signs = setInterval(
      () => void giveSign(path).catch(() => undefined),
      this.silentHolderLimitMs / SIGNS_WITHIN_LIMIT,
    ).unref();
    return async () => {
      clearInterval(signs);
      if ((await readHolder(path)) === mark) await rm(path, { force: true });
    };
  }
}

async function tryLink(mark: string, path: string): Promise<boolean> {
  try {
    await symlink(mark, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function readHolder(path: string): Promise<string | null> {
  return readlink(path).catch(() => null);
}

async function isHolderGone(path: string): Promise<boolean> {
  const holder = await readHolder(path);
  if (holder === null) return false; // just released: the next try may get it
  return ["over", "other-boot"].includes(lifeOf(holder));
}

async function giveSign(path: string): Promise<void> {
  const now = new Date();
  await lutimes(path, now, now);
}

/** Tells whether one holder gave no sign for so long, counted in our own time: clocks differ, and machines are suspended. */
function listener(path: string, limitMs: number): () => Promise<boolean> {
  let heard = "";
  let since = performance.now();
  return async () => {
    const [holder, found] = await Promise.all([readHolder(path), lstat(path).catch(() => null)]);
    const sign = `${holder} ${found?.mtimeMs}`;
    if (sign !== heard) since = performance.now();
    heard = sign;
    return performance.now() - since > limitMs;
  };
}

/** Moves the dead holder's lock away; puts it back if a living one came in between. */
async function breakLock(path: string): Promise<void> {
  const dead = await readHolder(path);
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return; // another waiter was faster
  }
  const moved = await readHolder(aside);
  if (moved !== null && moved !== dead) await tryLink(moved, path);
  await rm(aside, { force: true });
}
