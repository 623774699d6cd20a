/**
 * The run folder: the whole interface between a server and a session's host, `<data folder>/runs/<session>.<attempt>/`.
 *
 *   order.json       what to run; written by the server, cut down to what is no secret once a host has claimed
 *   spawned.json     which process the server started as host; a hint, for the time before the claim
 *   claim/           who acts for this attempt, host or server; made by one atomic step, never removed (R2)
 *   host.json        the agent's process, its control group, and whether it has yet to take up its protocol; written by the
 *                    host that claimed
 *   question.json    what the agent waits for an answer to; written by the host, gone once it was answered
 *   orders/          files renamed in by the server: `stop.json`, `message.<time>.<some>.json`, `answer.<question>.json`
 *   journal.head     the first bytes of output; `journal.tail.<offset>`: the last ones, in segments (R6)
 *   ending.json      renamed in after the last byte of the journal
 *
 * Every file says its version (R13); the journal's is that of the files beside it. Readers ignore fields they do not know and
 * refuse versions they do not speak. A field that changes its meaning, or must not be ignored, needs a new version; the one
 * before stays spoken, and its host stays in the tests (server/testing/hosts).
 *
 *   1  what hosts were until orders could be more than a stop
 *   2  orders may be messages and answers; an order may ask for a sandbox
 */
import { openSync, unlinkSync } from "node:fs";
import { link, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptRef } from "../../core/words";

const FORMAT_VERSION = 2;
const SPOKEN_VERSIONS: readonly unknown[] = [FORMAT_VERSION - 1, FORMAT_VERSION];

export const RUNS_FOLDER = "runs";
export const ORDER_FILE = "order.json";
export const SPAWNED_FILE = "spawned.json";
export const CLAIM_FOLDER = "claim";
export const HOST_FILE = "host.json";
export const ORDERS_FOLDER = "orders";
export const STOP_ORDER_FILE = "stop.json";
export const QUESTION_FILE = "question.json";
export const JOURNAL_HEAD_FILE = "journal.head";
export const JOURNAL_TAIL_PREFIX = "journal.tail.";
export const ENDING_FILE = "ending.json";
/** Errors of the host itself, for whoever looks for a bug. */
export const HOST_LOG_FILE = "host.log";

const SESSION_ID = /^[A-Za-z0-9_-]{1,100}$/;
const RUN_NAME = /^([A-Za-z0-9_-]{1,100})\.([1-9][0-9]{0,8})$/;

/** Of the installation that a run folder belongs to. */
export function dataDirOf(folder: string): string {
  return join(folder, "..", "..");
}

/** A file that ends by itself and leaves nothing behind: open, and without a name. */
export async function openNamelessFile(folder: string, name: string, content: string): Promise<number> {
  const path = join(folder, `.${name}.${process.pid}`);
  await writeFile(path, content, { mode: 0o600 });
  const fd = openSync(path, "r");
  unlinkSync(path);
  return fd;
}

export function runNameOf(run: AttemptRef): string {
  if (!SESSION_ID.test(run.sessionId) || !Number.isSafeInteger(run.attempt) || run.attempt < 1) {
    throw new Error(`Not a name for a run: ${JSON.stringify([run.sessionId, run.attempt])}`);
  }
  return `${run.sessionId}.${run.attempt}`;
}

export function parseRunName(name: string): AttemptRef | null {
  const [, sessionId, attempt] = RUN_NAME.exec(name) ?? [];
  return sessionId && attempt ? { sessionId, attempt: Number(attempt) } : null;
}

export type Fields = Readonly<Record<string, unknown>>;

export type Reading =
  | { readonly kind: "read"; readonly fields: Fields }
  | { readonly kind: "absent" }
  /** It is there, but says nothing: torn by a crash of the machine, or not ours. */
  | { readonly kind: "broken" }
  /** Written by a release whose files this one does not speak. */
  | { readonly kind: "foreign-version"; readonly version: unknown };

/** Reads one file of a run folder. Throws only when the disk fails: that is not the same as "not there". */
export async function readRunFile(path: string): Promise<Reading> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (isErrorCode(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  });
  if (text === null) return { kind: "absent" };
  const fields = parseFields(text);
  if (!fields) return { kind: "broken" };
  return SPOKEN_VERSIONS.includes(fields.version)
    ? { kind: "read", fields }
    : { kind: "foreign-version", version: fields.version };
}

function parseFields(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Writes a file so that it is there in full or not at all. `isDurable` makes it outlive a power cut as well. Only the owner
 * may read it.
 */
export async function writeRunFile(folder: string, name: string, content: object, isDurable = false): Promise<void> {
  await replaceFile(folder, name, JSON.stringify({ version: FORMAT_VERSION, ...content }), isDurable);
}

/** As `writeRunFile`, for a file whose content is not ours. */
export async function replaceFile(folder: string, name: string, text: string, isDurable = false): Promise<void> {
  const temporary = join(folder, `.${name}.${process.pid}.${nextTemporary++}`);
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text);
      if (isDurable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** As `writeRunFile`, but only if there is no such file yet: false when somebody was first. */
export async function writeRunFileOnce(folder: string, name: string, content: object): Promise<boolean> {
  const draft = `.${name}.${process.pid}.${nextTemporary++}`;
  await writeRunFile(folder, draft, content);
  try {
    await link(join(folder, draft), join(folder, name));
    return true;
  } catch (error) {
    if (isErrorCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    await rm(join(folder, draft), { force: true });
  }
}

let nextTemporary = 1;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
}
