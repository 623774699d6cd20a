/**
 * The only place that starts git. Argument lists, never a shell; an allow-listed environment; no terminal, no pager, no
 * question (R8); output, time and abort are bounded. It decides nothing about what git is asked.
 * Order not to break: a call that is over its limit gets SIGTERM first, so that git removes its own lock files, then SIGKILL.
 */
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { Socket } from "node:net";
import { gitEnvironment } from "./git-environment";
import { GIT_MISSING_SENTENCE, GitProblem, type LimitKind, lastWords, limitProblem, wordsOf } from "./git-problem";
import { Silence } from "./silence";

/** A look at refs or config. */
export const READ_LIMIT_MS = 15_000;
/** A write that touches few files: refs, registrations, config. */
export const WRITE_LIMIT_MS = 60_000;
/** One step that walks a whole tree of the user: status, staging, diff. */
export const TREE_LIMIT_MS = 50_000;

const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;
const STDERR_KEPT_BYTES = 64 * 1024;
/** Of what git told, to see how far it is. */
const TOLD_KEPT_CHARS = 300;
const TERM_GRACE_MS = 2_000;
/** After git's exit a grandchild may hold the pipes; so long without a byte and we stop listening. */
const PIPE_GRACE_MS = 300;

const ALWAYS_CONFIGURED = [
  "-c",
  "protocol.ext.allow=never",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "advice.detachedHead=false",
];

/** Users' hooks do not run for what is only our bookkeeping. */
export const WITHOUT_HOOKS = ["-c", "core.hooksPath=/dev/null"] as const;

/** What git writes survives a power cut, too. Costs about a millisecond per object, so not for thousands of files. */
export const DURABLE = ["-c", "core.fsync=committed,loose-object", "-c", "core.fsyncMethod=batch"] as const;

/** As a person's own checkout would: files of Git LFS are files there, not pointers. */
export const AS_A_PERSON = { GIT_LFS_SKIP_SMUDGE: "0" } as const;

export interface GitCall {
  /** Where git is asked (`-C`); null for calls that belong to no folder. */
  readonly at: string | null;
  /** Options before the verb, such as WITHOUT_HOOKS. */
  readonly options?: readonly string[];
  /** The verb and what follows. Paths stand behind `--`. */
  readonly args: readonly string[];
  readonly limitMs: number;
  /** Of calls that wait for another machine: so long without a word and git is ended, before its limit. */
  readonly silenceLimitMs?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** For programs that git starts, on descriptor 3: in no argument, environment or file. */
  readonly handed?: string;
  readonly signal?: AbortSignal;
  /** Takes stdout instead of collecting it; returning false ends git, which then counts as ended well. */
  readonly onStdout?: (chunk: Buffer) => boolean;
  /** git's progress and messages, line by line, credentials masked. */
  readonly onStderrLine?: (line: string) => void;
}

export interface GitEnd {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Asks git; a code other than 0 is an error. */
export async function git(call: GitCall): Promise<GitEnd> {
  const end = await tryGit(call);
  if (end.code === 0) return end;
  const verb = call.args[0] ?? "";
  const words = lastWords(end.stderr) || `it ended with code ${end.code}`;
  throw new GitProblem("failed", verb, end.code, end.stderr, `git ${verb} failed: ${words}`);
}

/** Asks git; stdout without the last line end. */
export async function gitLine(call: GitCall): Promise<string> {
  return (await git(call)).stdout.toString("utf8").replace(/\r?\n$/, "");
}

/** Asks git; any exit code is an answer. Throws when git is missing, too slow, too loud, or the call was aborted. */
export function tryGit(call: GitCall): Promise<GitEnd> {
  call.signal?.throwIfAborted();
  return new Promise((resolve, reject) => new GitRun(call, resolve, reject));
}

/** One run of git from start to end. Settles exactly once. */
class GitRun {
  private readonly child: ChildProcess;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private stderr = "";
  private pendingLine = "";
  private isSettled = false;
  private stoppedBy: Error | "consumer" | null = null;
  private exitCode: number | null = null;
  private readonly limitTimer: NodeJS.Timeout;
  private readonly silence: Silence | null;
  private killTimer: NodeJS.Timeout | null = null;
  private pipeTimer: NodeJS.Timeout | null = null;
  private readonly onAbort = () => this.stop(abortReason(this.call.signal));

