/** The browser of the end-to-end tests: found, or installed where that may be done, or a sentence that says what to do. */
import { spawnSync } from "node:child_process";
import { findChromium } from "./chromium.mjs";
import { Refusal } from "./refusal.mjs";

export function ensureBrowser() {
  if (findChromium() !== null) return;
  if (process.env.CHROMIUM_PATH) {
    throw new Refusal(`CHROMIUM_PATH: ${process.env.CHROMIUM_PATH} is not a program.`);
  }
  if (process.getuid?.() === 0 && apt(["update"]) && apt(["install", "-y", "--no-install-recommends", "chromium"])) {
    if (findChromium() !== null) return;
  }
  throw new Refusal(
    "The end-to-end tests need a Chromium: install one (apt-get install chromium), or set CHROMIUM_PATH to it.",
  );
}

function apt(args) {
  console.log(`apt-get ${args.join(" ")} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", args, { env, stdio: ["ignore", "ignore", "inherit"] }).status === 0;
}
