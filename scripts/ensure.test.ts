import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findChromium } from "./chromium.mjs";
import { checkTools } from "./ensure.mjs";

const ROOT = path.dirname(import.meta.dirname);

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "camelot-ensure-"));
});

afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

/** A PATH with just these programs, each saying one line. */
function pathWith(programs: Record<string, string>): { PATH: string } {
  const bin = path.join(folder, "bin");
  fs.mkdirSync(bin);
  for (const [name, line] of Object.entries(programs)) {
    fs.writeFileSync(path.join(bin, name), `#!/bin/sh\necho '${line}'\n`, { mode: 0o755 });
  }
  return { PATH: bin };
}

const BASH = { bash: "GNU bash, version 5.2.15(1)-release" };

test("the tools of this machine are good enough", () => {
  expect(() => checkTools()).not.toThrow();
});

test.each([
  ["18.20.4", /^Camelot needs Node 20\.19 or newer, this is 18\.20\.4: /],
  ["20.18.3", /^Camelot needs Node 20\.19 or newer, this is 20\.18\.3: /],
])("Node %s is refused in one sentence", (version, sentence) => {
  expect(() => checkTools(process.env, version)).toThrow(sentence);
});

test("missing or old tools are refused in one sentence", () => {
  expect(() => checkTools(pathWith(BASH))).toThrow(/^Camelot needs git, which is not installed/);
  fs.rmSync(path.join(folder, "bin"), { recursive: true });
  expect(() => checkTools(pathWith({ ...BASH, git: "git version 2.37.9" }))).toThrow(
    /^Camelot needs git 2\.38 or newer, this is 2\.37\.9/,
  );
  fs.rmSync(path.join(folder, "bin"), { recursive: true });
  expect(() => checkTools(pathWith({ git: "git version 2.39.5 (Apple Git-154)" }))).toThrow(/^Camelot needs bash/);
});

test("a missing tool is one sentence and exit code 1, with no stack trace, whatever the script", async () => {
  for (const script of ["start.mjs", "dev.mjs", "test.mjs", "stop-agents.mjs"]) {
    const child = spawn(process.execPath, [path.join(ROOT, "scripts", script)], {
      cwd: ROOT,
      env: { NODE_ENV: "test", PATH: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
    });
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect({ script, code, said }).toEqual({
      script,
      code: 1,
      said: "Camelot needs git, which is not installed (or not on PATH): install it, then start again.\n",
    });
  }
});

test("a file that is no program is not taken for the browser", () => {
  const file = path.join(folder, "chromium");
  fs.writeFileSync(file, "", { mode: 0o644 });
  expect(findChromium({ PATH: folder })).toBeNull();
  expect(findChromium({ PATH: folder, CHROMIUM_PATH: file })).toBeNull();
  fs.chmodSync(file, 0o755);
  expect(findChromium({ PATH: folder })).toBe(file);
  expect(findChromium({ PATH: "", CHROMIUM_PATH: file })).toBe(file);
});
