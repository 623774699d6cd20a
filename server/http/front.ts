/**
 * The front door: one port, and who answers what. Host and origin are checked before anybody sees a request (S3); only the
 * two health calls are open to whatever name a load balancer uses. Knows nothing of what stands behind each door.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { AUTH_PREFIX } from "../contract/accounts";
import { API_PREFIX } from "../contract/router";
import { refuse, sendWebResponse, webRequest } from "./answers";
import type { Guard } from "./guard";
import { protect, protectPage } from "./security-headers";

type Door = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface Doors {
  readonly guard: Guard;
  readonly isDevelopment: boolean;
  readonly auth: (request: Request, client: string) => Promise<Response>;
  readonly api: Door;
  readonly pages: Door;
  readonly healthz: Door;
  readonly readyz: Door;
  readonly metrics: Door;
  /** Verbs that break things on purpose; null unless the server was started for tests. */
  readonly testHooks: Door | null;
  readonly failed: (error: unknown) => void;
}

export function createFront(doors: Doors): RequestListener {
  return (request, response) => {
    // The socket's own path is answered by the live channel, which listens on the same server.
    if (isBelow(pathOf(request), "/socket.io")) return;
    void open(doors, request, response).catch((error: unknown) => {
      doors.failed(error);
      refuse(response, "UNAVAILABLE", "The server could not answer. Try again.");
    });
  };
}

async function open(doors: Doors, request: IncomingMessage, response: ServerResponse): Promise<void> {
  protect(response);
  const path = pathOf(request);
  if (path === "/healthz") return doors.healthz(request, response);
  if (path === "/readyz") return doors.readyz(request, response);
  if (!doors.guard.isOurHost(request.headers)) {
    return refuse(
      response,
      "BAD_HOST",
      "This server does not answer to that name. Set BASE_URL to the address people use.",
    );
  }
  if (!doors.guard.isOurOrigin(request.method ?? "GET", request.headers)) {
    return refuse(response, "BAD_ORIGIN", "This request did not come from a page of this server.");
  }
  const client = request.socket.remoteAddress ?? "";
  request.headers["x-client-ip"] = client;
  if (isBelow(path, API_PREFIX)) return doors.api(request, response);
  if (isBelow(path, AUTH_PREFIX)) return auth(doors, request, response, client);
  if (doors.testHooks && isBelow(path, "/api/test")) return doors.testHooks(request, response);
  if (path === "/metrics") return doors.metrics(request, response);
  if (isBelow(path, "/api")) return refuse(response, "NOT_FOUND", "There is no such call.");
  protectPage(request, response, doors.isDevelopment);
  return doors.pages(request, response);
}

async function auth(doors: Doors, request: IncomingMessage, response: ServerResponse, client: string): Promise<void> {
  const asked = await webRequest(request);
  if (asked === null) {
    response.setHeader("connection", "close");
    return refuse(response, "TOO_LARGE", "The request is too large.");
  }
  await sendWebResponse(response, await doors.auth(asked, client));
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? "/").split("?", 1)[0] ?? "/";
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
