/**
 * Where the runs of one installation lie, and the mark that tells their processes from those of another installation on the
 * same machine. The mark lies beside the runs, so it stays the same when the data folder is moved.
 */
import { randomBytes } from "node:crypto";
import { link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptRef } from "../../core/words";
import { isErrorCode, parseRunName, RUNS_FOLDER, runNameOf } from "../host/run-folder";

export interface RunsFolder {
  folderOf(run: AttemptRef): string;
  /** Value of the run mark of this attempt; reads or makes the installation's part first. */
  markOf(run: AttemptRef): Promise<string>;
  /** The attempt a mark belongs to; null when it is another installation's. */
  runOfMark(mark: string): Promise<AttemptRef | null>;
  /** Makes the attempt's folder; harmless when it is there. */
  make(run: AttemptRef): Promise<string>;
  list(): Promise<AttemptRef[]>;
}

const MARK_FILE = "mark";

export function openRunsFolder(dataDir: string): RunsFolder {
  const root = join(dataDir, RUNS_FOLDER);
  let installation: Promise<string> | null = null;
  const ownMark = () => {
    installation ??= readOrMakeMark(root);
    // A disk error now must not be remembered for ever.
    installation.catch(() => {
      installation = null;
    });
    return installation;
  };
  return {
    folderOf: (run) => join(root, runNameOf(run)),
    markOf: async (run) => `${await ownMark()}.${runNameOf(run)}`,
    async runOfMark(mark) {
      const prefix = `${await ownMark()}.`;
      return mark.startsWith(prefix) ? parseRunName(mark.slice(prefix.length)) : null;
    },
    async make(run) {
      const folder = join(root, runNameOf(run));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return folder;
    },
    async list() {
      const names = await readdir(root).catch((error: unknown) => {
        if (isErrorCode(error, "ENOENT")) return [];
        throw error;
      });
      return names.flatMap((name) => parseRunName(name) ?? []);
    },
  };
}

/** Linked into place, so of two servers that start at once both end up with the same one. */
async function readOrMakeMark(root: string): Promise<string> {
  const path = join(root, MARK_FILE);
  const read = () => readFile(path, "utf8").then((text) => text.trim());
  const found = await read().catch(() => "");
  if (found) return found;
  await mkdir(root, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(temporary, randomBytes(8).toString("hex"), { mode: 0o600 });
  await link(temporary, path).catch((error: unknown) => {
    if (!isErrorCode(error, "EEXIST")) throw error;
  });
  await rm(temporary, { force: true });
  return read();
}
