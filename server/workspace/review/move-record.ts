/**
 * What is written down before somebody's checked-out tree moves with its branch, so that whoever comes after a crash knows
 * that a half-changed tree is ours to put right (move-mend.ts). One per git directory, and gone when the move is over.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Places } from "../places";

export interface MoveRecord {
  /** The tree, and its private git directory. */
  readonly path: string;
  readonly own: string;
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

/** Null: nothing was under way, or it cannot be read. */
export async function readMove(places: Places, gitDirectory: string): Promise<MoveRecord | null> {
  try {
    const found: unknown = JSON.parse(await readFile(fileOf(places, gitDirectory), "utf8"));
    return isRecord(found) ? found : null;
  } catch {
    return null;
  }
}

export async function writeMove(places: Places, gitDirectory: string, record: MoveRecord): Promise<void> {
  const file = fileOf(places, gitDirectory);
  await mkdir(dirname(file), { recursive: true });
  const next = `${file}.${process.pid}.next`;
  await writeFile(next, `${JSON.stringify(record)}\n`, { flush: true });
  await rename(next, file);
}

export async function forgetMove(places: Places, gitDirectory: string): Promise<void> {
  await rm(fileOf(places, gitDirectory), { force: true });
}

function fileOf(places: Places, gitDirectory: string): string {
  return join(places.moves, `${createHash("sha256").update(gitDirectory).digest("hex").slice(0, 24)}.json`);
}

function isRecord(value: unknown): value is MoveRecord {
  if (typeof value !== "object" || value === null) return false;
  const record = value as Record<string, unknown>;
  return ["path", "own", "branch", "from", "to"].every((key) => typeof record[key] === "string");
}
