/**
 * Which files stay uncommitted when work is saved (W2): too big, looking like a secret, or not readable as a file.
 * Pure, except for the look at the file itself. The list of names is part of the documentation.
 */
import { constants } from "node:fs";
import { access, lstat } from "node:fs/promises";

/** 50 MB (10⁶). */
const BIG_FILE_BYTES = 50_000_000;

/** Matched against the file's name, ignoring case. */
const SECRET_NAMES: readonly RegExp[] = [
  /^\.env(\..+)?$/, // but see HARMLESS_NAMES
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc\.key)$/,
  /^id_(rsa|dsa|ecdsa|ecdsa_sk|ed25519|ed25519_sk)$/,
  /^(\.netrc|_netrc|\.pgpass|\.my\.cnf|\.htpasswd|\.pypirc|\.git-credentials|\.dockercfg|\.vault-token)$/,
  /^(credentials|client_secret.*|service[-_]?account.*)\.json$/,
  /^secrets?\.(json|ya?ml|toml|ini|txt)$/,
];

const HARMLESS_NAMES: readonly RegExp[] = [/^\.env\.(example|sample|template|dist|defaults?)$/, /\.pub$/];

/** Matched against the end of the path. */
const SECRET_PATHS: readonly RegExp[] = [
  /(^|\/)\.aws\/credentials$/,
  /(^|\/)\.docker\/config\.json$/,
  /(^|\/)\.kube\/config$/,
];

export function looksLikeSecret(path: string): boolean {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  if (HARMLESS_NAMES.some((pattern) => pattern.test(name))) return false;
  return SECRET_NAMES.some((pattern) => pattern.test(name)) || SECRET_PATHS.some((pattern) => pattern.test(lower));
}

/** What the file system says about a changed path: gone ones are staged as deletions. */
export async function canBeCommitted(path: Buffer, isRoot: boolean): Promise<boolean> {
  const found = await lstat(path).catch(({ code }: NodeJS.ErrnoException) => code ?? "");
  // Nothing there, or a file where its folder was: gone. Whatever else is said, it may well be there.
  if (typeof found === "string") return found === "ENOENT" || found === "ENOTDIR";
  if (found.isSymbolicLink() || found.isDirectory()) return true;
  if (!found.isFile() || found.size > BIG_FILE_BYTES) return false;
  return (
    isRoot ||
    access(path, constants.R_OK).then(
      () => true,
      () => false,
    )
  );
}
