/**
 * What we know about a task's worktree beside it on disk (`<number>.json`): branch, folder, base commit, and whether making it
 * came to its end. Written before git acts, so that a crash in the middle can be told from a worktree that an agent used.
 * Order not to break: "making" is on disk before the first step and "ready" only after the last one; only then may an agent start.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface TaskRecord {
  readonly state: "making" | "ready";
  readonly taskId: string;
  readonly branch: string;
  /** The worktree's folder name. */
  readonly folder: string;
  readonly baseCommit: string;
}

export function recordPath(worktreesFolder: string, number: number): string {
  return join(worktreesFolder, `${number}.json`);
}

/** Null when there is none, it is unreadable, or it belongs to another task. */
export async function readRecord(path: string, taskId: string): Promise<TaskRecord | null> {
  try {
    const found: unknown = JSON.parse(await readFile(path, "utf8"));
    return isRecord(found) && found.taskId === taskId ? found : null;
  } catch {
    return null;
  }
}

export async function writeRecord(path: string, record: TaskRecord): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const next = `${path}.${process.pid}.next`;
  await writeFile(next, `${JSON.stringify(record)}\n`, { flush: true });
  await rename(next, path);
}

function isRecord(value: unknown): value is TaskRecord {
  if (typeof value !== "object" || value === null) return false;
  const record = value as Record<string, unknown>;
  const texts = ["taskId", "branch", "folder", "baseCommit"].every((key) => typeof record[key] === "string");
  return texts && (record.state === "making" || record.state === "ready");
}
