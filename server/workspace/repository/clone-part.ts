/**
 * Where a clone is made before it is moved to its place: `clones/<project>.part-<id>/`, with the repository and a link whose
 * target says who makes it. Several servers may share the data directory, so only what nobody makes any more is removed.
 * Order not to break: who makes it is written before anything is made; its git is ended before its folder goes.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readlink, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { lifeOf, selfAsHolder } from "../../system/holder";
import { endMarked } from "../git/git-processes";
import { removeInSteps } from "../removal";

/** In the environment of every git that fills the part of this path and may wait for the other end. */
const MAKING_MARK = "CAMELOT_MAKING_CLONE";
const MAKER = "maker";
const PART = /\.part-[\w-]+$/;
/** No clone takes so long: an older part whose maker cannot be judged is nobody's. */
const PART_AGE_LIMIT_MS = 3_600_000;
/** Objects of git lie three folders deep. */
const PART_DEPTH = 3;

export interface Part {
  /** Where the repository is made. */
  readonly path: string;
  /** For git, so that it is found should we be killed. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Whatever `make` leaves there is removed. */
export async function inPart<T>(clone: string, make: (part: Part) => Promise<T>): Promise<T> {
  const folder = `${clone}.part-${randomUUID()}`;
  await mkdir(folder, { recursive: true });
  try {
    await symlink(selfAsHolder(), join(folder, MAKER));
    return await make({ path: join(folder, "repository"), environment: { [MAKING_MARK]: folder } });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/** What a `kill -9` left: the parts, and the git that goes on filling them. */
export async function removeLeftParts(clones: string): Promise<void> {
  const names = await readdir(clones).catch(() => []);
  for (const name of names.filter((one) => PART.test(one))) {
    const folder = join(clones, name);
    if (await isBeingMade(folder)) continue;
    await endMarked(MAKING_MARK, folder);
    await removeInSteps(folder, PART_DEPTH);
  }
}

async function isBeingMade(folder: string): Promise<boolean> {
  const maker = await readlink(join(folder, MAKER)).catch(() => "");
  const life = lifeOf(maker);
  switch (life) {
    case "alive":
      return true;
    case "over":
    case "other-boot":
      return false;
    case "other-namespace":
    case "unknown":
      return stat(folder).then(
        (found) => Date.now() - found.mtimeMs < PART_AGE_LIMIT_MS,
        () => false,
      );
    default:
      return life satisfies never;
  }
}