  constructor(
    private readonly call: GitCall,
    private readonly resolve: (end: GitEnd) => void,
    private readonly reject: (reason: Error) => void,
  ) {
    const place = call.at === null ? [] : ["-C", call.at];
    const argv = ["--no-pager", ...place, ...ALWAYS_CONFIGURED, ...(call.options ?? []), ...call.args];
    const stdin = call.stdin === undefined ? "ignore" : "pipe";
    // A process group of its own: no terminal to hang on, and the hooks end with git.
    const stdio: StdioOptions = [stdin, "pipe", "pipe", ...(call.handed === undefined ? [] : ["pipe" as const])];
    this.child = spawn("git", argv, {
      cwd: "/",
      env: gitEnvironment(call.environment) as NodeJS.ProcessEnv,
      stdio,
      detached: true,
    });
    this.limitTimer = setTimeout(() => this.stopAt("time-limit", call.limitMs), call.limitMs);
    const { silenceLimitMs } = call;
    this.silence =
      silenceLimitMs === undefined ? null : new Silence(silenceLimitMs, () => this.stopAt("silent", silenceLimitMs));
    call.signal?.addEventListener("abort", this.onAbort, { once: true });
    this.listen();
  }

  private listen(): void {
    this.child.on("error", (error) => this.settle(this.couldNotStart(error)));
    const pipe = this.child.stdio[3];
    const handed = pipe instanceof Socket ? pipe : null;
    handed?.on("error", () => undefined); // nobody need read it
    handed?.end(this.call.handed ?? "");
    this.child.on("exit", (code, signal) => {
      handed?.destroy();
      this.exitCode = code ?? (signal === null ? -1 : 128);
      this.watchPipes();
    });
    this.child.on("close", () => this.settle(null));
    this.child.stdout?.on("data", (chunk: Buffer) => this.takeStdout(chunk));
    this.child.stderr?.on("data", (chunk: Buffer) => this.takeStderr(chunk));
    if (this.child.stdin) {
      this.child.stdin.on("error", () => undefined); // git may end before it has read everything; its code tells why
      this.child.stdin.end(this.call.stdin);
    }
  }

  private takeStdout(chunk: Buffer): void {
    this.watchPipes();
    if (this.stoppedBy !== null) return;
    if (this.call.onStdout) {
      if (!this.call.onStdout(chunk)) this.stop("consumer");
      return;
    }
    this.bytes += chunk.length;
    if (this.bytes > OUTPUT_LIMIT_BYTES) this.stopAt("output-limit", OUTPUT_LIMIT_BYTES);
    else this.chunks.push(chunk);
  }

  private takeStderr(chunk: Buffer): void {
    this.watchPipes();
    const text = chunk.toString("utf8");
    this.stderr = (this.stderr + text).slice(-STDERR_KEPT_BYTES);
    this.silence?.heard(this.stderr.slice(-TOLD_KEPT_CHARS));
    if (!this.call.onStderrLine) return;
    const lines = (this.pendingLine + text).split(/[\r\n]+/);
    this.pendingLine = (lines.pop() ?? "").slice(-STDERR_KEPT_BYTES);
    for (const line of lines.map((one) => wordsOf(one).trim())) if (line !== "") this.call.onStderrLine(line);
  }

  /**
   * Once git is over, only bytes keep us listening. A busy process runs the timer late and before it looks at the pipes: what
   * lies in them is read between the timer and the immediate, and then counts as heard.
   */
  private watchPipes(): void {
    if (this.exitCode === null) return;
    if (this.pipeTimer) clearTimeout(this.pipeTimer);
    const timer = setTimeout(() => setImmediate(() => this.pipeTimer === timer && this.settle(null)), PIPE_GRACE_MS);
    this.pipeTimer = timer;
  }

  private stop(why: Error | "consumer"): void {
    if (this.stoppedBy !== null || this.isSettled) return;
    this.stoppedBy = why;
    signalGroup(this.child.pid, "SIGTERM");
    this.killTimer = setTimeout(() => {
      signalGroup(this.child.pid, "SIGKILL");
      this.settle(null); // a process in an uninterruptible wait does not hold us
    }, TERM_GRACE_MS);
  }

  private settle(error: Error | null): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.silence?.end();
    for (const timer of [this.limitTimer, this.killTimer, this.pipeTimer]) if (timer) clearTimeout(timer);
    if (this.stoppedBy !== null) signalGroup(this.child.pid, "SIGKILL"); // what ignored SIGTERM after its leader left
    this.call.signal?.removeEventListener("abort", this.onAbort);
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    const failure = error ?? (this.stoppedBy instanceof Error ? this.stoppedBy : null);
    if (failure) {
      this.reject(failure);
      return;
    }
    const code = this.stoppedBy === "consumer" ? 0 : (this.exitCode ?? -1);
    this.resolve({ code, stdout: Buffer.concat(this.chunks), stderr: wordsOf(this.stderr) });
  }

  private couldNotStart(error: Error): Error {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") return error;
    return new GitProblem("missing", this.verb, -1, "", GIT_MISSING_SENTENCE);
  }

  /** `limit`: in ms, for the output in bytes. */
  private stopAt(kind: LimitKind, limit: number): void {
    this.stop(limitProblem(kind, limit, this.verb, this.stderr));
  }

  private get verb(): string {
    return this.call.args[0] ?? "";
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is already over.
  }
}

function abortReason(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error("The call was aborted.");
}
