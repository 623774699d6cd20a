/**
 * Agents in bubblewrap (R7), with real processes. Where the machine has none (or forbids it) the same orders have to say so
 * in one sentence, and start nothing.
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunOrder } from "../../ports/runner";
import { identify, isAlive } from "../../system/process-identity";
import { makeRepository, runGit } from "../../testing/git-repositories";
import { readToEnd, untilProbe, untilWorking } from "../../testing/runner.suite";
import { waitFor } from "../../testing/wait-for";
import { listProcesses } from "../host/process-table";
import { sandboxProblem } from "../host/sandbox";
import { createMachine } from "./machine";
import { type ProcessHarness, withProcessHarness } from "./process-harness";

let harness: ProcessHarness;
let problem: string | null;
withProcessHarness((fresh) => {
  harness = fresh;
});
beforeAll(async () => {
  problem = await sandboxProblem();
});

const inside = (agent: string | readonly string[], changes: Partial<RunOrder> = {}, stdin: string | null = null) =>
  harness.begin(agent, { ...changes, sandbox: "bubblewrap" }, stdin);

/** Its output and ending; or, where there is no sandbox, nothing, once that was seen to be said. */
async function ended(order: RunOrder) {
  const { ending } = await untilProbe(harness.runner, order, "exited");
  const output = (await readToEnd(harness.runner, order)).toString();
  if (problem === null) return { ending, output };
  expect([ending.cause, ending.exitCode === 0]).not.toEqual(["exited", true]);
  expect(output).not.toContain("ran");
  return null;
}

