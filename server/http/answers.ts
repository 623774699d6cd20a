/** Small answers of the server itself, and the way between Node's requests and the Web's. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { REFUSALS, type RefusalCode } from "../contract/refusals";

/** Longest body of an account call in bytes. */
const BODY_MAX_BYTES = 65_536;

export function refuse(response: ServerResponse, code: RefusalCode, message: string): void {
  if (code === "UNAVAILABLE" && !response.headersSent) response.setHeader("retry-after", "1");
  sendJson(response, REFUSALS[code], { code, message });
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}

/** Null: the body is too large; the rest of it is not read. */
export async function webRequest(request: IncomingMessage): Promise<Request | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_MAX_BYTES) return null;
    chunks.push(chunk);
  }
  const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "localhost"}`);
  const method = request.method ?? "GET";
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(url, { method, headers: webHeaders(request), body: hasBody ? Buffer.concat(chunks) : null });
}

export function webHeaders(request: Pick<IncomingMessage, "headers">): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of typeof value === "string" ? [value] : (value ?? [])) headers.append(name, one);
  }
  return headers;
}

export async function sendWebResponse(response: ServerResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  for (const [name, value] of answer.headers) if (name !== "set-cookie") response.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  response.setHeader("cache-control", "no-store");
  response.writeHead(answer.status);
  response.end(body);
}
