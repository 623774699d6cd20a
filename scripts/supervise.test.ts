import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const SUPERVISE = pathToFileURL(path.join(import.meta.dirname, "supervise.mjs")).href;

let folder: string;
let children: ChildProcess[];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "camelot-supervise-"));
  children = [];
});

afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  fs.rmSync(folder, { recursive: true, force: true });
});

test("[A1] the folders that npm puts in front of the PATH do not reach the server, and so no agent", async () => {
  const { withoutNpmFolders } = await import("./supervise.mjs");
  const npms = ["/srv/camelot/node_modules/.bin", "/srv/node_modules/.bin", "/usr/lib/npm/run-script/lib/node-gyp-bin"];
  const own = ["/home/nora/tools/node_modules/.bin", "/usr/local/bin", "/srv/node_modules/.bin", "/usr/bin"];
  const left = (folders: readonly string[]) => withoutNpmFolders(folders.join(path.delimiter), "/srv/camelot");
  expect(left([...npms, ...own])).toBe(own.join(path.delimiter));
  expect(left(own)).toBe(own.join(path.delimiter));
});

interface Supervised {
  process: ChildProcess;
  lines: string[];
  /** Resolves when a line has been said so often. */
  said(line: RegExp, times?: number): Promise<string>;
  exit: Promise<number | null>;
}

/** A parent as `npm start` has one, around a "server" that is these lines of JavaScript. */
function supervise(server: string, firstWaitMs = 20): Supervised {
  const file = path.join(folder, "server.mjs");
  fs.writeFileSync(file, `import fs from "node:fs";\n${server}`);
  const options = `{ program: process.execPath, args: [${JSON.stringify(file)}], firstWaitMs: ${firstWaitMs}, log: console.log }`;
  const script = `import(${JSON.stringify(SUPERVISE)}).then((m) => m.superviseServer(${options})).then((code) => process.exit(code));`;
  const parent = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(parent);
  const lines: string[] = [];
  const listeners: (() => void)[] = [];
  parent.stdout.on("data", (chunk) => {
    lines.push(...String(chunk).split("\n").filter(Boolean));
    for (const listener of listeners) listener();
  });
  return {
    process: parent,
    lines,
    said: (line, times = 1) =>
      new Promise((resolve) => {
        const look = () => {
          const found = lines.filter((candidate) => line.test(candidate));
          if (found.length >= times) resolve(found[times - 1] ?? "");
        };
        listeners.push(look);
        look();
      }),
    exit: new Promise((resolve) => parent.once("exit", resolve)),
  };
}

const RUNS_ON = "setInterval(() => {}, 1000);";

test("[P18] a server that crashes is started again, each time after twice the wait", async () => {
  const parent = supervise(`console.log("up"); process.exit(3);`);
  await parent.said(/^up$/, 4);
  const waits = parent.lines.filter((line) => line.startsWith("The server ended"));
  expect(waits.slice(0, 3)).toEqual([
    "The server ended with code 3; starting it again in 0.02 s.",
    "The server ended with code 3; starting it again in 0.04 s.",
    "The server ended with code 3; starting it again in 0.08 s.",
  ]);
});

test("[P18] a server that is killed is started again", async () => {
  const parent = supervise(`console.log("pid " + process.pid); ${RUNS_ON}`);
  const first = Number((await parent.said(/^pid/)).slice(4));
  process.kill(first, "SIGKILL");
  const second = Number((await parent.said(/^pid/, 2)).slice(4));
  expect(second).not.toBe(first);
  expect(parent.lines).toContain("The server ended with SIGKILL; starting it again in 0.02 s.");
  process.kill(second, "SIGKILL");
});

test("a server that refuses to start is not started again, and its exit code is passed on", async () => {
  const parent = supervise(`console.log("up"); process.exit(78);`);
  expect(await parent.exit).toBe(78);
  expect(parent.lines).toEqual(["up"]);
});

test("a server that leaves by itself ends the parent", async () => {
  expect(await supervise("process.exit(0);").exit).toBe(0);
});

test("[R5] one Ctrl-C is passed on once even when npm repeats it, a later one is passed on too", async () => {
  const gate = path.join(folder, "gate");
  const parent = supervise(`
    let count = 0;
    process.on("SIGINT", () => { count += 1; console.log("SIGINT " + count); });
    setInterval(() => { if (fs.existsSync(${JSON.stringify(gate)})) process.exit(0); }, 20);
    console.log("up"); ${RUNS_ON}`);
  await parent.said(/^up$/);
  parent.process.kill("SIGINT");
  await parent.said(/^SIGINT 1$/);
  parent.process.kill("SIGINT");
  // The second person's press, after the span in which two signals are one.
  const again = setInterval(() => parent.process.kill("SIGINT"), 400);
  await parent.said(/^SIGINT 2$/);
  // Nothing is pressed any more when it leaves: a signal in its last moment would end it by itself.
  clearInterval(again);
  fs.writeFileSync(gate, "");
  expect(await parent.exit).toBe(0);
  expect(parent.lines.filter((line) => line.startsWith("SIGINT")).slice(0, 2)).toEqual(["SIGINT 1", "SIGINT 2"]);
});

test("[R5] the server gets only what the parent passes on: it is in a process group of its own", async () => {
  const parent = supervise(
    `console.log("pid " + process.pid); process.on("SIGTERM", () => process.exit(0)); ${RUNS_ON}`,
  );
  const pid = Number((await parent.said(/^pid/)).slice(4));
  expect(() => process.kill(-pid, 0)).not.toThrow();
  parent.process.kill("SIGTERM");
  expect(await parent.exit).toBe(0);
});

test("Ctrl-C while it waits to start again ends it at once", async () => {
  const parent = supervise("process.exit(1);", 60_000);
  await parent.said(/starting it again in 60 s/);
  parent.process.kill("SIGINT");
  expect(await parent.exit).toBe(0);
});

test("[R5] a parent that is killed leaves the server alone", async () => {
  const parent = supervise(`console.log("pid " + process.pid); ${RUNS_ON}`);
  const pid = Number((await parent.said(/^pid/)).slice(4));
  parent.process.kill("SIGKILL");
  await parent.exit;
  expect(() => process.kill(pid, 0)).not.toThrow();
  process.kill(pid, "SIGKILL");
});
