/** Ports of 127.0.0.1 that nobody listens on. */
import { randomInt } from "node:crypto";
import net from "node:net";

/**
 * Below those that systems give to outgoing connections (from 32768 on Linux, from 49152 elsewhere), so that none of these
 * takes a port between the look and its use, or while what listened there is started again.
 */
const FIRST = 20_000;
const COUNT = 10_000;
const TRIES = 200;

/** Throws when none was found. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = FIRST + randomInt(COUNT);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`None of ${TRIES} ports on 127.0.0.1 is free.`);
}

export async function isPortFree(port: number): Promise<boolean> {
  const probe = net.createServer();
  const isFree = await new Promise<boolean>((answer) => {
    probe.once("error", () => answer(false));
    probe.listen(port, "127.0.0.1", () => answer(true));
  });
  if (isFree) await new Promise((closed) => probe.close(closed));
  return isFree;
}
