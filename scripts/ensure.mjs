/**
 * Makes a checkout ready: checks the tools, installs node_modules, builds. Does only what is out of date, so the second
 * time it costs a fraction of a second. Node built-ins only, because it runs before anything is installed.
 */
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { withCheckoutLock } from "./checkout-lock.mjs";
import { Refusal } from "./refusal.mjs";
import { BUILD, INSTALL, isFresh, ROOT } from "./stamps.mjs";

const NODE_LEAST = [20, 19];
const GIT_LEAST = [2, 38];
/** Between two signs of life while somebody waits for an install or a build. */
const SIGN_EVERY_MS = 15_000;

/** `build: false` installs only. Throws a Refusal when a person has to do something first. */
export async function ensure({ build }) {
  checkTools();
  if (!isFresh(INSTALL)) await withCheckoutLock(() => isFresh(INSTALL) || install());
  if (build && !isFresh(BUILD)) await withCheckoutLock(() => isFresh(BUILD) || buildAll());
}

/** @param {Record<string, string | undefined>} env */
export function checkTools(env = process.env, nodeVersion = process.versions.node) {
  if (!isAtLeast(nodeVersion, NODE_LEAST)) {
    throw new Refusal(
      `Camelot needs Node ${NODE_LEAST.join(".")} or newer, this is ${nodeVersion}: install a newer one from https://nodejs.org.`,
    );
  }
  const git = versionOf("git", env);
  if (git === null)
    throw new Refusal("Camelot needs git, which is not installed (or not on PATH): install it, then start again.");
  if (!isAtLeast(git, GIT_LEAST))
    throw new Refusal(`Camelot needs git ${GIT_LEAST.join(".")} or newer, this is ${git}: install a newer one.`);
  if (versionOf("bash", env) === null) {
    throw new Refusal("Camelot needs bash, which is not installed (or not on PATH): install it, then start again.");
  }
}

function versionOf(program, env) {
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8", env });
  if (status !== 0) return null;
  return /\d+\.\d+(\.\d+)?/.exec(stdout)?.[0] ?? null;
}

function isAtLeast(version, [major, minor]) {
  const [a = 0, b = 0] = version.split(".").map(Number);
  return a > major || (a === major && b >= minor);
}

async function install() {
  fs.rmSync(INSTALL.done, { force: true });
  // Dev packages always: they build and test. NODE_ENV=production would drop them.
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--prefer-offline"];
  const npm = process.env.npm_execpath ?? "";
  const isNpm = /npm-cli\.c?js$/.test(npm);
  const installing = () => run(isNpm ? process.execPath : "npm", isNpm ? [npm, ...args] : args);
  const code = await withSigns("Installing packages", installing);
  if (code !== 0) {
    throw new Refusal(
      "Installing the packages failed, see above: the npm registry has to be reachable for the first start.",
    );
  }
  fs.writeFileSync(INSTALL.done, INSTALL.hash());
}

async function buildAll() {
  fs.rmSync(BUILD.done, { force: true });
  // Before the build, so that a file changed meanwhile leads to another build next time.
  const hash = BUILD.hash();
  const { buildCamelot } = await import("./build.mjs");
  await withSigns("Building", buildCamelot);
  fs.writeFileSync(BUILD.done, hash);
}

/** Says what is done, and then how long it has taken so far. */
async function withSigns(what, work) {
  console.log(`${what} …`);
  const began = Date.now();
  const sign = () => console.log(`${what} … ${Math.round((Date.now() - began) / 1000)} s`);
  const timer = setInterval(sign, SIGN_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

function run(program, args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, stdio: "inherit" });
    child.once("error", () => resolve(1));
    child.once("exit", resolve);
  });
}
