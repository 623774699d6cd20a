/**
 * Whether node_modules and the build belong to what lies in the checkout now. A stamp is the hash of everything a step
 * depends on, written when the step is done. Node built-ins only.
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const NODE_MAJOR = process.versions.node.split(".")[0];
const BUILD_INPUTS = [
  "app",
  "components",
  "server",
  "drizzle",
  "public",
  "next.config.ts",
  "postcss.config.mjs",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
  "patches",
  "scripts/build.mjs",
];
const NO_INPUT = /(\.(test|suite)\.tsx?|[\\/]testing)$/;

/** `done` is where the stamp is kept: inside what the step makes, so that it goes when that goes. */
export const INSTALL = { done: path.join(ROOT, "node_modules", ".camelot-stamp"), hash: hashOfInstall, makes: [] };
export const BUILD = {
  done: path.join(ROOT, "dist", ".camelot-stamp"),
  hash: hashOfBuild,
  makes: [path.join(ROOT, ".next", "BUILD_ID"), path.join(ROOT, "dist", "server.mjs")],
};

export function isFresh(step) {
  try {
    return step.makes.every((file) => fs.existsSync(file)) && fs.readFileSync(step.done, "utf8") === step.hash();
  } catch {
    return false;
  }
}

function hashOfInstall() {
  const hash = createHash("sha256").update(`${NODE_MAJOR} ${process.platform} ${process.arch}`);
  for (const name of ["package.json", "package-lock.json", "patches"]) addToHash(hash, name);
  return hash.digest("hex");
}

function hashOfBuild() {
  const hash = createHash("sha256").update(NODE_MAJOR);
  for (const name of BUILD_INPUTS) addToHash(hash, name);
  return hash.digest("hex");
}

function addToHash(hash, name) {
  const file = path.join(ROOT, name);
  const found = fs.statSync(file, { throwIfNoEntry: false });
  if (!found || NO_INPUT.test(name)) return;
  if (found.isDirectory()) for (const entry of fs.readdirSync(file).sort()) addToHash(hash, path.join(name, entry));
  else hash.update(`\0${name}\0`).update(fs.readFileSync(file));
}
