/** How a new worktree gets its files: hook, submodules, pointers, sparse checkouts; and what happens when that fails. */
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  commitAll,
  type GitWorld,
  makeGitWorld,
  makeRepository,
  prepareOk,
  requestFor,
  runGit,
  writeFiles,
  writeHook,
} from "../../testing/git-repositories";

let world: GitWorld;
let repo = "";

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeRepository(join(world.folder, "repo"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await world.remove();
});

test("[W1] the repository's post-checkout hook runs as git would run it, and its failure is not ours", async () => {
  await writeHook(repo, "post-checkout", '#!/bin/sh\necho "$1 $2 $3" > hook-args\nexit 7\n');
  const made = await prepareOk(world.workspace, requestFor(repo));
  const base = await runGit(repo, "rev-parse", "main");
  expect(await readFile(join(made.path, "hook-args"), "utf8")).toBe(`${"0".repeat(40)} ${base} 1\n`);
  expect(world.lines.join("\n")).toContain("post-checkout hook ended with code 7");
});

test("[W3] submodules are there, at any depth", async () => {
  const inner = await makeRepository(join(world.folder, "inner"), { "inner.txt": "inner" });
  const middle = await makeRepository(join(world.folder, "middle"));
  await runGit(middle, "submodule", "--quiet", "add", inner, "deep");
  await commitAll(middle, "with inner");
  await runGit(repo, "submodule", "--quiet", "add", middle, "lib/middle");
  await commitAll(repo, "with middle");
  const made = await prepareOk(world.workspace, requestFor(repo));
  expect(await readFile(join(made.path, "lib/middle/deep/inner.txt"), "utf8")).toBe("inner");
  expect(await world.workspace.tidy({ repository: repo, worktree: made.path })).toBe(true);
});

test("[W3] a submodule that cannot be fetched is one plain sentence, and the next try works", async () => {
  const inner = await makeRepository(join(world.folder, "inner"));
  await runGit(repo, "submodule", "--quiet", "add", inner, "lib");
  await commitAll(repo, "with inner");
  await rename(inner, `${inner}-away`);
  const refused = await world.workspace.prepare(requestFor(repo));
  expect(refused).toMatchObject({
    kind: "refused",
    message: expect.stringMatching(/^The submodules of .* cannot be fetched\. /),
  });
  await rename(`${inner}-away`, inner);
  const made = await prepareOk(world.workspace, requestFor(repo));
  expect(made.branch).toBe("camelot/1-fix-login");
  expect(await readFile(join(made.path, "lib/a.txt"), "utf8")).toBe("one\n");
});

test("[W3] a list of submodules that an agent wrote reaches no local path", async () => {
  const secret = await makeRepository(join(world.folder, "secret"), { "secret.txt": "secret" });
  const made = await prepareOk(world.workspace, requestFor(repo));
  await runGit(made.path, "submodule", "--quiet", "add", secret, "stolen");
  await commitAll(made.path, "agent's submodule");
  await runGit(made.path, "submodule", "deinit", "-q", "--all");
  await runGit(repo, "worktree", "remove", "--force", made.path);
  const refused = await world.workspace.prepare(requestFor(repo, { branch: made.branch }));
  expect(refused).toMatchObject({ kind: "refused", message: expect.stringContaining("not allowed") });
});

test("[W3] LFS pointers stay pointers when there is no LFS, and sparse checkouts stay sparse", async () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";
  await writeFiles(repo, {
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    "big.bin": pointer,
    "out/b.txt": "b",
  });
  await commitAll(repo, "pointer");
  await runGit(repo, "sparse-checkout", "set", "--no-cone", "/*", "!/out");
  const made = await prepareOk(world.workspace, requestFor(repo));
  expect(await readFile(join(made.path, "big.bin"), "utf8")).toBe(pointer);
  expect(await readdir(made.path)).not.toContain("out");
});

test.each([
  ["process", "git-lfs filter-process"],
  ["smudge", "git-lfs smudge -- %f"],
])("[W1][W3] files in Git LFS without its program: one sentence says what to install (%s)", async (how, program) => {
  await writeFiles(repo, { ".gitattributes": "*.bin filter=lfs\n", "big.bin": "a pointer\n" });
  await commitAll(repo, "pointer");
  await runGit(repo, "config", "filter.lfs.required", "true");
  await runGit(repo, "config", `filter.lfs.${how}`, program);
  const bare = join(world.folder, "bin");
  await mkdir(bare);
  for (const name of ["git", "sh"]) await symlink(await programPath(name), join(bare, name));
  vi.stubEnv("PATH", bare);
  const refused = await world.workspace.prepare(requestFor(repo));
  expect(refused).toMatchObject({ kind: "refused", message: expect.stringContaining("git-lfs is not installed") });
});

/** Where the program is that the shell would start. */
async function programPath(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)("sh", ["-c", `command -v ${name}`]);
  return stdout.trim();
}

test("[W1] an aborted prepare can be repeated", async () => {
  await writeHook(repo, "post-checkout", "#!/bin/sh\nif [ ! -e ../go ]; then sleep 600; fi\n");
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error("cancelled")), 300);
  await expect(world.workspace.prepare(requestFor(repo), stop.signal)).rejects.toThrow("cancelled");
  await writeFiles(join(world.dataDir, "worktrees", "p1"), { go: "" });
  expect(await prepareOk(world.workspace, requestFor(repo))).toMatchObject({ branch: "camelot/1-fix-login" });
});
