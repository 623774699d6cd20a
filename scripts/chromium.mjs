/**
 * Where the browser of the end-to-end tests is. Only looks; installing one is the business of the test script.
 * Node built-ins only: it runs before node_modules exists.
 */
import { accessSync, constants } from "node:fs";
import path from "node:path";

/** Without what needs a desktop, a graphics card or the network. */
export const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Path of a Chromium, or null. CHROMIUM_PATH goes first, then the usual names on PATH.
 * @param {Record<string, string | undefined>} env
 */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) return isExecutable(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : null;
  const folders = (env.PATH ?? "").split(path.delimiter).filter(Boolean);
  for (const name of NAMES) {
    for (const folder of folders) {
      const file = path.join(folder, name);
      if (isExecutable(file)) return file;
    }
  }
  return null;
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
