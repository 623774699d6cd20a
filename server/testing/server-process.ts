/**
 * The whole server as a process of its own, for tests of how it starts, serves and leaves: bundled once per test file, on a
 * free port, with a data directory that goes with it. Needs no built pages. Ends only what it started.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { waitFor } from "./wait-for";

const ROOT = path.resolve(import.meta.dirname, "../..");

export interface ServerBundle {
  readonly path: string;
  remove(): void;
}

/** Below node_modules, so that it finds its packages. */
export async function bundleServer(): Promise<ServerBundle> {
  const file = path.join(ROOT, "node_modules", ".cache", `camelot-test-${randomUUID()}.mjs`);
  const options = { bundle: true, platform: "node", format: "esm", target: "node20", packages: "external" } as const;
  await build({ entryPoints: [path.join(ROOT, "server", "main.ts")], outfile: file, logLevel: "error", ...options });
  // The host of these sources, in one step: a server that runs may be starting one from the former file.
  const draft = path.join(ROOT, "dist", `host.${randomUUID()}.mjs`);
  const host = { entryPoints: [path.join(ROOT, "server", "runner", "host", "main.ts")], outfile: draft };
  await build({ ...options, ...host, packages: "bundle" });
  renameSync(draft, path.join(ROOT, "dist", "host.mjs"));
  return { path: file, remove: () => rmSync(file, { force: true }) };
}

export class ServerProcess {
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  stdout = "";
  stderr = "";

  constructor(bundle: ServerBundle, environment: Record<string, string>) {
    this.child = spawn(process.execPath, [bundle.path], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: process.env.HOME ?? "/",
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
        CAMELOT_TEST_HOOKS: "1",
        LOG_LEVEL: "warn",
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout?.on("data", (chunk) => {
      this.stdout += chunk;
    });
    this.child.stderr?.on("data", (chunk) => {
      this.stderr += chunk;
    });
    this.exit = new Promise((resolve) => this.child.once("close", (code) => resolve(code)));
  }

  /** Resolves with the address once it is served. */
  served(): Promise<string> {
    return waitFor(
      () => {
        if (this.child.exitCode !== null) throw new Error(`it left with ${this.child.exitCode}: ${this.stderr}`);
        return /served at (\S+)\n/.exec(this.stdout)?.[1];
      },
      "the server to serve",
      120_000,
    );
  }

  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.exit;
  }
}

export function temporaryDataDir(): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), "camelot-server-"));
  // Passable: the embedded database may run as another user.
  chmodSync(folder, 0o711);
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}
