/**
 * Looks at a database of the user's own (DATABASE_URL) before anything is done with it, and says in one sentence what
 * is wrong with it. Never shows the password.
 */
import { StartRefused } from "../ports/start-refused";
import { type Asking, askWithin, NoAnswer, placeOf } from "./ask-within";

const OLDEST_MAJOR = 14;
/** The whole look, over both connections, whatever it is that listens there. */
const LOOK_LIMIT_S = 15;

export async function checkDatabase(url: string): Promise<void> {
  try {
    await askWithin(url, LOOK_LIMIT_S, (first) => askWithin(url, LOOK_LIMIT_S, (second) => look(first, second)));
  } catch (error) {
    if (error instanceof StartRefused && !(error instanceof NoAnswer)) throw error;
    throw new StartRefused(sentenceFor(url, error));
  }
}

async function look(first: Asking, second: Asking): Promise<void> {
  const [server] = await first`select current_setting('server_version_num')::int as version, pg_backend_pid() as pid`;
  const major = Math.floor(Number(server?.version) / 10_000);
  if (major < OLDEST_MAJOR) {
    throw new StartRefused(`DATABASE_URL: PostgreSQL ${OLDEST_MAJOR} or newer is needed, this one is ${major}.`);
  }
  // Both connections are open: only a transaction pooler lets them share one backend.
  const [other] = await second`select pg_backend_pid() as pid`;
  if (other?.pid === server?.pid) {
    throw new StartRefused("DATABASE_URL: this is a transaction pooler; give the address of PostgreSQL itself.");
  }
}

function sentenceFor(url: string, error: unknown): string {
  const { hostname, pathname, username } = new URL(url);
  const place = placeOf(url);
  if (error instanceof NoAnswer) {
    return `DATABASE_URL: what listens at ${place} did not answer as PostgreSQL does within ${LOOK_LIMIT_S} s: is it PostgreSQL?`;
  }
  const database = decodeURIComponent(pathname.slice(1)) || username;
  const { code, message } = error as { code?: string; message: string };
  switch (code) {
    case "28P01":
    case "28000":
      return `DATABASE_URL: PostgreSQL at ${place} refuses user "${decodeURIComponent(username)}" or the password.`;
    case "3D000":
      return `DATABASE_URL: PostgreSQL at ${place} has no database "${database}": create it first.`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `DATABASE_URL: the host "${hostname}" is not known.`;
    case "ECONNREFUSED":
    case "CONNECT_TIMEOUT":
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
      return `DATABASE_URL: nothing answers at ${place}: is PostgreSQL running there?`;
    default:
      return `DATABASE_URL: PostgreSQL at ${place} cannot be used (${code ? `${code}: ` : ""}${message.split("\n")[0]}).`;
  }
}
