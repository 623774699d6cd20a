/** What goes from the server to an agent and back: prompts, environment, work, and repositories that cannot be used yet. */
import { createHash } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WORKTREE_GONE } from "../../core/words";
import { isOver } from "../../testing/engine-rows";
import { type Engine, type EngineWorld, engineWorld } from "../../testing/engine-world";
import { commitAll, makeRepository, runGit } from "../../testing/git-repositories";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const CANARIES = {
  DATABASE_URL: "postgres://u:CANARY-DB@127.0.0.1/d",
  SESSION_SECRET: "CANARY-SESSION",
  SMTP_PASSWORD: "CANARY-SMTP",
  FUTURE_KEY: "CANARY-FUTURE",
};

// Many real processes on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 120_000 });

let world: EngineWorld;
let engine: Engine;
let project: string;

beforeAll(async () => {
  world = await engineWorld();
  project = await world.addProject(
    await makeRepository(join(world.folder, "shop"), { "a.txt": "one\n", "b.txt": "two\n" }),
  );
  engine = await world.startEngine({ ...process.env, ...CANARIES });
  // Not more: other tests want the machine as well.
  await engine.setCaps({ perUserMax: 4 });
});
afterAll(() => world?.cleanUp());

const untilOver = (id: string) => world.until(id, isOver, "over");

describe("prompts", () => {
  const PROMPTS = [
    "--version",
    "-p hello",
    "- first bullet of a list\n- second bullet",
    "-",
    "--",
    "--model=other --add-dir /etc",
    "$(touch pwned-1) `touch pwned-2`",
    `"; touch pwned-3; echo "`,
    "' && touch pwned-4 && echo '",
    "100% of %s and %PATH% and !history! and \\n stays two characters",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the very text that must not be filled in.
    "{{title}} ${HOME} <%= 7*7 %> $& $$ {{prompt}} {{runFolder}}/prompt.txt {{promptFile}}",
    "🦁 é ≤ \u202e and a trailing newline\n",
  ];
  const WAYS = [
    { promptVia: "stdin", argv: ["sha256sum"] },
    { promptVia: "argument", argv: ["bash", "-c", `printf %s "$1" | sha256sum`, "agent", "{{prompt}}"] },
    { promptVia: "file", argv: ["sha256sum", "{{promptFile}}"] },
  ] as const;

  it("[A2][PRC-3][SEC-5] of every shape reach the agent byte for byte, by stdin, argument and file", async () => {
    const [onStdin, asArgument, asFile] = WAYS;
    const long = "ß".repeat(1_500_000);
    const wishes = [
      ...[...PROMPTS.slice(-6), long].map((prompt) => ({ way: onStdin, prompt })),
      ...PROMPTS.map((prompt) => ({ way: asArgument, prompt })),
      ...[...PROMPTS.slice(-2), long].map((prompt) => ({ way: asFile, prompt })),
    ];
    await Promise.all(
      wishes.map(async ({ way, prompt }) => {
        const { sessionId } = await world.dispatch(engine, project, prompt, way);
        // All at once: the last one waits for most of the others.
        expect(await world.until(sessionId, isOver, "over", 100_000)).toMatchObject({ status: "succeeded" });
        expect((await world.output(sessionId)).split(" ")[0]).toBe(sha256(prompt));
        const { worktree } = await world.branchOf(sessionId);
        expect((await readdir(worktree)).sort()).toEqual([".git", "a.txt", "b.txt"]);
      }),
    );
  });

  it("[A2] are a script for the shell agent only, which stops at the first command that fails", async () => {
    const { sessionId } = await world.dispatch(engine, project, "echo one\nfalse | true\necho two");
    expect(await untilOver(sessionId)).toMatchObject({ status: "failed", exitCode: 1, lastAction: "one" });
    const empty = await world.dispatch(engine, project, "");
    expect((await untilOver(empty.sessionId)).status).toBe("succeeded");
  });

  it("[A2] too long for an argument: it could not start, in words", async () => {
    const { sessionId } = await world.dispatch(engine, project, "x".repeat(200_000), WAYS[1]);
    const row = await untilOver(sessionId);
    expect(row).toMatchObject({ status: "failed", failureKind: "could-not-start" });
    expect(row.failureDetail).toMatch(/too long for an argument/);
  });

  it("[R3] an agent that is not installed could not start, in words, and nothing is tried again", async () => {
    const { sessionId } = await world.dispatch(engine, project, "", { argv: ["no-such-agent-anywhere"] });
    const row = await untilOver(sessionId);
    expect(row).toMatchObject({ status: "failed", failureKind: "could-not-start", attempt: 1 });
    expect(row.failureDetail).toMatch(/^no-such-agent-anywhere is not installed/);
  });
});

