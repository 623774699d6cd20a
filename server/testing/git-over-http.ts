/** A bare repository over git's smart HTTP, for one login only: git's own `http-backend` behind a small server. */
import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname } from "node:path";

export interface GitOverHttp {
  /** `127.0.0.1:port/name.git`, without scheme and login. */
  readonly address: string;
  /** What the server lets in from now on; null answers 403 to everybody. */
  allow(user: string, password: string | null): void;
  close(): void;
}

export async function serveOverHttp(bare: string, user: string, password: string): Promise<GitOverHttp> {
  let allowed: string | null = basic(user, password);
  const server = createServer((request, response) => {
    if (allowed === null) return response.writeHead(403).end();
    if (request.headers.authorization !== allowed) {
      return response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
    }
    return answerGit(dirname(bare), user, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}/${basename(bare)}`,
    allow(name, word) {
      allowed = word === null ? null : basic(name, word);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What git asks about the repositories below `root`, for somebody who is let in already. */
export function answerGit(root: string, user: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const encoding = request.headers["content-encoding"];
  const child = spawn("git", ["http-backend"], {
    env: {
      NODE_ENV: "test",
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      REMOTE_USER: user,
      ...(encoding === undefined ? {} : { HTTP_CONTENT_ENCODING: encoding }),
    },
  });
  request.pipe(child.stdin);
  child.stdin.on("error", () => undefined);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.on("close", () => {
    const all = Buffer.concat(chunks);
    const end = all.indexOf("\r\n\r\n");
    const lines = all.subarray(0, end).toString("latin1").split("\r\n");
    let status = 200;
    for (const line of lines) {
      const [name = "", value = ""] = line.split(/:\s*/, 2);
      if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.writeHead(status).end(all.subarray(end + 4));
  });
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
