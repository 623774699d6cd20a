/** `npm run dev`: installs, builds the session host, and runs the server from source; a change restarts it. */
import { spawn } from "node:child_process";
import path from "node:path";
import { ensure } from "./ensure.mjs";
import { runScript } from "./refusal.mjs";
import { ROOT } from "./stamps.mjs";

await runScript(async () => {
  await ensure({ build: false });
  const { buildPrograms } = await import("./build.mjs");
  await buildPrograms(["host.mjs"]);
  const tsx = path.join(ROOT, "node_modules", "tsx", "dist", "cli.mjs");
  const child = spawn(process.execPath, [tsx, "watch", "--clear-screen=false", "server/main.ts"], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "development", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: "inherit",
  });
  // The terminal's Ctrl-C reaches the child by itself; we only wait for it.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  process.exitCode = await new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 0)));
});
