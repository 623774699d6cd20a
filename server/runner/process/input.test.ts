/** What an agent is given: its prompt as data, a stdin that ends, no terminal, and a plain sentence when it cannot start. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunOrder } from "../../ports/runner";
import { orderFor, readToEnd, untilProbe } from "../../testing/runner.suite";
import { type ProcessHarness, withProcessHarness } from "./process-harness";

let harness: ProcessHarness;
withProcessHarness((fresh) => {
  harness = fresh;
});

const SHOW_ARGUMENTS = [process.execPath, "-e", "process.stdout.write(JSON.stringify(process.argv.slice(1)))", "--"];

async function outputOf(order: RunOrder): Promise<string> {
  await untilProbe(harness.runner, order, "exited");
  return (await readToEnd(harness.runner, order)).toString();
}

async function refusalOf(order: RunOrder): Promise<string | undefined> {
  const { ending } = await untilProbe(harness.runner, order, "exited");
  expect(ending).toMatchObject({ cause: "could-not-start", exitCode: null, signal: null });
  return ending.message;
}

it("[A2][PRC-3] prompts that look like options or like shell text arrive byte for byte, as argument and on stdin", async () => {
  const proof = join(harness.dataDir, "pwned");
  const prompts = [
    "--help",
    "- first\n- second",
    "--version",
    `$(touch ${proof}) \`touch ${proof}\` ; touch ${proof} | touch ${proof} && touch ${proof}`,
    '\'; touch "x" #\n\t\\n \\ é≤🦁 %s {{runFolder}} {{prompt}} ../../etc',
    "",
  ];
  await Promise.all(
    prompts.map(async (prompt) => {
      const asArgument = await harness.begin([...SHOW_ARGUMENTS, prompt]);
      expect(JSON.parse(await outputOf(asArgument))).toEqual([prompt]);
      expect(await outputOf(await harness.begin(["cat"], {}, prompt))).toBe(prompt);
    }),
  );
  expect(existsSync(proof)).toBe(false);
});

it("[A2] a prompt of 3 MB arrives whole on stdin, also when stdin is opened by name", async () => {
  const prompt = "é≤🦁 three megabytes of prompt\n".repeat(90_000);
  const order = await harness.begin("cat /dev/stdin | sha256sum", {}, prompt);
  const { createHash } = await import("node:crypto");
  expect(await outputOf(order)).toBe(`${createHash("sha256").update(prompt).digest("hex")}  -\n`);
});

it("[A2] a prompt in a file of the run folder is found by its path, and can be read by nobody else", async () => {
  const argv = [
    "bash",
    "-c",
    'cat "$1"; stat -c %a "$1" 2>/dev/null || stat -f %Lp "$1"',
    "bash",
    "{{runFolder}}/prompt.md",
  ];
  const order = orderFor(harness, { argv, stdin: null, files: { "prompt.md": "from $(id) {{runFolder}} file\n" } });
  await harness.runner.start(order);
  expect(await outputOf(order)).toBe("from $(id) {{runFolder}} file\n600\n");
});

it("[A2] a file for the agent cannot take the place of a file of the run folder or leave it", async () => {
  for (const name of ["ending.json", "journal.head", "claim", "../escape", ".hidden", ""]) {
    const order = orderFor(harness, { argv: ["true"], stdin: null, files: { [name]: "x" } });
    await harness.runner.start(order);
    expect(await refusalOf(order)).toContain("may not be called");
  }
});

it("[R8] without a prompt stdin is at its end at once, and there is no terminal to hang on", async () => {
  const order = await harness.begin(`read -r line || echo closed
    (exec 3</dev/tty) 2>/dev/null && echo terminal || echo no terminal
    echo "$GIT_TERMINAL_PROMPT $GIT_PAGER $PAGER"; tty`);
  expect(await outputOf(order)).toBe("closed\nno terminal\n0 cat cat\nnot a tty\n");
});

it("[R8] a pager and a question for a git password end instead of waiting", async () => {
  const order =
    await harness.begin(`git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one
    git log --oneline | wc -l; git --paginate log -1 --format=%s
    printf 'protocol=http\\nhost=127.0.0.1\\n' | git credential fill 2>&1 | head -1`);
  const lines = (await outputOf(order)).split("\n");
  expect(lines.slice(0, 2)).toEqual(["1", "one"]);
  expect(lines[2]).toContain("could not read Username");
});

it("[R3] what cannot start says why in one plain sentence", async () => {
  const cwd = join(harness.dataDir, "gone");
  const notExecutable = join(harness.dataDir, "plain.txt");
  writeFileSync(notExecutable, "hello");
  expect(await refusalOf(await harness.begin(["no-such-agent", "x"]))).toBe(
    "no-such-agent is not installed or not on the PATH.",
  );
  expect(await refusalOf(await harness.begin(["/no/such/agent"]))).toBe(
    "/no/such/agent, or the interpreter it names, is not installed.",
  );
  expect(await refusalOf(await harness.begin([notExecutable]))).toMatch(/may not be run: it is not executable/);
  expect(await refusalOf(await harness.begin(["true"], { cwd }))).toBe(`The folder to work in is not there: ${cwd}.`);
  expect(await refusalOf(await harness.begin(["echo", "a\0b"]))).toMatch(/contains a character/);
  expect(await refusalOf(await harness.begin(["echo", "x".repeat(3_000_000)]))).toMatch(
    /longer than this machine allows/,
  );
  expect(await refusalOf(await harness.begin([]))).toMatch(/\.$/);
});

it("[A3] a secret in the sentence of a failed start is masked", async () => {
  const order = await harness.begin(["/opt/token-12345678/agent"], { secrets: ["token-12345678"] });
  expect(await refusalOf(order)).toBe("/opt/***/agent, or the interpreter it names, is not installed.");
});

