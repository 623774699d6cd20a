/**
 * What git costs: looking at a repository before a dispatch is accepted (W1), and saving the work of many files beside a free
 * event loop (W2, P20). On real git, in folders of its own. By itself: `npx tsx bench/workspace.ts [small]`.
 */

import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { makeGitWorld, makeRepository, prepareOk, requestFor, writeFiles } from "../server/testing/git-repositories";
import { atMost, type Figure, type Measure, median } from "./figures";

const LOOKS = { full: 50, small: 3 };
const FILES = { full: 2_000, small: 20 };
/** Spec W1. */
const LOOK_MAX_MS = 200;
/** Spec P20. */
const LOOP_MAX_MS = 50;
const RESOLUTION_MS = 5;

export const measureWorkspace: Measure = async ({ isSmall }) => {
  const size = isSmall ? "small" : "full";
  const world = await makeGitWorld();
  try {
    const repository = await makeRepository(path.join(world.folder, "repo"));
    const looks: number[] = [];
    for (let n = 0; n <= LOOKS[size]; n += 1) {
      const began = performance.now();
      const found = await world.workspace.inspect(repository);
      if (found.kind !== "ok") throw new Error(found.message);
      // The first look also asks for git's version.
      if (n > 0) looks.push(performance.now() - began);
    }
    const look = median(looks);
    const saved = await saveMany(world.workspace, repository, FILES[size]);
    const ms = (what: string, value: number): Figure => ({ what, value, unit: "ms" });
    return [
      { ...ms("a repository is looked at, median", look), target: atMost(look, LOOK_MAX_MS, "ms") },
      ms(`work of ${FILES[size]} new files is saved`, saved.tookMs),
      { ...ms("event loop meanwhile, longest", saved.loopMs), target: atMost(saved.loopMs, LOOP_MAX_MS, "ms") },
    ];
  } finally {
    await world.remove();
  }
};

async function saveMany(
  workspace: Awaited<ReturnType<typeof makeGitWorld>>["workspace"],
  repository: string,
  count: number,
): Promise<{ tookMs: number; loopMs: number }> {
  const { path: worktree, branch, baseCommit } = await prepareOk(workspace, requestFor(repository));
  const names = Array.from({ length: count }, (_, n) => [`many/${n % 50}/${n}.txt`, `${n}`]);
  await writeFiles(worktree, Object.fromEntries(names));
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const began = performance.now();
  const saved = await workspace.save({ repository, worktree, branch, baseCommit, message: "Many files" });
  const tookMs = performance.now() - began;
  delay.disable();
  if (saved.files !== count) throw new Error(`${saved.files} of ${count} files were saved`);
  return { tookMs, loopMs: delay.max / 1e6 };
}

if (path.basename(process.argv[1] ?? "") === "workspace.ts") {
  const figures = await measureWorkspace({ isSmall: process.argv.includes("small"), minutes: 0 }, console.log);
  for (const { what, value, unit, target } of figures) {
    console.log(
      `${what}: ${value.toFixed(1)} ${unit}${target ? ` (${target.text}: ${target.isMet ? "met" : "MISSED"})` : ""}`,
    );
  }
}
