/** The rules of docs/spec.md and the scenarios of docs/cases.md against the titles of the tests: what is said is proved. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.dirname(import.meta.dirname);
const TREES = ["app", "components", "server", "drizzle", "scripts", "e2e", "chaos"];

const rules = readIds("docs/spec.md", /^- \*\*([A-Z]\d+)\b[^*]*\*\*(.*)$/gm, (rest) => rest.includes("*(planned)*"));
const cases = readIds("docs/cases.md", /^\| ([A-Z\d]+-\d+) \|(.*)$/gm, (rest) => rest.includes("| planned:"));
const quoted = new Set(testFiles().flatMap(idsInTitles));

test("the rules and the scenarios were read", () => {
  const counts = Object.fromEntries(["P", "R", "A", "W", "B", "L", "S"].map((letter) => [letter, countOf(letter)]));
  expect(counts).toEqual({ P: 22, R: 14, A: 9, W: 5, B: 14, L: 5, S: 6 });
  expect(cases.size).toBe(32);
  expect(quoted.size).toBeGreaterThan(0);
});

test("every rule that is not planned is quoted by a test", () => {
  expect(unproved(rules)).toEqual([]);
});

test("every scenario that is not planned is quoted by a test", () => {
  expect(unproved(cases)).toEqual([]);
});

test("only the platform leaves a test out: one that is skipped counts as failed", () => {
  const leftOut = testFiles().flatMap((file) =>
    [
      ...fs
        .readFileSync(file, "utf8")
        .matchAll(/\b(?:it|test|describe)\.(?:skip|todo|fixme|(?:runIf|skipIf)\((?!process\.platform))/g),
    ].map(([use]) => `${path.relative(ROOT, file)}: ${use}`),
  );
  expect(leftOut).toEqual([]);
});

test("no test quotes an id that does not exist", () => {
  expect([...quoted].filter((id) => !rules.has(id) && !cases.has(id))).toEqual([]);
});

/** Id → whether it is planned. */
function readIds(file: string, pattern: RegExp, isPlanned: (rest: string) => boolean): Map<string, boolean> {
  const ids = new Map<string, boolean>();
  for (const [, id = "", rest = ""] of fs.readFileSync(path.join(ROOT, file), "utf8").matchAll(pattern)) {
    if (ids.has(id)) throw new Error(`${file} has ${id} twice`);
    ids.set(id, isPlanned(rest));
  }
  return ids;
}

function countOf(letter: string): number {
  return [...rules.keys()].filter((id) => id.startsWith(letter)).length;
}

function unproved(ids: Map<string, boolean>): string[] {
  return [...ids].filter(([id, isPlanned]) => !isPlanned && !quoted.has(id)).map(([id]) => id);
}

/** A title starts with what it proves: "[R2][R4] …". */
function idsInTitles(file: string): string[] {
  const text = fs.readFileSync(file, "utf8");
  const starts = text.matchAll(/["'`]((?:\[(?:[A-Z]\d{1,2}|[A-Z\d]{2,5}-\d+)\])+)/g);
  return [...starts].flatMap(([, ids = ""]) => ids.slice(1, -1).split("]["));
}

function testFiles(): string[] {
  return TREES.map((tree) => path.join(ROOT, tree))
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) => fs.readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(test|suite|spec)\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => file !== import.meta.filename);
}
