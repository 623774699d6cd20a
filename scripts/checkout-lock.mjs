/**
 * One install or build at a time on a checkout: two would tear node_modules out of each other's hands. The holder is known
 * by pid and start time, so the lock of a killed one is void. Node built-ins only.
 */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "./refusal.mjs";
import { ROOT } from "./stamps.mjs";

const FOLDER = path.join(ROOT, ".camelot-build");
const POLL_MS = 200;

/** `folder` is where the lock lies; another one than the checkout's is for tests. */
export async function withCheckoutLock(work, folder = FOLDER) {
  const lock = path.join(folder, "lock");
  await takeLock(folder, lock);
  try {
    return await work();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

async function takeLock(folder, lock) {
  const mine = `${process.pid} ${startTimeOf(process.pid)}`;
  const draft = path.join(folder, randomBytes(8).toString("hex"));
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.accessSync(path.dirname(folder), fs.constants.W_OK);
    fs.writeFileSync(draft, mine);
  } catch {
    throw new Refusal(
      `Something has to be installed or built, but this user cannot write to ${ROOT}: let its owner run "npm start" once, or use a checkout of your own.`,
    );
  }
  try {
    for (let told = false; !linked(draft, lock); told = true) {
      const holder = livingHolder(lock);
      if (holder === null) continue;
      if (!told) console.log(`Process ${holder} is installing or building here; waiting for it.`);
      await sleep(POLL_MS);
    }
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** A link appears whole or not at all, so nobody reads a half-written lock. */
function linked(draft, lock) {
  try {
    fs.linkSync(draft, lock);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** The pid that holds the lock; null when nobody does, after clearing away what a dead one left. */
function livingHolder(lock) {
  const written = readIfThere(lock);
  if (written === null) return null;
  const [pid, ...start] = written.split(" ");
  if (startTimeOf(Number(pid)) === start.join(" ")) return pid;
  const aside = `${lock}.${randomBytes(8).toString("hex")}`;
  try {
    fs.renameSync(lock, aside);
  } catch {
    return null;
  }
  // Between the look and the rename somebody else may have cleared it away and locked: give that one its lock back.
  if (readIfThere(aside) !== written) linked(aside, lock);
  fs.rmSync(aside, { force: true });
  return null;
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function startTimeOf(pid) {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat !== null) return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  if (process.platform === "linux") return null;
  return spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim() || null;
}
