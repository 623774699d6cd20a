/** A little disk space held ready, given back when the disk is full: so that at least the ending can be written. */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const RESERVE_BYTES = 65_536;

export async function openReserve(folder: string): Promise<{ release(): void }> {
  const path = join(folder, `.reserve.${process.pid}`);
  // Random, because some file systems store zeros without using space.
  await writeFile(path, randomBytes(RESERVE_BYTES), { mode: 0o600 });
  return { release: () => rmSync(path, { force: true }) };
}
