/**
 * Who acts for an attempt (R2). The claim is a folder that appears in one atomic step and never goes away; whoever comes
 * second finds it and withdraws.
 *
 * The folder is made ready beside and renamed into place, instead of `mkdir` and writing into it afterwards: so it carries
 * who made it from its first instant, and no crash leaves a claim behind that belongs to nobody. Renaming a folder onto one
 * that is not empty fails on every system, exactly as `mkdir` does.
 */
import { randomUUID } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Identity, identityFrom } from "../../system/process-identity";
import { CLAIM_FOLDER, isErrorCode, readRunFile, writeRunFile } from "./run-folder";

const OWNER_FILE = "owner.json";

export type Claimant = "host" | "server";

export interface Claim {
  readonly by: Claimant;
  readonly owner: Identity;
}

/** True for exactly one caller ever. Throws when the run folder is gone or cannot be written. */
export async function claim(folder: string, by: Claimant, owner: Identity): Promise<boolean> {
  const prepared = join(folder, `.${CLAIM_FOLDER}.${by}.${randomUUID()}`);
  await mkdir(prepared, { mode: 0o700 });
  try {
    await writeRunFile(prepared, OWNER_FILE, { by, ...owner });
    await rename(prepared, join(folder, CLAIM_FOLDER));
    return true;
  } catch (error) {
    await rm(prepared, { recursive: true, force: true });
    if (isErrorCode(error, "ENOTEMPTY", "EEXIST")) return false;
    throw error;
  }
}

export async function readClaim(folder: string): Promise<Claim | null> {
  const reading = await readRunFile(join(folder, CLAIM_FOLDER, OWNER_FILE));
  if (reading.kind === "absent") return null;
  const owner = reading.kind === "read" ? identityFrom(reading.fields) : null;
  if (reading.kind !== "read" || !owner) throw new Error("The claim of this run cannot be read.");
  return { by: reading.fields.by === "server" ? "server" : "host", owner };
}
