/** How a run ended, on disk: renamed into place as the very last thing a host does, after the last byte of output (R6). */
import { join } from "node:path";
import type { Ending } from "../../ports/runner";
import { ENDING_FILE, type Fields, readRunFile, writeRunFile } from "./run-folder";

const CAUSES: readonly Ending["cause"][] = [
  "exited",
  "stopped",
  "timed-out",
  "could-not-start",
  "disk-full",
  "no-answer",
];

const RESULTS: readonly Ending["result"][] = ["success", "error", "none"];

export async function writeEnding(folder: string, ending: Ending): Promise<void> {
  await writeRunFile(folder, ENDING_FILE, ending, true);
}

export type EndingReading =
  | { readonly kind: "ended"; readonly ending: Ending }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly reason: string };

export async function readEnding(folder: string): Promise<EndingReading> {
  const reading = await readRunFile(join(folder, ENDING_FILE));
  if (reading.kind === "absent") return { kind: "none" };
  if (reading.kind === "foreign-version") {
    return { kind: "unknown", reason: `The ending was written by another release (version ${reading.version}).` };
  }
  const ending = reading.kind === "read" ? endingFrom(reading.fields) : null;
  // A torn file says that there was an ending, but not which: as if the host had been lost.
  return ending ? { kind: "ended", ending } : { kind: "none" };
}

function endingFrom(fields: Fields): Ending | null {
  const { exitCode, signal, endedAt, outputBytes, message, lingered, quietMs } = fields;
  const result = RESULTS.find((known) => known === fields.result);
  const cause = CAUSES.find((known) => known === fields.cause);
  if (!cause || typeof endedAt !== "number" || typeof outputBytes !== "number") return null;
  return {
    cause,
    exitCode: typeof exitCode === "number" ? exitCode : null,
    signal: typeof signal === "string" ? signal : null,
    endedAt,
    outputBytes,
    ...(typeof message === "string" ? { message } : {}),
    ...(result ? { result } : {}),
    ...(lingered === true ? { lingered } : {}),
    ...(typeof quietMs === "number" ? { quietMs } : {}),
  };
}
