/**
 * Logins of clone addresses. They stand in no address, no argument, no config and no environment: sealed in a file of their
 * own beside the clones, and open only in a pipe that git's own question reads from. The program that reads it answers for
 * the one host the login belongs to, so a redirect elsewhere gets nothing. The user's credential helpers are left out then,
 * so they do not learn the login.
 */
import { randomUUID } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { WorkspaceContext } from "../context";
import { WorkspaceProblem } from "../git/git-problem";
import type { Credentials } from "./clone-url";

/**
 * git calls it with its question, such as `Password for 'https://user@host': `. Three lines of descriptor 3 for each answer:
 * host, user, password.
 */
const ASK_PASS = `#!/bin/sh
{ IFS= read -r host && IFS= read -r user && IFS= read -r password; } <&3 || exit 1
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

/** One call of git asks twice; redirects and retries ask again. */
const ANSWERS = 16;
/** Of a file as it was written before logins were sealed: host, user, password. */
const PLAIN_LINES = 3;

export interface GitLogin {
  readonly options: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** For descriptor 3. */
  readonly handed?: string;
}

/** Stands where a password would, when the name is a token. */
const TOKEN_IN_NAME = "x-oauth-basic";

/** For people: what to do when the login was sealed with a secret that is not the installation's any more. */
const LOST_LOGIN =
  "The login of the repository's address cannot be read any more, because the installation's own secret is another one now: " +
  "an owner enters the address with its login again in the project's settings.";

const NO_LOGIN: GitLogin = { options: [], environment: {} };

type Keeping = Pick<WorkspaceContext, "seal" | "log">;

/** Stores a login, or removes a former one. */
export async function keepCredentials({ seal }: Keeping, file: string, credentials: Credentials | null): Promise<void> {
  if (credentials === null) return rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${seal.close(linesOf(credentials), aboutOf(file))}\n`, { mode: 0o600 });
  await rename(draft, file);
}

/** What a call of git needs to use the stored login; nothing when there is none. Throws `LOST_LOGIN` for people. */
export async function loginFor(keeping: Keeping, file: string): Promise<GitLogin> {
  const credentials = await readCredentials(keeping, file);
  if (credentials === "lost") throw new WorkspaceProblem(LOST_LOGIN);
  return loginWith(file, credentials);
}

/** Null: there is none, or it can be read. */
export async function lostLogin(keeping: Keeping, file: string): Promise<string | null> {
  return (await readCredentials(keeping, file)) === "lost" ? LOST_LOGIN : null;
}

/** As `loginFor`, of a login that is not stored (yet): `file` is where it would be. */
export async function loginWith(file: string, credentials: Credentials | null): Promise<GitLogin> {
  if (credentials === null) return NO_LOGIN;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  return {
    options: ["-c", "credential.helper="],
    environment: { GIT_ASKPASS: await askPassBeside(file) },
    handed: linesOf(credentials).repeat(ANSWERS),
  };
}

/** What of the stored login nobody may read: the password, or the name where that is what stands for one. */
export async function secretsOfLogin(keeping: Keeping, file: string): Promise<string[]> {
  const credentials = await readCredentials(keeping, file);
  if (credentials === null || credentials === "lost") return [];
  const { user, password } = credentials;
  return password === "" || password === TOKEN_IN_NAME ? [user] : [password];
}

/** Seals what an earlier release wrote down as it was. */
export async function sealPlainLogins(keeping: Keeping, folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => !one.includes("."))) {
    if ((await readCredentials(keeping, join(folder, name))) !== "lost") continue;
    keeping.log(`The login of the clone ${name} was sealed with another secret: it cannot be fetched any more.`);
  }
}

async function readCredentials(keeping: Keeping, file: string): Promise<Credentials | "lost" | null> {
  const kept = await readFile(file, "utf8").catch(() => null);
  if (kept === null) return null;
  if (kept.replace(/\n$/, "").split("\n").length === PLAIN_LINES) {
    const credentials = credentialsIn(kept);
    await keepCredentials(keeping, file, credentials);
    return credentials;
  }
  const opened = keeping.seal.open(kept.trim(), aboutOf(file));
  return opened === null ? "lost" : credentialsIn(opened);
}

async function askPassBeside(file: string): Promise<string> {
  const program = join(dirname(file), "ask-pass.sh");
  if ((await readFile(program, "utf8").catch(() => "")) !== ASK_PASS) {
    const draft = `${program}.${randomUUID()}`;
    await writeFile(draft, ASK_PASS, { mode: 0o700 });
    await chmod(draft, 0o700);
    await rename(draft, program);
  }
  return program;
}

function linesOf({ host, user, password }: Credentials): string {
  return `${[host, user, password].join("\n")}\n`;
}

function credentialsIn(lines: string): Credentials {
  const [host = "", user = "", password = ""] = lines.split("\n");
  return { host, user, password };
}

/** A login opens in its own project's file only. */
function aboutOf(file: string): string {
  return `login of the clone ${basename(file)}`;
}
