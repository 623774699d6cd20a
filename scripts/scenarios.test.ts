/** The table of docs/scenarios.md against the files it names: a proof that is not there proves nothing. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.dirname(import.meta.dirname);
const SCENARIOS = 20;

interface Proof {
  readonly file: string;
  readonly words: string;
}

const rows = readRows();

test("every scenario stands in the table, each with a proof", () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: SCENARIOS }, (_, i) => i + 1));
  expect(rows.filter(({ proofs }) => proofs.length === 0)).toEqual([]);
});

test("every proof of a scenario is in the file that is named for it", () => {
  const missing = rows.flatMap(({ number, proofs }) =>
    proofs.filter(({ file, words }) => !textOf(file).includes(words)).map((proof) => ({ number, ...proof })),
  );
  expect(missing).toEqual([]);
});

function readRows(): { number: number; proofs: Proof[] }[] {
  const text = fs.readFileSync(path.join(ROOT, "docs", "scenarios.md"), "utf8");
  return [...text.matchAll(/^\| (\d+) \|.*\|(.*)\|$/gm)].map(([, number, cell = ""]) => {
    const proofs = [...cell.matchAll(/`([^`]+)` "([^"]+)"/g)];
    // Nothing in the cell is left over: a proof that is written otherwise would not be looked for.
    expect(proofs.map(([whole]) => whole).join("; ")).toBe(cell.trim());
    return { number: Number(number), proofs: proofs.map(([, file = "", words = ""]) => ({ file, words })) };
  });
}

function textOf(file: string): string {
  const whole = path.join(ROOT, file);
  return fs.existsSync(whole) ? fs.readFileSync(whole, "utf8") : "";
}
