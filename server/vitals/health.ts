/**
 * Is it alive, and can it work? `/healthz` says that the process answers. `/readyz` looks at what the work needs: the database,
 * the pool's writer (or being a follower), a mailbox that drains, room on the disk; red means that a load balancer should
 * send people elsewhere, never that anything is refused (P1).
 */
/** A letter older than this says that the mailbox does not drain, ms. */
const MAILBOX_OLDEST_MS = 5_000;
const DATABASE_LIMIT_MS = 2_000;

export interface HealthParts {
  readonly pingDatabase: () => Promise<unknown>;
  readonly pool: () => { readonly state: string; readonly oldestLetterMs: number };
  readonly freeBytes: () => Promise<number>;
  /** Below this much free space nothing is granted (R14). */
  readonly diskLeastBytes: number;
}

type Check = "ok" | { readonly problem: string };

export interface Readiness {
  readonly isReady: boolean;
  /** What this server is for the pool: one writes, the others follow it (P19). */
  readonly role: "writer" | "follower" | "none";
  readonly checks: { readonly database: Check; readonly writer: Check; readonly mailbox: Check; readonly disk: Check };
}

/** The states in which this server does its part. */
const ROLES: Readonly<Record<string, Readiness["role"]>> = { writing: "writer", following: "follower" };

export async function readiness(parts: HealthParts): Promise<Readiness> {
  const [database, disk] = await Promise.all([checkDatabase(parts), checkDisk(parts)]);
  const { state, oldestLetterMs } = parts.pool();
  const role = ROLES[state] ?? "none";
  const writer: Check = role === "none" ? { problem: `the pool is ${state}` } : "ok";
  const isDraining = oldestLetterMs < MAILBOX_OLDEST_MS;
  const mailbox: Check = isDraining ? "ok" : { problem: `a letter waits for ${Math.round(oldestLetterMs / 1_000)} s` };
  const checks = { database, writer, mailbox, disk };
  return { isReady: Object.values(checks).every((check) => check === "ok"), role, checks };
}

async function checkDatabase({ pingDatabase }: HealthParts): Promise<Check> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Check>((resolve) => {
    timer = setTimeout(() => resolve({ problem: "it does not answer" }), DATABASE_LIMIT_MS);
  });
  const answer = pingDatabase().then(
    (): Check => "ok",
    (): Check => ({ problem: "it cannot be reached" }),
  );
  const check = await Promise.race([answer, late]);
  clearTimeout(timer);
  return check;
}

async function checkDisk({ freeBytes, diskLeastBytes }: HealthParts): Promise<Check> {
  try {
    const gigabytes = diskLeastBytes / 1_000_000_000;
    return (await freeBytes()) >= diskLeastBytes ? "ok" : { problem: `less than ${gigabytes} GB is free` };
  } catch {
    return { problem: "the data directory cannot be read" };
  }
}
