import net from "node:net";
import { expect, test } from "vitest";
import { freePort, isPortFree } from "./free-port";

test("a free port can be listened on, and is then no longer free", async () => {
  const port = await freePort();
  const server = net.createServer();
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  expect(await isPortFree(port)).toBe(false);
  await new Promise((closed) => server.close(closed));
  expect(await isPortFree(port)).toBe(true);
});
