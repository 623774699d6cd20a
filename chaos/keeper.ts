/**
 * Keeps one server running as the parent of `npm start` does (scripts/supervise.mjs), only that it starts it again sooner and
 * can be told which signal to send. What the server says goes into a file.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const AGAIN_AFTER_MS = 100;
const LEAVE_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 20;

export interface ServerProgram {
  readonly path: string;
  /** Where it finds its pages and migrations. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
}

export class Keeper {
  readonly url: string;
  /** How it ended when nobody had killed it: exit code, or null for a signal. */
  readonly ownEndings: (number | null)[] = [];
  readonly #program: ServerProgram;
  readonly #log: number;
  #child: ChildProcess | null = null;
  #wasKilled = false;
  #isLeaving = false;
  starts = 0;

  constructor(program: ServerProgram, port: number, logFile: string) {
    this.#program = { ...program, environment: { ...program.environment, PORT: String(port) } };
    this.#log = openSync(logFile, "a");
    this.url = `http://127.0.0.1:${port}`;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  start(): void {
    this.starts += 1;
    this.#isLeaving = false;
    this.#wasKilled = false;
    const { path, root, environment } = this.#program;
    const child = spawn(process.execPath, [path], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
        ...environment,
      },
      stdio: ["ignore", this.#log, this.#log],
      // A Ctrl-C in the terminal is ours to deal with.
      detached: true,
    });
    this.#child = child;
    child.once("exit", (code) => {
      this.#child = null;
      if (this.#isLeaving) return;
      if (!this.#wasKilled) this.ownEndings.push(code);
      setTimeout(() => this.#isLeaving || this.start(), AGAIN_AFTER_MS);
    });
  }

  /** `kill -9`; waits for it to be there if it is just being started again. */
  async kill(signal: AbortSignal): Promise<void> {
    while (!this.#child) await sleep(LOOK_EVERY_MS, undefined, { signal });
    this.#wasKilled = true;
    const gone = new Promise((resolve) => this.#child?.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await gone;
  }

  send(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async isReady(): Promise<boolean> {
    const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    return answer?.status === 200;
  }

  /** For good; by force when it does not leave. */
  async stop(how: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    this.#isLeaving = true;
    const child = this.#child;
    if (!child) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGCONT");
    child.kill(how);
    const timer = setTimeout(() => child.kill("SIGKILL"), LEAVE_WITHIN_MS);
    await gone;
    clearTimeout(timer);
  }

  /** At once, for the last moment of our own process. */
  stopNow(): void {
    this.#isLeaving = true;
    this.#child?.kill("SIGKILL");
  }
}