describe("an agent in its sandbox", () => {
  it("[R7] writes in its worktree and /tmp, reads the rest of the disk, and finds the data directory empty", async () => {
    await writeFile(join(harness.dataDir, "secret"), "the installation's own");
    const outside = join(harness.dataDir, "..", `outside-${process.pid}`);
    const seen = await ended(
      await inside(
        `echo ran; echo made > made.txt; echo own > /tmp/own.txt; head -c 4 /etc/passwd >/dev/null && echo reads
         cat '${join(harness.dataDir, "secret")}' 2>/dev/null || echo no secret
         touch /etc/camelot-test 2>/dev/null || echo no write; touch '${outside}' 2>/dev/null; exit 5`,
      ),
    );
    if (seen === null) return;
    expect(seen.output).toBe("ran\nreads\nno secret\nno write\n");
    expect(seen.ending).toMatchObject({ cause: "exited", exitCode: 5 });
    expect(await readFile(join(harness.dataDir, "worktree é $HOME", "made.txt"), "utf8")).toBe("made\n");
    for (const path of ["/tmp/own.txt", "/etc/camelot-test", outside]) expect(existsSync(path), path).toBe(false);
  });

  it("[R7] nothing it starts outlives it, however it hides", async () => {
    const order = await inside("(env -i /usr/bin/setsid /bin/sh -c 'exec /bin/sleep 3607' &) ; echo ran; sleep 600");
    if (problem !== null) return expect(await ended(order)).toBeNull();
    await untilWorking(harness.runner, order);
    const escaped = await waitFor(async () => {
      const row = (await listProcesses()).find(({ pid }) => commandOf(pid) === "/bin/sleep\x003607\0");
      return row ? identify(row.pid) : null;
    }, "the one that left the session, the group and its environment");
    await harness.runner.stop(order);
    await untilProbe(harness.runner, order, "exited");
    expect(isAlive(escaped)).toBe(false);
  });

  it("[R7][R3] a host that is killed takes its sandbox with it", async () => {
    const order = await inside("echo ran; sleep 600");
    if (problem !== null) return expect(await ended(order)).toBeNull();
    await untilWorking(harness.runner, order);
    await harness.killHost(order);
    await untilProbe(harness.runner, order, "gone");
  });

  it("[R7] asked to stop it has time to clean up; one that ignores it is gone after the grace", async () => {
    const polite = await inside('trap "echo cleaned; exit 9" TERM; echo ran; while :; do sleep 0.05; done');
    if (problem !== null) return expect(await ended(polite)).toBeNull();
    await waitFor(async () => (await harness.runner.read(polite, 0, 10)).next >= 4, "the trap");
    await harness.runner.stop(polite);
    const seen = await ended(polite);
    expect(seen?.output).toContain("cleaned\n");
    expect(seen?.ending).toMatchObject({ cause: "stopped", exitCode: 9 });
    const limits = { longestRunMs: 60_000, termGraceMs: 300 };
    const deaf = await inside('trap "" TERM; echo ran; while :; do sleep 0.05; done', { limits });
    await waitFor(async () => (await harness.runner.read(deaf, 0, 10)).next >= 4, "the trap");
    await harness.runner.stop(deaf);
    expect((await ended(deaf))?.ending.cause).toBe("stopped");
  });

  it("[A1][A3] has its variables, which are on no command line, and its prompt on stdin", async () => {
    const environment = { TOKEN: "hunter2-hunter2", EMPTY: "", LD_PRELOAD: "" };
    const order = await inside(
      'echo "$TOKEN-$TMPDIR"; cat; echo; until [ -e go ]; do sleep 0.05; done',
      { environment },
      "a prompt",
    );
    if (problem !== null) return expect(await ended(order)).toBeNull();
    await waitFor(async () => (await harness.runner.read(order, 0, 100)).next > 20, "its first words");
    const lines = (await listProcesses()).map(({ pid }) => commandOf(pid));
    expect(lines.some((line) => line.includes("bwrap"))).toBe(true);
    expect(lines.filter((line) => line.includes("hunter2"))).toEqual([]);
    await writeFile(join(harness.dataDir, "worktree é $HOME", "go"), "");
    expect((await ended(order))?.output).toBe("hunter2-hunter2-/tmp\na prompt\n");
  });

  it("[W2][R7] commits in its worktree, whose repository lies elsewhere", async () => {
    const repository = await makeRepository(join(harness.dataDir, "repositories", "shop"));
    const cwd = join(harness.dataDir, "worktrees", "1");
    await mkdir(join(harness.dataDir, "worktrees"));
    await runGit(repository, "worktree", "add", "-q", "-b", "task", cwd);
    const script = `echo ran; echo x > x.txt; git add x.txt
      git -c user.name=a -c user.email=a@example.test commit -qm "from inside"; touch '${repository}/escaped' 2>/dev/null; true`;
    if ((await ended(await inside(script, { cwd }))) === null) return;
    expect(await runGit(repository, "log", "-1", "--format=%s", "task")).toContain("from inside");
    expect(existsSync(join(repository, "escaped"))).toBe(false);
  });

  it("[R3] what cannot start says why, also when it is the sandbox", async () => {
    const missing = await ended(await inside(["no-such-agent"]));
    if (missing !== null) {
      expect(missing.ending).toMatchObject({
        cause: "could-not-start",
        message: "no-such-agent is not installed or not on the PATH.",
      });
    }
    const facts = await createMachine(process.env).facts();
    expect(facts.sandboxProblem).toBe(problem);
    if (problem !== null) expect(problem).toMatch(/^bubblewrap .+\.$/);
  });

  it("[R7] the setup script is locked up as well", async () => {
    const seen = await ended(
      await inside("echo agent ran", { setupScript: "touch /etc/camelot-test 2>/dev/null || echo locked" }),
    );
    if (seen !== null) expect(seen.output).toBe("locked\nagent ran\n");
  });
});

it("[R13] an order for a sandbox that is not known starts nothing", async () => {
  const order = await harness.begin("echo ran", { sandbox: "cage" as "none" });
  const { ending } = await untilProbe(harness.runner, order, "exited");
  expect(ending).toMatchObject({ cause: "could-not-start", message: expect.stringContaining("different releases") });
});

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
