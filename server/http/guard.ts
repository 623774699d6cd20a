/**
 * Keeps other web sites away (S3): a request must name us in `Host` (so that a foreign name cannot be pointed at this
 * machine), and one that changes something with a cookie must come from our own pages. Decides only; answers nobody.
 */

import type { IncomingHttpHeaders } from "node:http";
import net from "node:net";
import { networkInterfaces } from "node:os";

export interface Guard {
  isOurHost(headers: IncomingHttpHeaders): boolean;
  /** False for a page of another site; true for our pages and for programs that send neither origin nor cookie. */
  isOurOrigin(method: string, headers: IncomingHttpHeaders): boolean;
  /** For sockets, which browsers open across sites without asking: an origin, if there is one, must be ours. */
  mayConnect(headers: IncomingHttpHeaders): boolean;
}

/** Interface addresses are looked up again after this many ms: a laptop changes networks. */
const ADDRESSES_FRESH_MS = 10_000;
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export function createGuard(baseUrl: URL | null, monotonic: () => number): Guard {
  const addresses = ownAddresses(monotonic);

  function isOurHost(headers: IncomingHttpHeaders): boolean {
    const host = parseHost(headers.host);
    if (host === null) return false;
    return isLoopbackName(host.name) || host.name === baseUrl?.hostname || addresses().has(host.name);
  }

  /** Our own page: the origin is where the request went to, or BASE_URL. */
  function matches(origin: string, headers: IncomingHttpHeaders): boolean {
    if (!URL.canParse(origin)) return false;
    const from = new URL(origin);
    if (from.protocol !== "http:" && from.protocol !== "https:") return false;
    if (from.origin === baseUrl?.origin) return true;
    const host = headers.host?.toLowerCase();
    // `URL.host` leaves the scheme's own port out; some clients send it.
    const ownPort = from.protocol === "https:" ? ":443" : ":80";
    return host === from.host || (from.port === "" && host === from.host + ownPort);
  }

  return {
    isOurHost,
    isOurOrigin(method, headers) {
      if (SAFE_METHODS.has(method)) return true;
      // A token is shown on purpose, and no browser sends one by itself.
      if (headers.authorization !== undefined && headers.cookie === undefined) return true;
      if (headers["sec-fetch-site"] === "same-origin") return true;
      if (headers.origin !== undefined) return matches(headers.origin, headers);
      return headers.cookie === undefined && headers["sec-fetch-site"] === undefined;
    },
    mayConnect: (headers) => isOurHost(headers) && (headers.origin === undefined || matches(headers.origin, headers)),
  };
}

function parseHost(host: string | undefined): { name: string } | null {
  if (host === undefined) return null;
  const match = /^(\[[\da-f:.]+\]|[^:[\]/@?#\s]+)(?::\d{1,5})?$/i.exec(host);
  return match?.[1] === undefined ? null : { name: match[1].toLowerCase() };
}

function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "[::1]" || (net.isIPv4(name) && name.startsWith("127."));
}

function ownAddresses(monotonic: () => number): () => ReadonlySet<string> {
  let known = new Set<string>();
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (monotonic() - readAt < ADDRESSES_FRESH_MS) return known;
    readAt = monotonic();
    const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    known = new Set(all.map(({ family, address }) => (family === "IPv6" ? `[${address}]` : address)));
    return known;
  };
}
