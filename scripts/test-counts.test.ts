import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { countPlaywright, countVitest } from "./test-counts.mjs";

let file: string;

beforeEach(() => {
  file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "camelot-counts-")), "report.json");
});

afterEach(() => {
  fs.rmSync(path.dirname(file), { recursive: true, force: true });
});

function vitestReport(numbers: { passed: number; failed?: number; pending?: number; unloaded?: number }): void {
  const { passed, failed = 0, pending = 0, unloaded = 0 } = numbers;
  const testResults = Array.from({ length: unloaded }, () => ({ status: "failed", assertionResults: [] }));
  const counts = { numPassedTests: passed, numFailedTests: failed, numPendingTests: pending, numTodoTests: 0 };
  fs.writeFileSync(file, JSON.stringify({ ...counts, testResults }));
}

test("what passed and what failed is counted", () => {
  vitestReport({ passed: 7, failed: 2 });
  expect(countVitest(file, 1)).toEqual({ passed: 7, failed: 2 });
  fs.writeFileSync(file, JSON.stringify({ stats: { expected: 3, unexpected: 1, flaky: 0, skipped: 0 } }));
  expect(countPlaywright(file, 1)).toEqual({ passed: 3, failed: 1 });
});

test("a skipped test, a flaky test and a file that does not load count as failed", () => {
  vitestReport({ passed: 7, pending: 1, unloaded: 1 });
  expect(countVitest(file, 1)).toEqual({ passed: 7, failed: 2 });
  fs.writeFileSync(file, JSON.stringify({ stats: { expected: 3, unexpected: 0, flaky: 1, skipped: 1 } }));
  expect(countPlaywright(file, 0)).toEqual({ passed: 3, failed: 2 });
});

test("a runner that fails without a failed test has failed all the same", () => {
  vitestReport({ passed: 7 });
  expect(countVitest(file, 1)).toEqual({ passed: 7, failed: 1 });
  expect(countVitest(`${file}.missing`, 1)).toEqual({ passed: 0, failed: 1 });
  expect(countPlaywright(`${file}.missing`, 0)).toEqual({ passed: 0, failed: 1 });
});
