/**
 * `npm run bench`: makes the checkout ready, with the browser and the other job queues where they are measured, then lets bench/
 * measure. Those queues are no part of the product, so they are installed here and not with it.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { ensureBrowser } from "./browser.mjs";
import { ensure } from "./ensure.mjs";
import { Refusal, runScript } from "./refusal.mjs";
import { ROOT } from "./stamps.mjs";

const PEERS = path.join(ROOT, "bench", "peers");
const MAIN = ["--import", "tsx", "bench/main.ts", ...process.argv.slice(2)];

await runScript(async () => {
  await ensure({ build: true });
  const plan = spawnSync(process.execPath, [...MAIN, "--plan"], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (plan.status !== 0) {
    process.exitCode = 1;
    return;
  }
  const needs = JSON.parse(plan.stdout);
  if (needs.includes("browser")) ensureBrowser();
  if (needs.includes("peers")) ensurePeers();
  const child = spawn(process.execPath, MAIN, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
  // The terminal's Ctrl-C reaches the child by itself; we wait until it has ended what it started.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
});

function ensurePeers() {
  const stamp = path.join(PEERS, "node_modules", ".camelot-stamp");
  const lock = createHash("sha256")
    .update(fs.readFileSync(path.join(PEERS, "package-lock.json")))
    .digest("hex");
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === lock) return;
  console.log("Installing the queues to measure beside …");
  // Some of them name a newer Node than they need.
  const args = ["ci", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error", "--engine-strict=false"];
  const { status } = spawnSync("npm", args, { cwd: PEERS, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Refusal("Installing them failed, see above: the npm registry has to be reachable.");
  fs.writeFileSync(stamp, lock);
}
