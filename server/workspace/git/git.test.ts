import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeRepository, makeTestFolder, writeFiles } from "../../testing/git-repositories";
import { waitFor } from "../../testing/wait-for";
import { git, READ_LIMIT_MS, tryGit } from "./git";
import { GitProblem, maskCredentials, sentenceFor } from "./git-problem";

let folder = "";
let remove: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  ({ folder, remove } = await makeTestFolder());
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await remove();
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** An alias that runs a shell line: a git call with a child of its own, as hooks are. */
function shellCall(script: string) {
  return { at: folder, options: ["-c", `alias.hang=!${script}`], args: ["hang"], limitMs: READ_LIMIT_MS };
}

test("[R8] git reads nothing from a terminal and its children see closed input", async () => {
  const end = await git(shellCall("cat; tty; true"));
  expect(end.stdout.toString()).toContain("not a tty");
});

test("[A1] only listed variables reach git and its hooks", async () => {
  vi.stubEnv("CAMELOT_SECRET_KEY", "canary");
  vi.stubEnv("GIT_DIR", "/nowhere");
  const end = await git(shellCall("env"));
  expect(end.stdout.toString()).not.toContain("canary");
  expect(end.stdout.toString()).not.toContain("/nowhere");
  expect(end.stdout.toString()).toContain("GIT_TERMINAL_PROMPT=0");
});

test("[W2] an answer is read whole, however late a busy process comes to look", async () => {
  const stall = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  const talker = spawn("sh", ["-c", "while :; do echo x; sleep 0.05; done"], { stdio: ["ignore", "pipe", "ignore"] });
  // Git ends while the process is away, and the timer of its end is due before its pipes are looked at.
  talker.stdout.on("data", () => {
    stall(150);
    setImmediate(() => stall(350));
  });
  try {
    const delays = Array.from({ length: 40 }, (_, place) => (100 + place * 10) / 1_000);
    const ends = await Promise.all(delays.map((seconds) => git(shellCall(`sleep ${seconds}; seq 2000`))));
    expect(ends.map(({ stdout }) => stdout.length)).toEqual(ends.map(() => 8_893));
  } finally {
    talker.kill();
  }
});

test("[R8] an aborted call ends git and what it started", async () => {
  await makeRepository(folder);
  const stop = new AbortController();
  const call = { ...shellCall(`echo $$ > ${join(folder, "pid")}; sleep 600`), signal: stop.signal };
  const running = git(call).catch((error: unknown) => error);
  const pid = await waitFor(
    async () => Number(await readFile(join(folder, "pid"), "utf8").catch(() => "0")) || null,
    "the child's pid",
  );
  stop.abort(new Error("stop now"));
  expect(await running).toMatchObject({ message: "stop now" });
  await waitFor(() => !isAlive(pid), "the child to be gone");
});

test("[R8] a call that takes too long is ended and says how long it had", async () => {
  const slow = git({ ...shellCall("sleep 600"), limitMs: 200 }).catch((error: unknown) => error);
  expect(await slow).toMatchObject({ kind: "time-limit", message: expect.stringContaining("did not end within") });
});

test("[P20] a grandchild that keeps the output open does not hold the call", async () => {
  const end = await tryGit(shellCall("sleep 20 & echo done"));
  expect(end.stdout.toString()).toBe("done\n");
});

test("[W1] without git there is one plain sentence", async () => {
  vi.stubEnv("PATH", folder);
  const problem = await git({ at: null, args: ["version"], limitMs: READ_LIMIT_MS }).catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(GitProblem);
  expect(sentenceFor(problem)).toMatch(/^git is not installed/);
});

test("[W1] logins never show in messages", async () => {
  expect(maskCredentials("fatal: https://me:s3cret@host/x and http://tok@h")).toBe(
    "fatal: https://***@host/x and http://***@h",
  );
  expect(maskCredentials("https://a:p@ss@host/x")).toBe("https://***@host/x");
  await writeFiles(folder, { "x.txt": "x" });
  const end = await tryGit({ ...shellCall("echo https://me:s3cret@host/x >&2; false") });
  expect(end.stderr).not.toContain("s3cret");
});
