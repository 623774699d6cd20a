/**
 * Mends packages as soon as npm has installed them: `patches/NAME@VERSION.patch`, made with `git diff --no-prefix` inside of the
 * package, is applied once, and says why at its top. Another version of the package is refused: somebody has to look whether the
 * mend is still needed. Runs after `npm ci`, with Node built-ins and git only.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { Refusal, runScript } from "./refusal.mjs";
import { ROOT } from "./stamps.mjs";

const PATCHES = path.join(ROOT, "patches");

await runScript(() => {
  for (const file of fs.readdirSync(PATCHES)) mend(file);
});

/** @param {string} file `NAME@VERSION.patch` */
function mend(file) {
  const [, name = "", version = ""] = /^(.+)@([^@]+)\.patch$/.exec(file) ?? [];
  // Its real place: git applies nothing through a symbolic link, and node_modules may be one.
  const folder = fs.realpathSync(path.join(ROOT, "node_modules", name));
  const installed = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")).version;
  if (installed !== version) {
    throw new Refusal(`patches/${file} is for ${name} ${version}, and ${installed} is installed: is it still needed?`);
  }
  if (apply(folder, file, "--check", "--reverse") === null) return;
  const mistake = apply(folder, file);
  if (mistake !== null) throw new Refusal(`patches/${file} could not be applied: ${mistake}`);
}

/** What git has against it, or null. */
function apply(folder, file, ...flags) {
  // Nothing above the package is looked at: the checkout ignores node_modules, and may lie in another repository.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(folder), GIT_DIR: undefined };
  const args = ["apply", "-p0", ...flags, path.join(PATCHES, file)];
  const { status, stderr, error } = spawnSync("git", args, { cwd: folder, encoding: "utf8", env });
  if (status === 0) return null;
  return error?.message ?? stderr.trim();
}
