/**
 * Logins of clone addresses. They stand in no address, no argument, no config and no environment: only in a file of their own
 * (0600) beside the clones, which a small program reads when git asks. It answers for the one host they belong to, so a
 * redirect elsewhere gets nothing. The user's credential helpers are left out then, so they do not learn the login.
 */
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Credentials } from "./clone-url";
import { exists } from "./places";

/** git calls it with its question, such as `Password for 'https://user@host': `. Lines of the file: host, user, password. */
const ASK_PASS = `#!/bin/sh
{ IFS= read -r host && IFS= read -r user && IFS= read -r password; } < "$CAMELOT_CREDENTIALS" || exit 1
case "$1" in
  *"//$host': "|*"@$host': ") ;;
  *) exit 1 ;;
esac
case "$1" in
  Username*) printf '%s\\n' "$user" ;;
  Password*) printf '%s\\n' "$password" ;;
  *) exit 1 ;;
esac
`;

export interface GitLogin {
  readonly options: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const NO_LOGIN: GitLogin = { options: [], environment: {} };

/** Stores a login, or removes a former one. */
export async function keepCredentials(file: string, credentials: Credentials | null): Promise<void> {
  if (credentials === null) return rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const lines = [credentials.host, credentials.user, credentials.password];
  await writeFile(`${file}.next`, `${lines.join("\n")}\n`, { mode: 0o600 });
  await rename(`${file}.next`, file);
}

/** What a call of git needs to use the stored login; nothing when there is none. */
export async function loginFor(file: string): Promise<GitLogin> {
  if (!(await exists(file))) return NO_LOGIN;
  const program = join(dirname(file), "ask-pass.sh");
  if ((await readFile(program, "utf8").catch(() => "")) !== ASK_PASS) {
    await writeFile(`${program}.${process.pid}`, ASK_PASS, { mode: 0o700 });
    await chmod(`${program}.${process.pid}`, 0o700);
    await rename(`${program}.${process.pid}`, program);
  }
  return { options: ["-c", "credential.helper="], environment: { GIT_ASKPASS: program, CAMELOT_CREDENTIALS: file } };
}
