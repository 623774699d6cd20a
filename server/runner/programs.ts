/** Whether a program can be started here, found as an agent's own environment would find it (A1). Starts nothing. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import type { Programs } from "../ports/agent-store";
import { allowedEnvironment } from "./host/environment";

/** Of the environment only the PATH counts; without one, the path that agents get then. */
export function createPrograms(environment: Readonly<Record<string, string | undefined>>): Programs {
  const folders = (allowedEnvironment(environment as NodeJS.ProcessEnv).PATH ?? "").split(delimiter).filter(isAbsolute);
  return {
    async isThere(program) {
      if (isAbsolute(program)) return isExecutable(program);
      for (const folder of folders) if (await isExecutable(join(folder, program))) return true;
      return false;
    },
    async notExecutable(program) {
      const paths = isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
      for (const path of paths) if ((await isFile(path)) && !(await isExecutable(path))) return path;
      return null;
    },
  };
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    // Root may enter any folder, which is no program for that.
    return await isFile(path);
  } catch {
    return false;
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