describe("a project's variables", () => {
  it("[A1] a PATH of the project on which no agent is found is named in the ending, and holds nobody else", async () => {
    const lost = await world.addProject(await makeRepository(join(world.folder, "lost")));
    await world.variables.set(lost, { name: "PATH", value: "/nowhere", isSecret: false }, Date.now());
    const { sessionId } = await world.dispatch(engine, lost, "echo never");
    const row = await untilOver(sessionId);
    expect(row).toMatchObject({ status: "failed", failureKind: "could-not-start", attempt: 1 });
    expect(row.failureDetail).toBe(
      "bash is not on the PATH that the project's own variable PATH sets: change that variable, or remove it.",
    );
    expect(await world.sql`select subject from holds where subject_id in ('shell', ${lost})`).toEqual([]);
  });
});

describe("the server's own", () => {
  it("[SEC-5][A1] secrets, files and connections are out of an agent's reach", async () => {
    const script = `echo == env; env
echo == parents; p=$PPID; while [ "$p" -gt 1 ]; do tr '\\0' '\\n' < /proc/$p/environ; p=$(awk '/^PPid:/{print $2}' /proc/$p/status); done
echo == files; ls /proc/$$/fd`;
    const { sessionId } = await world.dispatch(engine, project, script);
    expect((await untilOver(sessionId)).status).toBe("succeeded");
    const output = await world.output(sessionId);
    expect(output).not.toContain("CANARY");
    expect(output).toMatch(/^CAMELOT_TASK_NUMBER=\d+$/m);
    expect(output).toMatch(/^CAMELOT_BRANCH=camelot\/\d+-task-\d+$/m);
    const open = output.slice(output.indexOf("== files")).trim().split("\n").slice(1);
    // 255 is bash's own script file.
    expect(open.filter((fd) => fd !== "255")).toEqual(["0", "1", "2"]);
  });
});

