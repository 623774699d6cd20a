/**
 * What is written down before somebody's checked-out tree moves with its branch, so that whoever comes after a crash knows
 * that a half-changed tree is ours to put right (move-mend.ts). One per git directory, and gone when the move is over.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Places } from "../places";

export interface MoveRecord {
  /** The tree, and its private git directory. */
  readonly path: string;
  readonly own: string;
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  /** Why it could not be put right yet, whole sentences for people; absent: nobody has tried. */
  readonly left?: string;
  /** No lock was left when it was looked at last, so whatever lock comes later is somebody else's. */
  readonly isLockOver?: boolean;
}

/** Null: nothing was under way, or it cannot be read. */
export async function readMove(places: Places, gitDirectory: string): Promise<MoveRecord | null> {
  return readFrom(fileOf(places, gitDirectory));
}

/** Of all git directories. */
export async function listMoves(places: Places): Promise<MoveRecord[]> {
  const names = await readdir(places.moves).catch(() => []);
  const files = names.filter((name) => name.endsWith(".json")).map((name) => join(places.moves, name));
  return (await Promise.all(files.map(readFrom))).filter((record) => record !== null);
}

export async function writeMove(places: Places, gitDirectory: string, record: MoveRecord): Promise<void> {
  const file = fileOf(places, gitDirectory);
  await mkdir(dirname(file), { recursive: true });
  const next = `${file}.${process.pid}.next`;
  await writeFile(next, `${JSON.stringify(record)}\n`, { flush: true });
  await rename(next, file);
}

/** As `writeMove`, and its time stays. */
export async function changeMove(places: Places, gitDirectory: string, record: MoveRecord): Promise<void> {
  const began = await timeOfMove(places, gitDirectory);
  await writeMove(places, gitDirectory, record);
  if (began !== null) await utimes(fileOf(places, gitDirectory), new Date(began), new Date(began));
}

/** When it was written, ms; null: there is none. */
export async function timeOfMove(places: Places, gitDirectory: string): Promise<number | null> {
  return stat(fileOf(places, gitDirectory)).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}

export async function forgetMove(places: Places, gitDirectory: string): Promise<void> {
  await rm(fileOf(places, gitDirectory), { force: true });
}

function fileOf(places: Places, gitDirectory: string): string {
  return join(places.moves, `${createHash("sha256").update(gitDirectory).digest("hex").slice(0, 24)}.json`);
}

async function readFrom(file: string): Promise<MoveRecord | null> {
  try {
    const found: unknown = JSON.parse(await readFile(file, "utf8"));
    return isRecord(found) ? found : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is MoveRecord {
  if (typeof value !== "object" || value === null) return false;
  const record = value as Record<string, unknown>;
  return ["path", "own", "branch", "from", "to"].every((key) => typeof record[key] === "string");
}
