/** Runs a program of node_modules with our output, and tells how it ended. */
import { spawn } from "node:child_process";
import path from "node:path";
import { ROOT } from "./stamps.mjs";

/** The exit code; a signal counts as 1. */
export function runTool(name, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(path.join(ROOT, "node_modules", ".bin", name), args, {
      cwd: ROOT,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
