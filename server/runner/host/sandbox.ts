/**
 * Agents in bubblewrap, where the machine lets us (R7): a process namespace of their own, so that nothing they start outlives
 * them; the disk to be read only, but for the worktree, its repository's git directory and a /tmp of their own; the data
 * directory (the installation's secret, other projects, the database) not there at all. The network stays open. Against
 * accidents, not against malice: whoever writes to a git directory can make git run something later.
 *
 * The variables travel in a file without a name, not on the command line, which every user of the machine can read.
 */
import { execFile } from "node:child_process";
import { closeSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { promisify } from "node:util";
import { isOnPath, type Launched, type LaunchRequest, launch, notInstalled } from "./launch";
import { MARK_VARIABLE } from "./process-table";
import { dataDirOf, openNamelessFile } from "./run-folder";

const PROGRAM = "bwrap";
const ARGUMENTS_FD = 3;
const PROBE_LIMIT_MS = 5_000;

/** Without what differs from run to run: what the machine has to be able to do. */
const ALWAYS: readonly string[] = [
  ...["--unshare-pid", "--unshare-ipc", "--die-with-parent", "--cap-drop", "ALL"],
  ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"],
];

/** Null: it works here. Otherwise one sentence saying why not. */
export async function sandboxProblem(): Promise<string | null> {
  const program = await findProgram();
  if (program === null) return "bubblewrap (bwrap) is not installed.";
  try {
    await promisify(execFile)(program, [...ALWAYS, "true"], { timeout: PROBE_LIMIT_MS });
    return null;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split("\n")[0];
    return `bubblewrap does not work on this machine: ${said || "it did not answer in time"}.`;
  }
}

export async function launchSandboxed(folder: string, request: LaunchRequest): Promise<Launched> {
  const program = await findProgram();
  if (program === null) return failed("bubblewrap (bwrap) is not installed, and this agent runs in its sandbox only.");
  const [agent = ""] = request.argv;
  const { environment, cwd, hasOwnPath } = request;
  // Inside, this would be an exit code like any other.
  if (!(await isThere(agent, cwd, environment.PATH ?? ""))) return failed(notInstalled(agent, hasOwnPath));
  const given = [...ALWAYS, ...(await ownArguments(folder, cwd)), ...variables(environment)];
  const fd = await openNamelessFile(folder, "sandbox", given.map((word) => `${word}\0`).join(""));
  try {
    const argv = [program, "--args", String(ARGUMENTS_FD), "--", ...request.argv];
    // bubblewrap itself is outside: it gets what finds its tree, and nothing that a project can set.
    const outside = { PATH: process.env.PATH ?? "", [MARK_VARIABLE]: environment[MARK_VARIABLE] ?? "" };
    return await launch({ ...request, argv, environment: outside, extraFd: fd });
  } finally {
    closeSync(fd);
  }
}

/** The data directory disappears first; what of it is needed is put back. */
async function ownArguments(folder: string, cwd: string): Promise<string[]> {
  const gitDirectory = await gitDirectoryOf(cwd);
  return [
    ...["--tmpfs", dataDirOf(folder), "--ro-bind", folder, folder],
    ...(gitDirectory === null ? [] : ["--bind", gitDirectory, gitDirectory]),
    ...["--bind", cwd, cwd, "--chdir", cwd],
  ];
}

function variables(environment: Readonly<Record<string, string>>): string[] {
  const given = Object.entries({ ...environment, TMPDIR: "/tmp" });
  return ["--clearenv", ...given.flatMap(([name, value]) => ["--setenv", name, value])];
}

/** Where a worktree's objects and branches are kept: two small files lead there. Null: it is no worktree. */
async function gitDirectoryOf(cwd: string): Promise<string | null> {
  const own = /^gitdir: (.+)$/m.exec(await readText(join(cwd, ".git")))?.[1];
  if (own === undefined) return null;
  const directory = resolve(cwd, own);
  const common = (await readText(join(directory, "commondir"))).trim();
  return common === "" ? directory : resolve(directory, common);
}

function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}

async function isThere(program: string, cwd: string, path: string): Promise<boolean> {
  if (!program.includes("/")) return isOnPath(program, path);
  const absolute = isAbsolute(program) ? program : resolve(cwd, program);
  return stat(absolute).then(
    () => true,
    () => false,
  );
}

/** By the host's own PATH: a project may set another one for its agents. */
async function findProgram(): Promise<string | null> {
  for (const folder of (process.env.PATH ?? "").split(delimiter).filter(isAbsolute)) {
    const found = await stat(join(folder, PROGRAM)).catch(() => null);
    if (found?.isFile()) return join(folder, PROGRAM);
  }
  return null;
}

function failed(message: string): Launched {
  return { kind: "failed", message };
}
