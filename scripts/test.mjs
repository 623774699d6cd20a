/**
 * `npm test`: makes the checkout ready, then checks, unit tests and browser stories, and ends with one line: how many
 * passed and failed in all. `--all` adds what takes long (the laws with many rounds, the big tables).
 * `CAMELOT_WITHOUT_AGENTS=1` leaves the real agents out, and the last line says so.
 */
import fs from "node:fs";
import path from "node:path";
import { ensureAgentClis, IS_WITHOUT_AGENTS } from "./agent-clis.mjs";
import { ensureBrowser } from "./browser.mjs";
import { runChecks } from "./checks.mjs";
import { ensure } from "./ensure.mjs";
import { Refusal, runScript } from "./refusal.mjs";
import { runTool } from "./run-tool.mjs";
import { ROOT } from "./stamps.mjs";
import { countPlaywright, countVitest } from "./test-counts.mjs";

const REPORTS = path.join(ROOT, ".camelot-build");
const ENVIRONMENT = process.argv.includes("--all") ? { CAMELOT_TEST_ALL: "1" } : {};

await runScript(async () => {
  await ensure({ build: true });
  fs.mkdirSync(REPORTS, { recursive: true });
  const counts = [];
  const agents = readyAgents();
  if (agents === "missing") counts.push({ passed: 0, failed: 1 });
  for (const part of [runChecks, () => runVitest(agents), runPlaywright]) counts.push(await part());
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  process.exitCode = failed === 0 ? 0 : 1;
  console.log(`${passed} passed, ${failed} failed${agents === "left-out" ? ", without the real agents" : ""}`);
});

/** Absent is failed: a driver that nobody tried is not tested. */
function readyAgents() {
  if (IS_WITHOUT_AGENTS) return "left-out";
  try {
    ensureAgentClis();
    return "there";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    return "missing";
  }
}

async function runVitest(agents) {
  const report = freshReport("vitest.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  if (agents !== "there") args.push("--exclude=**/real-agents.test.ts");
  return countVitest(report, await runTool("vitest", args, { ...ENVIRONMENT, NODE_ENV: "test" }));
}

async function runPlaywright() {
  const hasSpecs =
    fs.existsSync(path.join(ROOT, "e2e")) &&
    fs.readdirSync(path.join(ROOT, "e2e")).some((name) => name.endsWith(".spec.ts"));
  if (!hasSpecs) return { passed: 0, failed: 0 };
  try {
    ensureBrowser();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    return { passed: 0, failed: 1 };
  }
  const report = freshReport("playwright.json");
  const environment = { ...ENVIRONMENT, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  return countPlaywright(report, await runTool("playwright", ["test", "--reporter=list,json"], environment));
}

/** The path of a report, with the one of an earlier run gone. */
function freshReport(name) {
  const file = path.join(REPORTS, name);
  fs.rmSync(file, { force: true });
  return file;
}
