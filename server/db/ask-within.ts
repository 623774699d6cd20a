/**
 * For databases that are not known to be good: asks over a connection of its own, with one limit over everything, from the
 * first packet to the last answer. The driver alone has none: where the other end takes the connection and hangs up (a web
 * server does), it tries again for ever, and where it says nothing to a statement it waits for ever.
 */
import postgres from "postgres";
import { StartRefused } from "../ports/start-refused";

export type Asking = postgres.Sql;

/** How long start asks a database the small things, seconds. */
export const SMALL_THINGS_S = 15;
/** Longest wait for a connection to be taken, seconds; less where the limit is less. */
export const CONNECT_LIMIT_S = 10;
/** Longest wait for the connection to end in order, seconds. */
const END_S = 1;

/** What was asked has no answer after its limit. The message is one sentence without the password. */
export class NoAnswer extends StartRefused {
  override name = "NoAnswer";
}

/** Rejects with `NoAnswer` when `ask` is not done after `limitS` seconds; what it waits for then is given up. */
export async function askWithin<Answer>(
  url: string,
  limitS: number,
  ask: (sql: Asking) => Promise<Answer>,
): Promise<Answer> {
  const connect_timeout = Math.min(limitS, CONNECT_LIMIT_S);
  // The driver's own first question, about types, is one that nobody waits for: when it fails, nobody is told.
  const sql = postgres(url, { max: 1, connect_timeout, fetch_types: false, onnotice: () => {} });
  try {
    return await within(url, limitS, ask(sql));
  } finally {
    await hangUp(sql);
  }
}

/** The same limit for what is asked over a connection of somebody else. */
export async function within<Answer>(url: string, limitS: number, asked: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const sentence = `The database at ${placeOf(url)} did not answer within ${limitS} s.`;
    timer = setTimeout(() => reject(new NoAnswer(sentence)), limitS * 1_000);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Host and port, as a sentence names them. */
export function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || "5432"}`;
}

/** Ends the connection in order if it can be, within two seconds: one that is being tried again knows no end of its own. */
export async function hangUp(sql: Asking): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 2 * END_S * 1_000);
  });
  await Promise.race([sql.end({ timeout: END_S }).catch(() => undefined), late]);
  clearTimeout(timer);
}
