/** What can be said about the tree without running it. Each check counts as one test. */
import fs from "node:fs";
import path from "node:path";
import { runTool } from "./run-tool.mjs";
import { ROOT } from "./stamps.mjs";

const CHECKS = [
  { name: "format and lint", run: () => runTool("biome", ["check", "--error-on-warnings", "."]) },
  { name: "types", run: checkTypes },
  { name: "dead code", run: () => runTool("knip", ["--no-progress"]) },
];

/** Runs all of them, also after one has failed. */
export async function runChecks() {
  const failed = [];
  for (const { name, run } of CHECKS) {
    const isFine = (await run()) === 0;
    console.log(`${isFine ? "✓" : "✗"} ${name}`);
    if (!isFine) failed.push(name);
  }
  return { passed: CHECKS.length - failed.length, failed: failed.length };
}

async function checkTypes() {
  // Next writes this file when it builds; without it the pages' types are unknown.
  if (!fs.existsSync(path.join(ROOT, "next-env.d.ts"))) await runTool("next", ["typegen"]);
  return runTool("tsc", ["--noEmit"]);
}
