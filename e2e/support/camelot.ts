/**
 * A whole installation for one story: its own data directory, its own port, its own embedded Postgres, started the way
 * users start it. Ends only what it started: the server, the agents of its data directory, its database.
 */
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort } from "../../server/system/free-port";

const ROOT = path.resolve(import.meta.dirname, "../..");
const START_LIMIT_MS = 120_000;
const LEAVE_LIMIT_MS = 15_000;

export class Camelot {
  readonly dataDir: string;
  readonly port: number;
  readonly url: string;
  readonly environment: Record<string, string>;
  #server: ChildProcess | null = null;
  #printed = "";

  private constructor(dataDir: string, port: number, environment: Record<string, string>) {
    this.dataDir = dataDir;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.environment = environment;
  }

  static async start(environment: Record<string, string> = {}): Promise<Camelot> {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "camelot-e2e-"));
    fs.chmodSync(dataDir, 0o711);
    const camelot = new Camelot(dataDir, await freePort(), environment);
    try {
      await camelot.start();
    } catch (error) {
      // Nobody gets hold of it: it would run beside every story to come.
      await camelot.remove();
      throw error;
    }
    return camelot;
  }

  get printed(): string {
    return this.#printed;
  }

  get pid(): number {
    if (this.#server?.pid === undefined) throw new Error("The server is not running.");
    return this.#server.pid;
  }

  async start(): Promise<void> {
    const server = spawn(process.execPath, ["dist/server.mjs"], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: process.env.HOME ?? os.homedir(),
        NODE_ENV: "production",
        PORT: String(this.port),
        CAMELOT_DATA_DIR: this.dataDir,
        CAMELOT_TEST_HOOKS: "1",
        CAMELOT_TEST_RELAXED_LIMITS: "1",
        LOG_LEVEL: "warn",
        ...this.environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#server = server;
    server.stdout.on("data", (chunk) => this.#hear(chunk));
    server.stderr.on("data", (chunk) => this.#hear(chunk));
    const until = Date.now() + START_LIMIT_MS;
    while (!(await this.#isReady())) {
      if (server.exitCode !== null) throw new Error(`The server left with ${server.exitCode}:\n${this.#printed}`);
      if (Date.now() > until) throw new Error(`The server is not ready after ${START_LIMIT_MS} ms:\n${this.#printed}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** As when memory runs out or somebody pulls the plug: no goodbye. */
  async kill(): Promise<void> {
    await this.#leave("SIGKILL");
  }

  /** As Ctrl-C or a deploy: the server leaves, agents go on (R5). */
  async leave(): Promise<void> {
    await this.#leave("SIGTERM");
  }

  /** Everything ends: agents, server, database, files. */
  async remove(): Promise<void> {
    if (this.#server === null) await this.start();
    await run(process.execPath, [path.join(ROOT, "dist/stop-agents.mjs")], { CAMELOT_DATA_DIR: this.dataDir });
    await this.leave();
    fs.rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }

  #hear(chunk: Buffer): void {
    this.#printed = (this.#printed + chunk.toString("utf8")).slice(-20_000);
  }

  async #isReady(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/readyz`)).status === 200;
    } catch {
      return false;
    }
  }

  async #leave(signal: NodeJS.Signals): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const left = new Promise<void>((resolve) => server.once("exit", () => resolve()));
    server.kill(signal);
    const late = setTimeout(() => server.kill("SIGKILL"), LEAVE_LIMIT_MS);
    await left;
    clearTimeout(late);
  }
}

async function run(program: string, args: string[], environment: Record<string, string>): Promise<void> {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: process.env.HOME ?? os.homedir(),
      NODE_ENV: "production",
      ...environment,
    },
    stdio: "ignore",
  });
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}.`);
}
