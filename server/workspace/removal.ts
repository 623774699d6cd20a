/**
 * Deleting folders of our own, whatever rights an agent left on them: folders that nobody may write to (caches of modules
 * are often so) are opened for their owner first. Never follows a link, and changes no file's rights. Deletes folder by
 * folder, so that fifty thousand small files do not crowd the event loop (P20).
 */
import { chmod, lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** What deleting meets where a folder may not be written to, or not looked into. */
const DENIED: ReadonlySet<string> = new Set(["EACCES", "EPERM"]);
const OWNER_ALL = 0o700;
const ALL_RIGHTS = 0o7777;

/** Deletes a folder, `depth` levels one by one, if it is there. Throws what the file system says when something stays. */
export async function removeInSteps(folder: string, depth: number): Promise<void> {
  await letOwnerIn(folder);
  const inside = depth === 0 ? [] : await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of inside) if (entry.isDirectory()) await removeInSteps(join(folder, entry.name), depth - 1);
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    if (!DENIED.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    await letOwnerIntoAll(Buffer.from(folder));
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Folders only: whether a file can be deleted is up to its folder, and its own rights may be those of a file elsewhere that
 * it is linked with. Through a link nothing is changed.
 */
async function letOwnerIntoAll(folder: Buffer): Promise<void> {
  await letOwnerIn(folder);
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: "buffer" })) {
    if (entry.isDirectory()) await letOwnerIntoAll(Buffer.concat([folder, Buffer.from("/"), entry.name]));
  }
}

/** Lets the owner read, write and enter this one folder. Somebody else's stays as it is: what then fails says so. */
export async function letOwnerIn(folder: string | Buffer): Promise<void> {
  const found = await lstat(folder).catch(() => null);
  if (found === null || !found.isDirectory() || (found.mode & OWNER_ALL) === OWNER_ALL) return;
  await chmod(folder, (found.mode & ALL_RIGHTS) | OWNER_ALL).catch(() => undefined);
}
