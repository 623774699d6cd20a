/**
 * Looks at a database of the user's own (DATABASE_URL) before anything is done with it, and says in one sentence what
 * is wrong with it. Never shows the password.
 */
import postgres from "postgres";
import { StartRefused } from "../ports/start-refused";

const OLDEST_MAJOR = 14;
const CONNECT_LIMIT_S = 10;

export async function checkDatabase(url: string): Promise<void> {
  const options = { max: 1, connect_timeout: CONNECT_LIMIT_S, onnotice: () => {} };
  const first = postgres(url, options);
  const second = postgres(url, options);
  try {
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
  } catch (error) {
    throw error instanceof StartRefused ? error : new StartRefused(sentenceFor(url, error));
  } finally {
    await Promise.all([first.end({ timeout: 1 }), second.end({ timeout: 1 })]);
  }
}

function sentenceFor(url: string, error: unknown): string {
  const { hostname, port, pathname, username } = new URL(url);
  const place = `${hostname}:${port || "5432"}`;
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
