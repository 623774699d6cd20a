/**
 * Reads the address of a repository to clone: which forms are allowed, and credentials parted from it. Pure.
 * Only https, http, ssh, git@host:path, file and absolute paths; nothing that git or ssh could take for an option or a command.
 */

import { WHAT_FITS } from "../../core/text/repository-kind";

const URL_LIMIT_CHARS = 2_000;

export interface Credentials {
  /** `host` or `host:port` as git names it when it asks. */
  readonly host: string;
  readonly user: string;
  readonly password: string;
}

export type CloneUrl =
  | { readonly kind: "ok"; readonly url: string; readonly credentials: Credentials | null }
  | { readonly kind: "refused"; readonly message: string };

export function readCloneUrl(given: string): CloneUrl {
  const text = given.trim();
  if (text === "" || text.length > URL_LIMIT_CHARS)
    return refused("Give the repository's address, at most 2,000 characters.");
  if (/^[A-Za-z0-9][A-Za-z0-9+.-]*::/.test(text))
    return refused(`Addresses with a transport helper (name::…) are not allowed. ${WHAT_FITS.address}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the point
  if (/[\u0000-\u0020\u007f]/.test(text.startsWith("/") ? text.replaceAll(" ", "") : text)) {
    return refused("The repository's address may not hold spaces or control characters.");
  }
  if (text.startsWith("/")) return { kind: "ok", url: text, credentials: null };
  if (/^[A-Za-z0-9_][\w.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:(?!\/\/)[^-].*$/.test(text)) {
    return { kind: "ok", url: text, credentials: null };
  }
  return readUrl(text);
}

function readUrl(text: string): CloneUrl {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return refused(WHAT_FITS.address);
  }
  if (url.protocol === "file:")
    return url.host === "" ? { kind: "ok", url: text, credentials: null } : refused(WHAT_FITS.address);
  if (!["https:", "http:", "ssh:"].includes(url.protocol)) return refused(WHAT_FITS.address);
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9_][a-z0-9._-]*)$/i.test(url.hostname))
    return refused("The address names no valid host.");
  const user = decode(url.username);
  const password = decode(url.password);
  if (user === null || password === null || /[\r\n\0]/.test(user + password))
    return refused("The login in the address is not valid.");
  if (url.protocol === "ssh:") {
    if (!/^([\w][\w.-]*)?$/.test(user)) return refused("The user name in the address is not valid.");
    url.password = ""; // ssh cannot use it; keys can
    return { kind: "ok", url: url.href, credentials: null };
  }
  url.username = "";
  url.password = "";
  const hasLogin = user !== "" || password !== "";
  return { kind: "ok", url: url.href, credentials: hasLogin ? { host: url.host, user, password } : null };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function refused(message: string): CloneUrl {
  return { kind: "refused", message };
}
