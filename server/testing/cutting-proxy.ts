/**
 * A way to PostgreSQL on which the writer's connection breaks in a chosen moment of its next commit, as networks do: before the
 * statement is passed on, after it, or after its reply has come but before that is passed on. Everything else goes through.
 */
import net from "node:net";

export const CUTS = ["before the statement", "after the statement", "before the reply"] as const;
export type Cut = (typeof CUTS)[number];

export interface CuttingProxy {
  /** The address of the same database by this way. */
  readonly url: string;
  /** Breaks the next commit so; resolves in the very moment. */
  cutNext(cut: Cut): Promise<void>;
  close(): Promise<void>;
}

/** As the writer's client calls itself when it connects (`db/client.ts`). */
const WRITER = "camelot writer";
/** PostgreSQL's message that runs a prepared statement. */
const EXECUTE = "E".charCodeAt(0);

export async function cuttingProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url);
  const open = new Set<net.Socket>();
  let wanted: { readonly cut: Cut; readonly done: () => void } | null = null;

  const server = net.createServer((client) => {
    const database = net.connect(Number(target.port), target.hostname);
    for (const socket of [client, database]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.on("close", () => open.delete(socket));
    }
    let isFirst = true;
    let isWriter = false;
    /** Cut here once the reply has come. */
    let awaited: (() => void) | null = null;
    const breakUp = (done: () => void) => {
      client.destroy();
      done();
    };
    client.on("data", (bytes) => {
      if (isFirst) isWriter = bytes.includes(WRITER);
      const isCommit = isWriter && !isFirst && executes(bytes);
      isFirst = false;
      if (!isCommit || wanted === null) return void database.write(bytes);
      const { cut, done } = wanted;
      wanted = null;
      if (cut === "before the statement") {
        database.destroy();
        return breakUp(done);
      }
      database.write(bytes);
      if (cut === "after the statement") breakUp(done);
      else awaited = done;
    });
    database.on("data", (bytes) => {
      if (awaited !== null) breakUp(awaited);
      else client.write(bytes);
    });
    client.on("close", () => database.end());
    database.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = new URL(url);
  own.port = String((server.address() as net.AddressInfo).port);
  return {
    url: own.href,
    cutNext: (cut) =>
      new Promise((resolve) => {
        wanted = { cut, done: resolve };
      }),
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Whether one of these whole messages runs a statement: a type of one byte, a length of four, and so on. */
function executes(bytes: Buffer): boolean {
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    if (bytes[at] === EXECUTE) return true;
  }
  return false;
}
