/**
 * Reads how many tests passed and failed from the reports of Vitest and Playwright. A skipped test proves nothing, and a
 * runner that fails without a failed test has failed all the same: both count as failed.
 */
import fs from "node:fs";

export function countVitest(reportFile, exitCode) {
  const report = readReport(reportFile);
  if (!report) return { passed: 0, failed: 1 };
  const skipped = report.numPendingTests + report.numTodoTests;
  const unloaded = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  return settle(report.numPassedTests, report.numFailedTests + skipped + unloaded.length, exitCode);
}

export function countPlaywright(reportFile, exitCode) {
  const report = readReport(reportFile);
  if (!report) return { passed: 0, failed: 1 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return settle(expected, unexpected + flaky + skipped, exitCode);
}

function settle(passed, failed, exitCode) {
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

function readReport(file) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
