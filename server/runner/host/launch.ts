/**
 * Starts one program of a run: the setup script or the agent. In a session and process group of its own, without a terminal,
 * with nothing open but stdin and the output pipe. A program that cannot be started is an answer with one plain sentence, not
 * an exception.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { type Identity, identifyChild } from "../../system/process-identity";
import { bornInside, type ControlGroup } from "./cgroup";
import { isErrorCode } from "./run-folder";

export interface LaunchRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** PATH in it is the project's own variable (A1). */
  readonly hasOwnPath: boolean;
  /** An open file, nothing to read at all, or `talk`: stdin and stdout are ours, for a conversation. */
  readonly stdinFd: number | null | "talk";
  readonly outputFd: number;
  /** One more open file, as number 3; for whoever starts the program, not for the program itself. */
  readonly extraFd?: number;
  readonly group: ControlGroup | null;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type Launched =
  | {
      readonly kind: "started";
      readonly identity: Identity | null;
      readonly exited: Promise<Exit>;
      /** Both only for a conversation. */
      readonly stdin: Writable | null;
      readonly stdout: Readable | null;
    }
  | { readonly kind: "failed"; readonly message: string };

export async function launch(request: LaunchRequest): Promise<Launched> {
  const isFolder = await stat(request.cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return { kind: "failed", message: `The folder to work in is not there: ${request.cwd}.` };
  try {
    return await settle(bornInside(request.group, () => spawnChild(request)));
  } catch (error) {
    return { kind: "failed", message: describeFailure(error, request) };
  }
}

function spawnChild(request: LaunchRequest): ChildProcess {
  const [program = "", ...args] = request.argv;
  return spawn(program, args, {
    cwd: request.cwd,
    env: request.environment as NodeJS.ProcessEnv,
    stdio: [
      ...(request.stdinFd === "talk"
        ? (["pipe", "pipe"] as const)
        : [request.stdinFd ?? ("ignore" as const), request.outputFd]),
      request.outputFd,
      ...(request.extraFd === undefined ? [] : [request.extraFd]),
    ],
    detached: true,
  });
}

function settle(child: ChildProcess): Promise<Launched> {
  return new Promise((resolve, reject) => {
    const exited = new Promise<Exit>((ended) => {
      child.once("exit", (code, signal) => ended({ code, signal, at: Date.now() }));
    });
    const identity = child.pid ? identifyChild(child.pid) : null;
    child.once("error", reject);
    child.once("spawn", () => resolve({ kind: "started", identity, exited, stdin: child.stdin, stdout: child.stdout }));
  });
}

function describeFailure(error: unknown, { argv: [program = ""], environment, hasOwnPath }: LaunchRequest): string {
  // A folder of the PATH that may not be looked into makes the system say "forbidden" for what is nowhere at all.
  const isNowhere =
    isErrorCode(error, "EACCES") && !program.includes("/") && !isOnPath(program, environment.PATH ?? "");
  if (isErrorCode(error, "ENOENT") || isNowhere) return notInstalled(program, hasOwnPath);
  if (isErrorCode(error, "EACCES", "EPERM")) return `${program} may not be run: it is not executable for this user.`;
  if (isErrorCode(error, "E2BIG")) {
    return "The command line is longer than this machine allows: pass the prompt on stdin or as a file.";
  }
  if (isErrorCode(error, "ERR_INVALID_ARG_VALUE"))
    return "The command line or a variable contains a character that no program can be given.";
  if (isErrorCode(error, "ENOEXEC")) return `${program} is not a program this machine can run.`;
  return `${program} could not be started: ${error instanceof Error ? error.message : String(error)}.`;
}

export function notInstalled(program: string, hasOwnPath: boolean): string {
  if (program.includes("/")) return `${program}, or the interpreter it names, is not installed.`;
  return hasOwnPath
    ? `${program} is not on the PATH that the project's own variable PATH sets: change that variable, or remove it.`
    : `${program} is not installed or not on the PATH.`;
}

export function isOnPath(program: string, path: string): boolean {
  return path.split(delimiter).some((folder) => existsSync(join(folder, program)));
}
