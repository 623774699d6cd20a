import http from "node:http";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/postgres";
import { askWithin, within } from "./ask-within";
import { checkDatabase } from "./check-database";
import { checkDataDir, refuseOtherDataDir } from "./data-dir-check";
import { isLeaseHeld } from "./lease-store";
import { migrate } from "./migrate";
import { isFollowed } from "./pool-link";
import { checkSecret } from "./secret-check";

/** The longest limit under test, and the end of the connections. */
const WITHIN_MS = 25_000;
const GREETING = "SSH-2.0-OpenSSH_9.9\r\n";

let database: TestDatabase;
const servers: net.Server[] = [];

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  for (const server of servers) server.close();
  await database.drop();
});

/** What may listen at an address that somebody took for PostgreSQL's. */
const LISTENERS: Record<string, () => net.Server> = {
  "a web server": () => http.createServer((_request, answer) => answer.end("hello")),
  "one that hangs up at once": () => net.createServer((socket) => socket.end()),
  "one that hangs up when it hears something": () => onEach((socket) => socket.once("data", () => socket.end("what?"))),
  "one that says nothing": () => onEach(() => {}),
  "one that greets in another language": () => onEach((socket) => socket.write(GREETING)),
  "PostgreSQL that falls silent after the login": () => silentAfterLogin(),
};

function onEach(meet: (socket: net.Socket) => void): net.Server {
  return net.createServer((socket) => {
    socket.on("error", () => {});
    meet(socket);
  });
}

/** Passes everything on until the database is ready for queries, and nothing afterwards. */
function silentAfterLogin(): net.Server {
  const { hostname, port } = new URL(database.url);
  return onEach((socket) => {
    const behind = net.connect(Number(port), hostname);
    let isIn = false;
    behind.on("error", () => {});
    behind.on("data", (chunk) => {
      socket.write(chunk);
      isIn ||= chunk.includes("Z\0\0\0\x05I");
    });
    socket.on("data", (chunk) => isIn || behind.write(chunk));
    socket.on("close", () => behind.destroy());
  });
}

async function listen(server: net.Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(database.url);
  url.port = String((server.address() as net.AddressInfo).port);
  return url.href;
}

/** The sentence it is refused with, and how long that took. */
async function refusal(asked: Promise<unknown>): Promise<{ sentence: string; tookMs: number }> {
  const begun = performance.now();
  const sentence = await asked.then(
    () => "no refusal",
    (error: Error) => error.message,
  );
  return { sentence, tookMs: performance.now() - begun };
}

describe.concurrent("a database that nobody knows to be good", () => {
  test.each(Object.entries(LISTENERS))(
    "DATABASE_URL at %s is one sentence within its limit, without the password",
    { timeout: 2 * WITHIN_MS },
    async (_what, open) => {
      const url = await listen(open());
      const { sentence, tookMs } = await refusal(checkDatabase(url));
      const place = new URL(url).host;
      expect(sentence).toMatch(
        new RegExp(
          `^DATABASE_URL: (nothing answers at ${place}: is PostgreSQL running there|what listens at ${place} did not answer as PostgreSQL does within 15 s: is it PostgreSQL)\\?$`,
        ),
      );
      expect(tookMs).toBeLessThan(WITHIN_MS);
    },
  );

  test("whatever start asks afterwards ends as well when the database hangs up or falls silent", {
    timeout: 2 * WITHIN_MS,
  }, async () => {
    const ours = { id: "d", place: "/data" };
    const silent = await listen(silentAfterLogin());
    const hangsUp = await listen(net.createServer((socket) => socket.end()));
    const asked = [
      migrate(silent),
      checkSecret(silent, "a secret", false),
      refuseOtherDataDir(silent, ours),
      checkDataDir(silent, ours, false),
      isLeaseHeld(silent),
      isFollowed(silent),
      isLeaseHeld(hangsUp),
    ];
    for (const { sentence, tookMs } of await Promise.all(asked.map(refusal))) {
      expect(sentence).toMatch(/^The database at 127\.0\.0\.1:\d+ did not answer within (2|15) s\.$/);
      expect(tookMs).toBeLessThan(WITHIN_MS);
    }
  });

  test("what answers in time is passed on, refusals of the database as they are", async () => {
    expect(await askWithin(database.url, 10, async (sql) => (await sql`select 1 as n`)[0]?.n)).toBe(1);
    await expect(askWithin(database.url, 10, (sql) => sql`select from nowhere`)).rejects.toThrow(/nowhere/);
    await expect(within(database.url, 10, Promise.reject(new Error("its own")))).rejects.toThrow("its own");
  });

  test("a migration waits for others so long and no longer", async () => {
    await askWithin(database.url, 30, async (sql) => {
      await sql`select pg_advisory_lock(${0x63616d656c6f74n.toString()}::bigint)`;
      const { sentence } = await refusal(migrate(database.url, undefined, 1));
      expect(sentence).toBe(
        "The database's tables could not be brought to this version: something else has kept them locked for 1 s. End it, then start again.",
      );
    });
    await migrate(database.url);
  });
});
