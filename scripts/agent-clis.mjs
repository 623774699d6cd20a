/**
 * The real agents of the tests: Claude Code, Codex and Gemini CLI, at the versions the drivers were tested with, installed once
 * into a folder of the user's cache (about 0.9 GB) and never into the repository. No account is needed: the tests let them
 * speak with a model server of their own. Node built-ins only.
 *
 * `CAMELOT_WITHOUT_AGENTS=1` leaves these tests out, and `npm test` then says so in its last line.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Refusal, runScript } from "./refusal.mjs";

const VERSIONS = {
  "@anthropic-ai/claude-code": "2.1.332",
  "@openai/codex": "0.171.0",
  "@google/gemini-cli": "0.61.0",
};
const PROGRAMS = ["claude", "codex", "gemini"];
const INSTALL_WITHIN_MS = 10 * 60_000;

export const IS_WITHOUT_AGENTS = process.env.CAMELOT_WITHOUT_AGENTS === "1";

/** The folder that holds the programs `claude`, `codex` and `gemini`; installs them when they are not there. */
export function ensureAgentClis() {
  const folder = cacheFolder();
  const bin = path.join(folder, "node_modules", ".bin");
  if (!isComplete(bin)) install(folder);
  if (!isComplete(bin)) throw new Refusal(`The agents of the tests could not be installed into ${folder}.`);
  return bin;
}

function cacheFolder() {
  const versions = createHash("sha256").update(JSON.stringify(VERSIONS)).digest("hex").slice(0, 12);
  const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache");
  return path.join(cache, "camelot", "agent-clis", versions);
}

function isComplete(bin) {
  return PROGRAMS.every((name) => fs.existsSync(path.join(bin, name)));
}

/** Beside first and then renamed, so that a broken-off install is no install, and two at a time do no harm. */
function install(folder) {
  console.log("Installing Claude Code, Codex and Gemini CLI for the tests …");
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const draft = fs.mkdtempSync(`${folder}.`);
  const dependencies = VERSIONS;
  fs.writeFileSync(path.join(draft, "package.json"), JSON.stringify({ private: true, dependencies }));
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", "--engine-strict=false"];
  const { status } = spawnSync("npm", args, { cwd: draft, stdio: "inherit", timeout: INSTALL_WITHIN_MS });
  try {
    if (status !== 0) {
      throw new Refusal(
        "The tests with real agents need npm to reach its registry once; CAMELOT_WITHOUT_AGENTS=1 leaves them out.",
      );
    }
    fs.renameSync(draft, folder);
  } catch (error) {
    if (error instanceof Refusal || !fs.existsSync(folder)) throw error;
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runScript(() => console.log(ensureAgentClis()));
}