describe("work", () => {
  const DIRTY = `echo edited >> a.txt; mkdir -p new-dir; echo untracked > new-dir/untracked.txt
echo staged > staged.txt; git add staged.txt`;
  const inBranch = async (sessionId: string) => {
    const { branch } = await world.branchOf(sessionId);
    const show = (file: string) => world.git(project, "show", `${branch}:${file}`);
    return [await show("a.txt"), await show("new-dir/untracked.txt"), await show("staged.txt")];
  };
  const ALL = ["one\nedited", "untracked", "staged"];

  it("[GIT-3][W2] that an agent never committed is on the task's branch: (a) after it ended", async () => {
    const { sessionId } = await world.dispatch(engine, project, DIRTY);
    const row = await untilOver(sessionId);
    expect(row).toMatchObject({ status: "succeeded", workUnsaved: null });
    expect(await inBranch(sessionId)).toEqual(ALL);
    const { branch } = await world.branchOf(sessionId);
    expect(await world.git(project, "rev-parse", branch)).toBe(row.headCommit);
    expect(await world.git(project, "log", "-1", "--format=%s", branch)).toMatch(/^Task \d+$/);
    expect(await world.git(project, "status", "--porcelain")).toBe("");
  });

  it("[W2] what looks like a secret stays out of the commit and is named", async () => {
    const { sessionId } = await world.dispatch(engine, project, "echo KEY=1 > .env; echo fine > fine.txt");
    await untilOver(sessionId);
    const { branch } = await world.branchOf(sessionId);
    expect(await world.git(project, "ls-tree", "--name-only", branch)).toBe("a.txt\nb.txt\nfine.txt");
    const [row] = await world.sql`select left_out from sessions where id = ${sessionId}`;
    expect(row?.leftOut).toEqual([".env"]);
  });

  it("[W2] that was in a worktree its agent removed is said to be gone; what it had committed is told", async () => {
    const { sessionId } = await world.dispatch(
      engine,
      project,
      `echo kept > kept.txt; git add kept.txt; git commit -qm kept; echo lost > lost.txt; cd /; rm -rf "$OLDPWD"`,
    );
    const row = await untilOver(sessionId);
    expect(row).toMatchObject({ status: "succeeded", workUnsaved: WORKTREE_GONE });
    expect(await world.sql`select files from sessions where id = ${sessionId}`).toMatchObject([{ files: 1 }]);
  });

  it("[W2] that its agent committed itself has an author, also where git knows nobody", async () => {
    const commit = "echo own > own.txt; git add own.txt; git commit -qm own";
    await world.git(project, "config", "user.name", "");
    const nobodys = await world.dispatch(engine, project, commit);
    const row = await untilOver(nobodys.sessionId);
    await world.git(project, "config", "user.name", "Nora");
    const noras = await world.dispatch(engine, project, commit);
    await untilOver(noras.sessionId);
    expect(row).toMatchObject({ status: "succeeded" });
    const authorOf = async ({ sessionId }: { sessionId: string }) =>
      world.git(project, "log", "-1", "--format=%an, %cn", (await world.branchOf(sessionId)).branch);
    expect(await authorOf(nobodys)).toBe("Camelot, Camelot");
    expect(await authorOf(noras)).toBe("Nora, Nora");
  });

  it("[R9][W2] of a run that was too long is kept, and the ending names the limit", async () => {
    const short = await world.addProject(await makeRepository(join(world.folder, "short")));
    await world.sql`update projects set longest_run_ms = 1000 where id = ${short}`;
    const { sessionId } = await world.dispatch(engine, short, "echo part > part.txt; sleep 600");
    const row = await untilOver(sessionId);
    expect(row).toMatchObject({ status: "failed", failureKind: "timed-out", workUnsaved: null });
    expect(row.failureDetail).toMatch(/^Stopped after 1 s, the longest run\./);
    const { branch } = await world.branchOf(sessionId);
    expect(await world.git(short, "show", `${branch}:part.txt`)).toBe("part");
  });

  it("[GIT-3][W2] (b) after a cancel, and a retry goes on from there", async () => {
    const { sessionId } = await world.dispatch(engine, project, `${DIRTY}; echo ready; sleep 600`);
    await world.until(sessionId, ({ lastAction }) => lastAction === "ready", "the work to be done");
    await engine.cancel(sessionId, "a");
    expect(await untilOver(sessionId)).toMatchObject({ status: "cancelled", workUnsaved: null });
    expect(await inBranch(sessionId)).toEqual(ALL);
    const before = await world.branchOf(sessionId);
    const again = await world.retry(engine, sessionId);
    await world.until(again.sessionId, ({ lastAction }) => lastAction === "ready", "the retry");
    await engine.cancel(again.sessionId, "a");
    await untilOver(again.sessionId);
    expect(await world.branchOf(again.sessionId)).toEqual(before);
    expect(await inBranch(again.sessionId)).toEqual(["one\nedited\nedited", "untracked", "staged"]);
  });
});

describe("a repository without a first commit", () => {
  const init = (path: string, ...options: string[]) =>
    runGit(world.folder, "init", "-q", "-b", "main", ...options, path);
  const MAKERS = {
    empty: async (path: string) => void (await init(path)),
    files: async (path: string) => {
      await init(path);
      await writeFile(join(path, "readme.txt"), "not committed\n");
    },
    bare: async (path: string) => void (await init(path, "--bare")),
  };
  const makeFirstCommit = async (path: string, isBare: boolean) => {
    if (!isBare) return commitAll(path, "first");
    const other = await makeRepository(`${path}-other`);
    return runGit(other, "push", "-q", path, "main");
  };

  for (const [kind, make] of Object.entries(MAKERS)) {
    it(`[GIT-1][R2] (${kind}) fails in plain words, writes nothing there, frees its slot; after a commit the retry works`, async () => {
      const path = join(world.folder, `unborn-${kind}`);
      await make(path);
      const before = (await readdir(path)).sort();
      const unborn = await world.addProject(path);
      const { sessionId } = await world.dispatch(engine, unborn, "echo ran > ran.txt");
      const row = await world.until(sessionId, isOver, "over", 10_000);
      expect(row).toMatchObject({ status: "failed", failureKind: "could-not-start", attempt: 1 });
      expect(row.failureDetail).toMatch(/commit/);
      expect(row.failureDetail).not.toMatch(/fatal|HEAD/);
      expect((await readdir(path)).sort()).toEqual(before);
      expect(await engine.counts("a")).toMatchObject({ running: 0 });
      await makeFirstCommit(path, kind === "bare");
      const again = await world.retry(engine, sessionId);
      expect((await untilOver(again.sessionId)).status).toBe("succeeded");
      const now = (await readdir(path)).filter((name) => name !== "worktrees");
      expect(now.sort()).toEqual(before);
    });
  }
});
