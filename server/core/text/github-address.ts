/** Whether a remote is on a GitHub, as which repository, and where people find it: by the addresses of the remote and of the API. Pure. */

export const GITHUB_API = "https://api.github.com";

/** Longest label of an issue in characters: GitHub's limit. */
export const LABEL_MAX_CHARS = 50;

/** Longest address of an API in characters. */
const API_URL_MAX = 500;

/** `owner/name`; null: the remote is somewhere else. `apiUrl`: as `readApiUrl` gave it. */
export function repositoryOn(remote: string, apiUrl: string): string | null {
  const place = placeOf(remote.trim());
  if (place === null || place.host !== hostBehind(apiUrl)) return null;
  const [owner = "", name = "", ...more] = place.path.replace(/^\/+|\/+$/g, "").split("/");
  const short = name.replace(/\.git$/, "");
  const isRight = more.length === 0 && /^[\w.-]+$/.test(owner) && /^[\w.-]+$/.test(short) && !/^\.+$/.test(short);
  return isRight ? `${owner}/${short}` : null;
}

/** The address without a slash at its end, or one sentence for people. A token must not travel in the open. */
export function readApiUrl(given: string): { readonly url: string } | { readonly mistake: string } {
  const text = given.trim();
  const url = text.length <= API_URL_MAX && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search + url.hash + url.username + url.password !== "") {
    return { mistake: "The address of the API is like https://github.example.org/api/v3: no login, no query." };
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return { mistake: "The address of the API begins with https://, so that the token does not travel in the open." };
  }
  return { url: url.href.replace(/\/+$/, "") };
}

/** Where people read an issue. Made of what we know, not of what GitHub said: it leads nowhere else. */
export function issueAddress(issue: {
  readonly apiUrl: string;
  readonly repository: string;
  readonly number: number;
}): string {
  const { protocol, port } = new URL(issue.apiUrl);
  const host = `${hostBehind(issue.apiUrl)}${port === "" ? "" : `:${port}`}`;
  return `${protocol}//${host}/${issue.repository}/issues/${issue.number}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}

/** Remotes as git takes them: addresses, and `user@host:path`. */
function placeOf(remote: string): { readonly host: string; readonly path: string } | null {
  const short = /^(?:[\w.-]+@)?([A-Za-z0-9][A-Za-z0-9.-]*):(?!\/\/)(.+)$/.exec(remote);
  if (short !== null) return { host: plainHost(short[1] ?? ""), path: short[2] ?? "" };
  if (!URL.canParse(remote)) return null;
  const { protocol, hostname, pathname } = new URL(remote);
  return /^(https?|ssh|git):$/.test(protocol) ? { host: plainHost(hostname), path: pathname } : null;
}

/** Where ssh goes over the port of https. */
function plainHost(host: string): string {
  const lower = host.toLowerCase();
  return lower === "ssh.github.com" || lower === "www.github.com" ? "github.com" : lower;
}

/** GitHub's own API and that of its enterprise cloud have a host of their own; a server's stands below `/api/v3`. */
function hostBehind(apiUrl: string): string {
  const host = new URL(apiUrl).hostname.toLowerCase();
  return host === "api.github.com" || host.endsWith(".ghe.com") ? host.replace(/^api\./, "") : host;
}
