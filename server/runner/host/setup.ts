/** The project's setup script: bash in the worktree, before the agent, its output in the same journal. */
import { join } from "node:path";
import type { Driver } from "./drivers/driver";
import { preparePlain } from "./drivers/plain";

const SETUP_FILE = "setup.sh";

/** Ends at the first command that fails, as people expect from a script that sets something up. */
export function prepareSetup(folder: string, script: string): Promise<Driver> {
  return preparePlain(folder, {
    argv: ["bash", "-e", "-o", "pipefail", join(folder, SETUP_FILE)],
    stdin: null,
    files: { [SETUP_FILE]: script },
  });
}
