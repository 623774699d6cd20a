/** `npm run chaos`: makes the checkout ready, then lets chaos/ kill what it starts itself and prove what became of it. */
import { spawn } from "node:child_process";
import { ensure } from "./ensure.mjs";
import { runScript } from "./refusal.mjs";
import { ROOT } from "./stamps.mjs";

await runScript(async () => {
  await ensure({ build: true });
  const args = ["--import", "tsx", "chaos/main.ts", ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
  // The terminal's Ctrl-C reaches the child by itself; we wait until it has ended what it started.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
});
