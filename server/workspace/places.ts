/**
 * Where the workspace keeps what under the data directory, and how a stored path is found again after the data
 * directory moved. Paths hold only ids, numbers and slugs, whatever the repository's own path looks like.
 */
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { reasonOf } from "../core/text/reason";
import type { ProjectId } from "../core/words";
import { WorkspaceProblem } from "./git/git-problem";
import { letOwnerIn, removeInSteps } from "./removal";

/** Objects of git lie two folders deep. */
const SCRATCH_DEPTH = 2;
const SCRATCH_NAME = "git-";
const TRASH_NAME = "trash-";
/** No look or save lasts so long: older scratch folders were left by a crash. */
const SCRATCH_AGE_LIMIT_MS = 3_600_000;

export class Places {
  private constructor(
    readonly root: string,
    private readonly log: (line: string) => void,
  ) {}

  /** Makes the data directory if it is not there; its real path is what git will register. `log`: for what could not be deleted. */
  static async open(dataDir: string, log: (line: string) => void): Promise<Places> {
    await mkdir(dataDir, { recursive: true });
    return new Places(await realpath(dataDir), log);
  }

  get locks(): string {
    return join(this.root, "git-locks");
  }

  /** Of trees that are being moved with their branch. */
  get moves(): string {
    return join(this.root, "git-moves");
  }

  worktreesOf(project: ProjectId): string {
    return join(this.root, "worktrees", safeId(project));
  }

  get clones(): string {
    return join(this.root, "clones");
  }

  clone(project: ProjectId): string {
    return join(this.clones, safeId(project));
  }

  get credentials(): string {
    return join(this.root, "clone-credentials");
  }

  credentialsOf(clonePath: string): string {
    return join(this.credentials, basename(clonePath));
  }

  sample(project: ProjectId): string {
    return join(this.root, "samples", safeId(project));
  }

  isClone(path: string): boolean {
    return dirname(path) === this.clones;
  }

  isWorktree(path: string): boolean {
    return dirname(dirname(path)) === join(this.root, "worktrees");
  }

  private get scratch(): string {
    return join(this.root, "scratch");
  }

  /** Everything a project was given but worktrees: its clone with the login, its sample. */
  async discard(project: ProjectId): Promise<void> {
    await rm(this.credentialsOf(this.clone(project)), { force: true });
    for (const folder of [this.clone(project), this.sample(project)]) {
      if (await exists(folder)) await this.emptyTrash(await this.toTrash(folder), folder);
    }
  }

  /** A folder that is removed when `use` is over. */
  async withScratch<T>(use: (folder: string) => Promise<T>): Promise<T> {
    await mkdir(this.scratch, { recursive: true });
    const folder = await mkdtemp(join(this.scratch, SCRATCH_NAME));
    try {
      return await use(folder);
    } finally {
      await removeInSteps(folder, SCRATCH_DEPTH);
    }
  }

  /** Takes a folder away in one step, so that it is never half there; `emptyTrash` deletes it, however long that takes. */
  async toTrash(folder: string): Promise<string> {
    await mkdir(this.scratch, { recursive: true });
    const trash = join(this.scratch, `${TRASH_NAME}${randomUUID()}`);
    await letOwnerIn(folder); // a folder that may not be written to cannot be moved elsewhere
    await rename(folder, trash);
    return trash;
  }

  /** Puts it back where nothing else is by now. */
  async fromTrash(trash: string, folder: string): Promise<void> {
    await rename(trash, folder);
  }

  /** Never throws: what cannot be deleted is written down, with the place where it lies. `was`: where the folder stood. */
  async emptyTrash(trash: string, was: string): Promise<void> {
    await removeInSteps(trash, SCRATCH_DEPTH).catch((error: unknown) =>
      this.log(
        `${was} is gone, but not all of its files could be deleted. They lie in ${trash}, and the next start tries again: ${reasonOf(error)}`,
      ),
    );
  }

  /** What a crash left in the scratch folder, and what could not be deleted before. One that resists holds up no other. */
  async sweep(): Promise<void> {
    const names = await readdir(this.scratch).catch(() => []);
    for (const name of names) {
      const path = join(this.scratch, name);
      const isOld = await stat(path).then(
        (found) => Date.now() - found.mtimeMs > SCRATCH_AGE_LIMIT_MS,
        () => false,
      );
      if (!name.startsWith(TRASH_NAME) && !isOld) continue;
      await removeInSteps(path, SCRATCH_DEPTH).catch((error: unknown) =>
        this.log(
          `${path} is of no use any more and could not be deleted; the next start tries again: ${reasonOf(error)}`,
        ),
      );
    }
  }

  /**
   * The path as it is now. One of our own (clone, sample, worktree) that was stored before the data directory moved is
   * found under the present one; a leading `~/` is the home of the user that runs the server.
   */
  async find(path: string): Promise<string> {
    const full = path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
    if (!isAbsolute(full)) return full;
    const there = await realpathOrNull(full);
    if (there !== null) return this.isUnderRoot(there) ? there : resolve(full);
    const own = /\/((?:clones|samples)\/[^/]+|worktrees\/[^/]+\/[^/]+)\/?$/.exec(full)?.[1];
    if (own === undefined) return resolve(full);
    const moved = join(this.root, own);
    return (await exists(moved)) || full.startsWith(`${this.root}/`) ? moved : resolve(full);
  }

  private isUnderRoot(path: string): boolean {
    return path.startsWith(`${this.root}/`);
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The real path, or null when there is nothing. */
export async function realpathOrNull(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}

function safeId(project: ProjectId): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(project)) throw new WorkspaceProblem("This project id cannot be a folder's name.");
  return project;
}
