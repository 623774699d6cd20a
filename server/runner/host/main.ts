/**
 * The session host: starts and watches one agent and outlives the server. Started with the run folder as its only argument;
 * that folder is all it knows and all it leaves. Bundled to one file, Node built-ins only.
 */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { HOST_LOG_FILE } from "./run-folder";
import { runSession } from "./session-run";

const [, , folder] = process.argv;
if (!folder) {
  process.stderr.write("The session host is started by Camelot itself, with a run folder.\n");
  process.exit(64);
}

async function report(error: unknown): Promise<never> {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await appendFile(join(folder ?? "", HOST_LOG_FILE), `${new Date().toISOString()} ${text}\n`).catch(() => {});
  process.exit(70);
}

process.on("uncaughtException", report);
process.on("unhandledRejection", report);

// Exits by itself: whatever still holds the loop open (a child that could not be ended) must not keep a finished host.
runSession(folder).then(() => process.exit(0), report);
