/**
 * The plain driver: the prompt is stdin, whatever the agent prints is its output, its exit code is its outcome. Speaks no
 * protocol, so it has no polite way to stop an agent but a signal.
 *
 * Stdin is a file without a name: it ends by itself, never fills up, and lives on without the host (R8).
 */
import { closeSync } from "node:fs";
import { join } from "node:path";
import type { AgentCommand } from "../../../ports/runner";
import { openNamelessFile, replaceFile } from "../run-folder";
import type { Driver } from "./driver";

const FOLDER_WORD = "{{runFolder}}";
const PLAIN_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;
/** Names the run folder itself uses; a prompt file must not become an order. */
const OURS = /^(order|spawned|host|ending|stop|question)\.json$|^(claim|orders)$|^journal\.|^host\.log$/;

/** Writes what the agent will read. Nothing is started here, so this may happen before the claim. */
export async function preparePlain(folder: string, command: AgentCommand): Promise<Driver> {
  const files = Object.entries(command.files ?? {});
  for (const [name, content] of files) {
    if (!PLAIN_NAME.test(name) || OURS.test(name)) throw new Error(`A file for the agent may not be called ${name}.`);
    // In one step, because a second host for the same attempt may come this far while the first one's agent reads.
    await replaceFile(folder, name, content);
  }
  const stdinFd = command.stdin === null ? null : await openNamelessFile(folder, "stdin", command.stdin);
  const argv = insertFolder(command.argv, folder, files);
  return {
    conversation: null,
    async start(launch) {
      try {
        return await launch({ argv, stdinFd });
      } finally {
        if (stdinFd !== null) closeSync(stdinFd);
      }
    },
  };
}

/** Only in front of the name of a file that the order brings: a prompt that is itself an argument stays as it is (A2). */
function insertFolder(
  argv: readonly string[],
  folder: string,
  files: readonly (readonly [string, string])[],
): string[] {
  return argv.map((word) =>
    files.reduce((text, [name]) => text.replaceAll(`${FOLDER_WORD}/${name}`, () => join(folder, name)), word),
  );
}
