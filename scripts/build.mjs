/**
 * The build: Next's pages into .next, and three programs into dist. `server.mjs` and `stop-agents.mjs` use node_modules;
 * `host.mjs` is whole in itself, because it is copied beside a running agent and outlives releases.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { Refusal } from "./refusal.mjs";
import { ROOT } from "./stamps.mjs";

const PROGRAMS = [
  { from: "server/main.ts", to: "dist/server.mjs", isWhole: false },
  { from: "server/stop-agents.ts", to: "dist/stop-agents.mjs", isWhole: false },
  { from: "server/runner/host/main.ts", to: "dist/host.mjs", isWhole: true },
];

export async function buildCamelot() {
  await Promise.all([buildPages(), buildPrograms()]);
}

/** `names`: only these files of dist, by default all. */
export async function buildPrograms(names = PROGRAMS.map(({ to }) => path.basename(to))) {
  fs.mkdirSync(path.join(ROOT, "dist"), { recursive: true });
  await Promise.all(PROGRAMS.filter(({ to }) => names.includes(path.basename(to))).map(buildProgram));
}

/** Written beside and renamed: a server that runs may be starting a host from the former file. */
async function buildProgram({ from, to, isWhole }) {
  const draft = `${to}.new`;
  await build({
    absWorkingDir: ROOT,
    entryPoints: [from],
    outfile: draft,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "warning",
    ...(isWhole ? {} : { packages: "external" }),
  });
  fs.renameSync(path.join(ROOT, draft), path.join(ROOT, to));
}

async function buildPages() {
  const next = path.join(ROOT, "node_modules", "next", "dist", "bin", "next");
  const child = spawn(process.execPath, [next, "build"], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      said = (said + chunk).slice(-20_000);
    });
  }
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code === 0) return;
  console.error(said);
  throw new Refusal("Building the pages failed, see above.");
}
