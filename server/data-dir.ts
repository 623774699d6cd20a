/**
 * The data directory: made, checked, locked, and the place of the secret and of its own id. The lock keeps a second server away from the
 * embedded database; it is needed only there, because servers that share a DATABASE_URL may share a data directory too.
 *
 * A holder is known by pid, start time and boot, so a lock whose holder is dead (or whose pid somebody else got) is void.
 * Order that must not be broken: write the claim, *then* look at the others. Of two that claim at once the one with the
 * smaller pid waits and the other withdraws; whoever is past that writes `held`, and only then is it the holder.
 */
import { randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import { statfs } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StartRefused } from "./ports/start-refused";
import { lifeOf, selfAsHolder } from "./system/holder";

export interface DataDirLock {
  release(): void;
}

const POLL_MS = 10;

/** Makes the folder if it is missing; refuses when it cannot be written to. */
export function openDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
    fs.accessSync(dataDir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    // Root may do everything by its rights and still not in every file system.
    fs.rmdirSync(fs.mkdtempSync(path.join(dataDir, ".writable-")));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    // A full disk is no reason to stay away: the board says what waits for room (R14).
    if (!/^(ENOSPC|EDQUOT)$/.test(code) || !isFolder(dataDir)) {
      throw new StartRefused(
        `The data directory ${dataDir} cannot be used: ${UNUSABLE[code] ?? `its disk says ${code}`}.`,
      );
    }
  }
}

const UNUSABLE: Readonly<Record<string, string>> = {
  EEXIST: "it is not a folder",
  ENOTDIR: "it is not a folder",
  EACCES: "the user who starts Camelot may not write there",
  EPERM: "the user who starts Camelot may not write there",
  EROFS: "that disk can only be read",
  ENOENT: "folders cannot be made there",
  ENAMETOOLONG: "its path is too long",
  ELOOP: "its path is a circle of links",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
};

/** Level by level: Node's own way to make many at once never comes back from under `/proc`, where none can be made. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Somebody else may have made it in this moment.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isFolder(folder)) throw error;
  }
}

function isFolder(folder: string): boolean {
  return fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const folder = path.join(dataDir, "servers");
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const claim = path.join(folder, `${process.pid}.claim`);
  const held = path.join(folder, `${process.pid}.held`);
  const release = () => {
    fs.rmSync(held, { force: true });
    fs.rmSync(claim, { force: true });
  };
  release();
  fs.writeFileSync(`${claim}.new`, selfAsHolder(), { mode: 0o600 });
  fs.renameSync(`${claim}.new`, claim);
  for (;;) {
    const others = liveClaims(folder).filter((other) => other.pid !== process.pid);
    const winner = others.find((other) => other.isHeld || other.pid < process.pid);
    if (winner) {
      release();
      throw new StartRefused(
        `Camelot already runs on ${dataDir} (process ${winner.pid}). End it first with "kill ${winner.pid}" (its agents go on), or set another CAMELOT_DATA_DIR.`,
      );
    }
    if (others.length === 0) break;
    await sleep(POLL_MS);
  }
  fs.writeFileSync(held, "");
  return { release };
}

/** The kept secret, or a new one; `isNew` tells that whatever the former one signed or encrypted is void. */
export function readOrMakeSecret(dataDir: string): { secret: string; isNew: boolean } {
  const { kept, isNew } = readOrMake(path.join(dataDir, "secret"), () => randomBytes(32).toString("base64url"));
  return { secret: kept, isNew };
}

/** Which data directory this is, wherever it stands: made once, and it moves with the directory. No secret. */
export function readOrMakeId(dataDir: string): string {
  return readOrMake(path.join(dataDir, "id"), randomUUID).kept;
}

/** One line in a file of its own, for its owner only. An empty file counts as none. */
function readOrMake(file: string, make: () => string): { kept: string; isNew: boolean } {
  const isThere = fs.existsSync(file);
  const kept = isThere ? fs.readFileSync(file, "utf8").trim() : "";
  if (kept !== "") return { kept, isNew: false };
  const made = make();
  const draft = `${file}.${process.pid}.new`;
  fs.writeFileSync(draft, `${made}\n`, { mode: 0o600 });
  if (isThere) fs.rmSync(file, { force: true });
  try {
    // Of several servers that start on a new directory in the same moment (P19) one makes it.
    fs.linkSync(draft, file);
    return { kept: made, isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return { kept: fs.readFileSync(file, "utf8").trim(), isNew: false };
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** What a user like this one may still write there. */
export async function freeBytesIn(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
}

/** Claims of living processes; those of dead ones are cleared away in passing. */
function liveClaims(folder: string): { pid: number; isHeld: boolean }[] {
  const names = fs.readdirSync(folder);
  const claims: { pid: number; isHeld: boolean }[] = [];
  for (const name of names.filter((candidate) => candidate.endsWith(".claim"))) {
    const pid = Number.parseInt(name, 10);
    const written = readIfThere(path.join(folder, name));
    if (written === null) continue;
    if (lifeOf(written) === "alive") claims.push({ pid, isHeld: fs.existsSync(path.join(folder, `${pid}.held`)) });
    else {
      fs.rmSync(path.join(folder, `${pid}.held`), { force: true });
      fs.rmSync(path.join(folder, name), { force: true });
    }
  }
  return claims;
}

function readIfThere(file: string): string | null {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
