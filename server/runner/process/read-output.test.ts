/** R6 in a folder whose oldest pieces are removed faster than they can be opened. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readOutput } from "./read-output";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "camelot-read-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const segment = (start: number) => join(folder, `journal.tail.${String(start).padStart(16, "0")}`);
/** Listed, but gone when it is opened. */
const vanishing = (start: number) => symlinkSync(join(folder, "gone"), segment(start));

test("[R6][LOG-3] a reader whom the writer outruns goes on at the next piece that is there, and says how much is left out", async () => {
  writeFileSync(join(folder, "journal.head"), "head\n");
  vanishing(100);
  vanishing(200);
  writeFileSync(segment(300), "newest\n");
  const { bytes, next } = await readOutput(folder, 5, 1_000);
  expect(new TextDecoder().decode(bytes)).toBe("[… 295 bytes left out …]\nnewest\n");
  expect(next).toBe(307);
});
