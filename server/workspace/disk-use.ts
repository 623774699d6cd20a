/**
 * How much room a project takes below the data directory (R14). Another process walks the folders, at low priority and
 * bounded: a tree of fifty thousand files is no work of ours (P20).
 */
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import type { ProjectId } from "../core/words";
import type { DiskUse } from "../ports/workspace";
import { exists, type Places } from "./places";

const MEASURE_LIMIT_MS = 120_000;
const OUTPUT_LIMIT_BYTES = 1_000_000;
/** What `du -k` counts in. */
const UNIT_BYTES = 1_024;

/** Null: it took too long, or there is no `du` here. */
export async function diskUseOf(places: Places, projectId: ProjectId): Promise<DiskUse | null> {
  const worktrees = places.worktreesOf(projectId);
  const repository = (await firstThere(places.clone(projectId), places.sample(projectId))) ?? null;
  const inside = await readdir(worktrees, { withFileTypes: true }).catch(() => null);
  const asked = [...(inside === null ? [] : [worktrees]), ...(repository === null ? [] : [repository])];
  const measured = await measure(asked);
  if (measured === null) return null;
  return {
    worktrees: inside?.filter((entry) => entry.isDirectory()).length ?? 0,
    worktreesBytes: measured.get(worktrees) ?? 0,
    repositoryBytes: repository === null ? null : (measured.get(repository) ?? 0),
  };
}

async function firstThere(...folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) if (await exists(folder)) return folder;
  return undefined;
}

/** Bytes on disk, by folder. What comes and goes meanwhile makes `du` complain; what it counted stands all the same. */
function measure(folders: readonly string[]): Promise<Map<string, number> | null> {
  if (folders.length === 0) return Promise.resolve(new Map());
  const options = { timeout: MEASURE_LIMIT_MS, killSignal: "SIGKILL", maxBuffer: OUTPUT_LIMIT_BYTES } as const;
  return new Promise((resolve) => {
    execFile("nice", ["-n", "10", "du", "-s", "-k", "--", ...folders], options, (error, stdout) => {
      const lines = stdout.split("\n").flatMap((line) => /^(\d+)\t(.*)$/.exec(line)?.slice(1, 3) ?? []);
      const found = new Map<string, number>();
      for (let at = 0; at < lines.length; at += 2) found.set(lines[at + 1] ?? "", Number(lines[at]) * UNIT_BYTES);
      const isCut = error !== null && (error.killed || found.size < folders.length);
      resolve(isCut ? null : found);
    });
  });
}
