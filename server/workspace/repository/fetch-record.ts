/**
 * What the last fetch of a clone came to, kept in the clone: whoever asks, on whatever server and after a restart, is told
 * the same. A record that cannot be read is none.
 */
import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FetchTrouble } from "../../ports/workspace";

const NAME = "camelot-fetch.json";
const MINUTE_MS = 60_000;

interface FetchFailure {
  readonly sentence: string;
  readonly isLasting: boolean;
}

interface FetchRecord {
  /** When everything came last, ms since 1970; null: nobody noted it. */
  readonly fetchedAt: number | null;
  /** Why the last try failed; null: it did not. */
  readonly failure: FetchFailure | null;
}

const NONE: FetchRecord = { fetchedAt: null, failure: null };

/** `failure` null: everything came just now. */
export async function noteFetch(clone: string, failure: FetchFailure | null): Promise<void> {
  const fetchedAt = failure === null ? Date.now() : (await readRecord(clone)).fetchedAt;
  const draft = join(clone, `${NAME}.${randomUUID()}`);
  await writeFile(draft, JSON.stringify({ fetchedAt, failure } satisfies FetchRecord));
  await rename(draft, join(clone, NAME));
}

/** What the last fetch met, in words for people; null: it went well, or there was none. */
export async function fetchTrouble(clone: string): Promise<FetchTrouble | null> {
  const { fetchedAt, failure } = await readRecord(clone);
  if (failure === null) return null;
  const { sentence, isLasting } = failure;
  // The cause first: a card has room for the beginning.
  if (isLasting) return { message: `${sentence} So the repository could not be fetched.`, isLasting };
  const from = fetchedAt === null ? "earlier" : ageOf(Date.now() - fetchedAt);
  const message = `The repository could not be fetched, so new work starts from what was fetched ${from}. ${sentence}`;
  return { message, isLasting };
}

async function readRecord(clone: string): Promise<FetchRecord> {
  const text = await readFile(join(clone, NAME), "utf8").catch(() => null);
  if (text === null) return NONE;
  try {
    return { ...NONE, ...(JSON.parse(text) as Partial<FetchRecord>) };
  } catch {
    return NONE;
  }
}

function ageOf(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / MINUTE_MS));
  if (minutes < 1) return "less than a minute ago";
  if (minutes < 120) return minutes === 1 ? "a minute ago" : `${minutes} minutes ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours ago` : `${Math.round(hours / 24)} days ago`;
}
