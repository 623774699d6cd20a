/** Next, which renders the pages and nothing else. In development it also brings changed code to the browser. */
import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import type { Duplex } from "node:stream";
import next from "next";
import type { Config } from "../config";
import { StartRefused } from "../ports/start-refused";

export interface Pages {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Development only: the connection over which changed code comes. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
}

export async function openPages(config: Config, isDevelopment: boolean): Promise<Pages> {
  const dir = process.cwd();
  if (!isDevelopment && !existsSync(path.join(dir, ".next", "BUILD_ID"))) {
    if (config.test.hooks) return NO_PAGES;
    throw new StartRefused("The pages are not built yet: start with `npm start`, which builds them.");
  }
  // Next adds its own listener for upgrades to the server it is given, and would answer those of the live channel too.
  const standIn: Server = createServer();
  const app = next({
    dev: isDevelopment,
    dir,
    hostname: config.host,
    port: config.port,
    httpServer: standIn,
    quiet: true,
  });
  await app.prepare();
  const handle = app.getRequestHandler();
  return {
    handle: (request, response) => handle(request, response),
    upgrade(request, socket, head) {
      if (!standIn.emit("upgrade", request, socket, head)) socket.destroy();
    },
    close: () => app.close(),
  };
}

/** For tests of the server alone, which need no pages and do not build any. */
const NO_PAGES: Pages = {
  async handle(_request, response) {
    response.writeHead(404).end();
  },
  upgrade: (_request, socket) => socket.destroy(),
  async close() {},
};
