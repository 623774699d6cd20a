import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const MODULE = pathToFileURL(path.join(import.meta.dirname, "checkout-lock.mjs")).href;

let folder: string;
let diary: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "camelot-lock-"));
  diary = path.join(folder, "diary");
});

afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

/** A process that builds for a while under the lock and writes down when it begins and ends. */
function builder(name: string): Promise<number | null> {
  const script = `
    import fs from "node:fs";
    import { withCheckoutLock } from ${JSON.stringify(MODULE)};
    const note = (word) => fs.appendFileSync(${JSON.stringify(diary)}, ${JSON.stringify(name)} + " " + word + "\\n");
    await withCheckoutLock(async () => {
      note("begins");
      await new Promise((resolve) => setTimeout(resolve, 50));
      note("ends");
    }, ${JSON.stringify(path.join(folder, "build"))});`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve) => child.once("exit", resolve));
}

test("builds of one checkout go one after the other, also past the lock of a killed one", async () => {
  fs.mkdirSync(path.join(folder, "build"));
  // A process that lives, but is not the one that took the lock: the pid was reused.
  fs.writeFileSync(path.join(folder, "build", "lock"), `${process.pid} 1`);
  expect(await Promise.all(["a", "b", "c"].map(builder))).toEqual([0, 0, 0]);
  const notes = fs.readFileSync(diary, "utf8").trim().split("\n");
  expect(notes).toHaveLength(6);
  for (let at = 0; at < notes.length; at += 2) {
    expect(notes[at]?.replace("begins", "ends")).toBe(notes[at + 1]);
  }
  expect(fs.readdirSync(path.join(folder, "build"))).toEqual([]);
});
