/**
 * Runs the server and starts it again when it dies (P18), with back-off. It knows nothing of what it runs but exit codes: 0
 * is a leave, 78 a refusal to start that another start would only repeat, all else a crash.
 *
 * The server runs in a process group of its own, so a Ctrl-C in the terminal reaches only us; we pass it on once. npm passes
 * it on too, so we may get it twice within milliseconds, which is still one Ctrl-C. A later one is passed on as well: it
 * ends the agents (R5).
 */
import { spawn } from "node:child_process";
import path from "node:path";
import { ROOT } from "./stamps.mjs";

/** The server has said in one sentence what is wrong, and starting it again would not help. */
const START_REFUSED_EXIT_CODE = 78;
const FIRST_WAIT_MS = 1_000;
const MOST_WAIT_MS = 30_000;
const STEADY_MS = 60_000;
const SAME_SIGNAL_MS = 300;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * npm puts folders of its own in front of the PATH: the programs of the checkout and of each folder above it, and its
 * node-gyp. Agents, which get the server's PATH, would find our tools before theirs.
 */
export function withoutNpmFolders(searchPath, checkout = ROOT) {
  const folders = searchPath.split(path.delimiter);
  const first = folders.findIndex((folder) => !isNpms(folder, checkout));
  return first === -1 ? searchPath : folders.slice(first).join(path.delimiter);
}

function isNpms(folder, checkout) {
  if (path.basename(folder) === "node-gyp-bin") return true;
  const owner = path.dirname(path.dirname(folder));
  const isPrograms = folder === path.join(owner, "node_modules", ".bin");
  return isPrograms && !path.relative(owner, checkout).startsWith("..");
}

/** Resolves with the exit code once the server has left for good. */
export function superviseServer({
  program,
  args,
  firstWaitMs = FIRST_WAIT_MS,
  steadyMs = STEADY_MS,
  log = console.error,
}) {
  return new Promise((resolve) => {
    let child = null;
    let restart = null;
    let isLeaving = false;
    let waitMs = firstWaitMs;
    let lastSignalAt = Number.NEGATIVE_INFINITY;

    const leave = (signal) => {
      if (performance.now() - lastSignalAt < SAME_SIGNAL_MS) return;
      lastSignalAt = performance.now();
      isLeaving = true;
      if (child) child.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
      else finish(0);
    };
    const finish = (code) => {
      clearTimeout(restart);
      for (const signal of SIGNALS) process.removeListener(signal, leave);
      resolve(code);
    };
    const start = () => {
      const startedAt = performance.now();
      child = spawn(program, args, {
        cwd: ROOT,
        env: {
          ...process.env,
          PATH: withoutNpmFolders(process.env.PATH ?? ""),
          NODE_ENV: "production",
          NEXT_TELEMETRY_DISABLED: "1",
        },
        stdio: "inherit",
        detached: true,
      });
      child.once("exit", (code, signal) => {
        child = null;
        if (isLeaving || code === 0 || code === START_REFUSED_EXIT_CODE) return finish(code ?? 0);
        if (performance.now() - startedAt > steadyMs) waitMs = firstWaitMs;
        log(`The server ended with ${signal ?? `code ${code}`}; starting it again in ${waitMs / 1000} s.`);
        restart = setTimeout(start, waitMs);
        waitMs = Math.min(waitMs * 2, MOST_WAIT_MS);
      });
    };
    for (const signal of SIGNALS) process.on(signal, leave);
    start();
  });
}
