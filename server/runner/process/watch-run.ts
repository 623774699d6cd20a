/**
 * Tells when an attempt's picture may have changed: the host claimed, output grew, it ended, the host died. Only ever a hint.
 * The watched folder reports at once; a slow look finds what is not reported (a host that was killed, a file system that
 * does not tell, a folder that was not there yet).
 */
import { type FSWatcher, watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { segmentOffset } from "../host/journal";
import { JOURNAL_HEAD_FILE } from "../host/run-folder";
import { readLife } from "./probe-run";

const LOOK_MS = 1_000;
/** How often a folder that is not there yet is tried: who watches before the start must not wait for the slow look. */
const ATTACH_MS = 50;
/** A fast agent writes thousands of times a second: hints are joined to at most one in this time. */
const JOIN_MS = 40;

export function watchRun(folder: string, changed: () => void): () => void {
  const hint = joined(changed);
  let watcher: FSWatcher | null = null;
  let picture = "";
  let isLooking = false;

  const attach = () => {
    if (watcher) return;
    try {
      watcher = watch(folder, { persistent: false }, hint.give);
      watcher.on("error", detach);
      void look();
    } catch {
      // Not there yet, or no more watches to be had: the look goes on.
    }
  };
  const detach = () => {
    watcher?.close();
    watcher = null;
  };
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    const now = await readPicture(folder).catch(() => "unreadable");
    if (now !== picture) hint.give();
    picture = now;
    isLooking = false;
  };

  const timers = [setInterval(() => void look(), LOOK_MS), setInterval(attach, ATTACH_MS)];
  for (const timer of timers) timer.unref();
  attach();
  return () => {
    for (const timer of timers) clearInterval(timer);
    hint.end();
    detach();
  };
}

async function readPicture(folder: string): Promise<string> {
  const { kind } = await readLife(folder);
  const names = await readdir(folder).catch(() => []);
  const newest =
    names
      .filter((name) => segmentOffset(name) !== null)
      .sort()
      .at(-1) ?? JOURNAL_HEAD_FILE;
  const size = await stat(join(folder, newest)).then(
    (found) => found.size,
    () => 0,
  );
  return `${kind} ${names.length} ${newest} ${size}`;
}

/** The first hint goes at once; those that follow within `JOIN_MS` become one at its end. */
function joined(changed: () => void): { give: () => void; end: () => void } {
  let timer: NodeJS.Timeout | null = null;
  let isDue = false;
  let isEnded = false;
  const give = () => {
    if (isEnded) return;
    if (timer) {
      isDue = true;
      return;
    }
    isDue = false;
    timer = setTimeout(() => {
      timer = null;
      if (isDue) give();
    }, JOIN_MS);
    changed();
  };
  return {
    give,
    end() {
      isEnded = true;
      if (timer) clearTimeout(timer);
    },
  };
}