it("[R9] an agent that runs longer than it may has timed out, with what it printed", async () => {
  const limits = { longestRunMs: 400, termGraceMs: 2_000 };
  const order = await harness.begin("trap 'echo asked to end; exit 0' TERM; echo up; while :; do sleep 0.05; done", {
    limits,
  });
  const { ending } = await untilProbe(harness.runner, order, "exited");
  expect(ending.cause).toBe("timed-out");
  // It had its say before; what it says once it is asked to end is no sign of work.
  expect(ending.quietMs).toBeGreaterThan(0);
  expect(await outputOf(order)).toMatch(/^up\n(Terminated\n)?asked to end\n$/);
});

it("[R9] the time of the setup script counts", async () => {
  const limits = { longestRunMs: 300, termGraceMs: 1_000 };
  const order = await harness.begin("echo never", { limits, setupScript: "echo setting up; sleep 600" });
  const { ending } = await untilProbe(harness.runner, order, "exited");
  expect(ending.cause).toBe("timed-out");
  expect(await outputOf(order)).toBe("setting up\n");
});

it("[R6] a setup script runs in the worktree, ends at the first failure, and its exit code is told", async () => {
  mkdirSync(join(harness.cwd, "inside"));
  const order = await harness.begin("echo never", { setupScript: "ls; false; echo not reached" });
  const { ending } = await untilProbe(harness.runner, order, "exited");
  expect(ending).toMatchObject({ cause: "could-not-start", message: "The setup script failed with exit code 1." });
  expect(await outputOf(order)).toBe("inside\n");
});

it("[R10] the ending tells when the agent ended, not when somebody looked", async () => {
  // What it leaves behind tells when it was asked to go, which is after the agent's end and before the ending is written.
  const child = "(trap 'date +%s%3N; exit' TERM; touch up; while :; do sleep 0.05; done) &";
  const order = await harness.begin(`${child} while [ ! -e up ]; do sleep 0.02; done; date +%s%3N`);
  const { ending } = await untilProbe(harness.runner, order, "exited");
  // Among them bash may tell that its sleep was ended.
  const moments = (await outputOf(order)).split("\n").filter((line) => /^\d+$/.test(line));
  expect(moments).toHaveLength(2);
  const [last = 0, askedToGo = 0] = moments.map(Number);
  expect(ending.endedAt).toBeGreaterThanOrEqual(last);
  expect(ending.endedAt).toBeLessThanOrEqual(askedToGo);
  expect(readFileSync(join(harness.folderOf(order), "ending.json"), "utf8")).toContain(String(ending.endedAt));
});
