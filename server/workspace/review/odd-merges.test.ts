import { chmod, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Worktree } from "../../ports/workspace";
import {
  commitAll,
  type GitWorld,
  makeGitWorld,
  makeNastyPathRepository,
  makeRepository,
  prepareOk,
  requestFor,
  runGit,
  saveRequestFor,
  writeFiles,
  writeHook,
} from "../../testing/git-repositories";
import { filesBelow, photoOf } from "../../testing/tree-photo";

const NORA = { name: "Nora", email: "nora@example.test" };
const FILES = { "a.txt": "one\n", "b.txt": "b\n" };

let world: GitWorld;
let folder = "";

beforeEach(async () => {
  world = await makeGitWorld();
  folder = world.folder;
});
afterEach(() => world.remove());

interface Odd {
  /** Makes the repository and gives its path. */
  readonly make: () => Promise<string>;
  readonly base?: string;
  /** What the agent leaves; without it `a.txt` changed and `new.txt` added. */
  readonly work?: (tree: string) => Promise<void>;
  /** After the agent's work and before the looks: what the person does. */
  readonly meanwhile?: (repo: string) => Promise<void>;
  /** What a merge answers; `moved`: the person's tree stands on the base and follows. */
  readonly merge: "merged" | "moved" | { readonly code: string; readonly says?: RegExp };
  /** Configuration a fresh checkout needs to be the same. */
  readonly fresh?: readonly string[];
}

const plain = () => makeRepository(join(folder, "repo"), FILES);
const on = async (branch: string) => {
  const repo = await plain();
  await runGit(repo, "checkout", "-q", "-b", branch);
  return repo;
};

const ODD: Record<string, Odd> = {
  "a clean tree on the base": { make: plain, merge: "moved" },
  "files of one's own beside, ignored and not": {
    make: plain,
    meanwhile: async (repo) => {
      await writeFiles(repo, { "notes.txt": "mine\n", ".env": "A=1\n" });
      await writeFiles(join(repo, ".git", "info"), { exclude: ".env\n" });
    },
    merge: "moved",
  },
  "a changed tree on the base": {
    make: plain,
    meanwhile: (repo) => writeFiles(repo, { "b.txt": "mine\n" }),
    merge: { code: "BASE_NOT_CLEAN", says: /“b\.txt” is not committed/ },
  },
  "staged and not committed on the base": {
    make: plain,
    meanwhile: async (repo) => {
      await writeFiles(repo, { "c.txt": "mine\n" });
      await runGit(repo, "add", "--", "c.txt");
    },
    merge: { code: "BASE_NOT_CLEAN", says: /“c\.txt” is not committed/ },
  },
  "a changed tree on another branch": {
    make: () => on("mine"),
    meanwhile: (repo) => writeFiles(repo, { "a.txt": "mine\n", "new.txt": "mine\n" }),
    merge: "merged",
  },
  "a detached HEAD": {
    make: async () => {
      const repo = await plain();
      await runGit(repo, "checkout", "-q", "--detach");
      return repo;
    },
    meanwhile: (repo) => writeFiles(repo, { "a.txt": "mine\n" }),
    merge: "merged",
  },
  "a merge of one's own under way": {
    make: plain,
    meanwhile: async (repo) => {
      await runGit(repo, "branch", "side");
      await runGit(repo, "merge", "-q", "--no-commit", "--no-ff", "-s", "ours", await commitBeside(repo));
    },
    merge: { code: "BASE_NOT_CLEAN", says: /MERGE_HEAD/ },
  },
  "the base checked out in another tree, changed there": {
    make: () => on("mine"),
    meanwhile: async (repo) => {
      const tree = join(folder, "other tree");
      await runGit(repo, "worktree", "add", "-q", tree, "main");
      await writeFiles(tree, { "b.txt": "mine\n" });
    },
    merge: { code: "BASE_NOT_CLEAN", says: /other tree, where “b\.txt”/ },
  },
  "a submodule": {
    make: async () => {
      const inner = await makeRepository(join(folder, "inner"), { "inner.txt": "inner\n" });
      const repo = await plain();
      await runGit(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "sub");
      await commitAll(repo, "with a submodule");
      return repo;
    },
    fresh: ["--recurse-submodules", "-c", "protocol.file.allow=always"],
    merge: "moved",
  },
  "a submodule with work of one's own in it": {
    make: async () => {
      const repo = await (ODD["a submodule"] as Odd).make();
      await writeFiles(repo, { "sub/inner.txt": "mine\n" });
      return repo;
    },
    merge: { code: "BASE_NOT_CLEAN", says: /“sub” is not committed/ },
  },
  "line ends of Windows in the tree": {
    make: async () => {
      const repo = await makeRepository(join(folder, "repo"), { ".gitattributes": "*.txt text\n", ...FILES });
      await runGit(repo, "config", "core.autocrlf", "true");
      for (const name of [".gitattributes", "a.txt", "b.txt"]) await rm(join(repo, name));
      await runGit(repo, "checkout", "-q", "--", ".");
      return repo;
    },
    fresh: ["-c", "core.autocrlf=true"],
    merge: "moved",
  },
  "line ends of Windows in the commits": {
    make: () => makeRepository(join(folder, "repo"), { "a.txt": "one\r\ntwo\r\n", "b.txt": "b\r\n" }),
    merge: "moved",
  },
  "names that differ in case only": {
    make: plain,
    work: (tree) => writeFiles(tree, { "A.txt": "other\n", "B.TXT": "other\n", "a.txt": "two\n" }),
    merge: "moved",
  },
  "links, also to the outside and in place of files": {
    make: async () => {
      const repo = await makeRepository(join(folder, "repo"), { ...FILES, "dir/c.txt": "c\n" });
      await symlink("a.txt", join(repo, "link"));
      await commitAll(repo, "a link");
      return repo;
    },
    work: async (tree) => {
      for (const name of ["link", "a.txt", "dir"]) await rm(join(tree, name), { recursive: true });
      await symlink("b.txt", join(tree, "link"));
      await symlink("/etc/hostname", join(tree, "a.txt"));
      await symlink("..", join(tree, "dir"));
    },
    merge: "moved",
  },
  "a file that becomes a folder, and a folder that becomes a file": {
    make: () => makeRepository(join(folder, "repo"), { ...FILES, "dir/c.txt": "c\n" }),
    work: async (tree) => {
      for (const name of ["a.txt", "dir"]) await rm(join(tree, name), { recursive: true });
      await writeFiles(tree, { "a.txt/inside": "inside\n", dir: "a file\n" });
    },
    merge: "moved",
  },
  "names that look like options, patterns and more": {
    make: plain,
    work: (tree) => writeFiles(tree, Object.fromEntries(ODD_NAMES.map((name) => [name, "odd\n"]))),
    merge: "moved",
  },
  "names in conflict that look like options, patterns and more": {
    make: () => makeRepository(join(folder, "repo"), Object.fromEntries(ODD_NAMES.map((name) => [name, "odd\n"]))),
    work: (tree) => writeFiles(tree, Object.fromEntries(ODD_NAMES.map((name) => [name, "agent\n"]))),
    meanwhile: async (repo) => {
      await writeFiles(repo, Object.fromEntries(ODD_NAMES.map((name) => [name, "mine\n"])));
      await commitAll(repo, "mine");
    },
    merge: { code: "MERGE_CONFLICT" },
  },
  "a path with blanks, quotes and other scripts": { make: () => makeNastyPathRepository(folder), merge: "moved" },
  "a shallow clone": {
    make: async () => {
      const origin = await plain();
      await writeFiles(origin, { "b.txt": "more\n" });
      await commitAll(origin, "more");
      await runGit(folder, "clone", "-q", "--depth", "1", `file://${origin}`, join(folder, "shallow"));
      return join(folder, "shallow");
    },
    merge: "moved",
  },
  "hooks that say no to every commit and write things down": {
    make: plain,
    meanwhile: async (repo) => {
      for (const hook of LOCAL_HOOKS) await writeHook(repo, hook, `#!/bin/sh\ntouch "${folder}/hook-ran"\nexit 1\n`);
    },
    merge: "moved",
  },
  "commits that have to be signed, with a key that is not there": {
    make: async () => {
      const repo = await plain();
      await runGit(repo, "config", "commit.gpgSign", "true");
      await runGit(repo, "config", "gpg.program", "/bin/false");
      return repo;
    },
    merge: "moved",
  },
  "settings that change how git merges": {
    make: async () => {
      const repo = await plain();
      for (const [key, value] of [
        ["merge.ff", "only"],
        ["branch.main.mergeOptions", "--squash"],
        ["merge.autoStash", "true"],
        ["core.fsmonitor", "/bin/false"],
        ["i18n.commitEncoding", "latin1"],
      ] as const) {
        await runGit(repo, "config", key, value);
      }
      return repo;
    },
    merge: "moved",
  },
  "pointers of Git LFS": {
    make: () =>
      makeRepository(join(folder, "repo"), { ...FILES, ".gitattributes": "*.bin -text\n", "x.bin": pointer("1") }),
    work: (tree) => writeFiles(tree, { "x.bin": pointer("2") }),
    merge: "moved",
  },
  "a bare repository": {
    make: async () => {
      await runGit(folder, "clone", "-q", "--bare", await plain(), join(folder, "bare.git"));
      return join(folder, "bare.git");
    },
    merge: "merged",
  },
  "a bare repository whose hook lets nobody change the base": {
    make: async () => {
      const bare = await (ODD["a bare repository"] as Odd).make();
      await writeFiles(join(bare, "hooks"), { update: '#!/bin/sh\necho "$1 is frozen" >&2\nexit 1\n' });
      await chmod(join(bare, "hooks", "update"), 0o755);
      return bare;
    },
    merge: { code: "CONFLICT", says: /a hook there said no\. It says: “refs\/heads\/main is frozen”/ },
  },
  "a bare repository whose hook lets it pass": {
    make: async () => {
      const bare = await (ODD["a bare repository"] as Odd).make();
      await writeFiles(join(bare, "hooks"), { "pre-receive": "#!/bin/sh\nexit 0\n" });
      await chmod(join(bare, "hooks", "pre-receive"), 0o755);
      return bare;
    },
    merge: "merged",
  },
  "a git directory that lies elsewhere": {
    make: async () => {
      const origin = await plain();
      await runGit(
        folder,
        "clone",
        "-q",
        `--separate-git-dir=${join(folder, "away.git")}`,
        origin,
        join(folder, "far"),
      );
      return join(folder, "far");
    },
    merge: "moved",
  },
  "a project that is itself a submodule": {
    make: async () => {
      const repo = await (ODD["a submodule"] as Odd).make();
      await runGit(join(repo, "sub"), "checkout", "-q", "main");
      return join(repo, "sub");
    },
    work: (tree) => writeFiles(tree, { "inner.txt": "changed\n" }),
    merge: "moved",
  },
  "a project that is a worktree of somebody's": {
    make: async () => {
      const repo = await on("mine");
      await runGit(repo, "worktree", "add", "-q", join(folder, "linked"), "main");
      return join(folder, "linked");
    },
    merge: "moved",
  },
  "a base with an odd name": {
    make: async () => {
      const repo = await plain();
      await runGit(repo, "update-ref", "refs/heads/--upload-pack=touch", "main");
      return repo;
    },
    base: "--upload-pack=touch",
    merge: "merged",
  },
  "a base that only the remote has": {
    make: async () => {
      const origin = await plain();
      await runGit(origin, "branch", "develop");
      await runGit(folder, "clone", "-q", origin, join(folder, "mine"));
      return join(folder, "mine");
    },
    base: "develop",
    merge: "merged",
  },
  "no branch at all": {
    make: async () => {
      const repo = await plain();
      await runGit(repo, "checkout", "-q", "--detach");
      await runGit(repo, "branch", "-D", "main");
      return repo;
    },
    base: "HEAD",
    merge: { code: "REPOSITORY_UNUSABLE", says: /no branch “HEAD” to merge into/ },
  },
  "a lock that somebody's git left": {
    make: plain,
    meanwhile: (repo) => writeFiles(join(repo, ".git"), { "index.lock": "" }),
    merge: { code: "BASE_NOT_CLEAN", says: /index\.lock/ },
  },
};

const LOCAL_HOOKS = [
  "pre-commit",
  "commit-msg",
  "pre-merge-commit",
  "post-merge",
  "post-checkout",
  "reference-transaction",
];
const ODD_NAMES = [
  "-rf",
  "--upload-pack=touch x",
  "-oProxyCommand=x",
  ":(top)a.txt",
  "new\nline",
  "ta\tb",
  'qu"ote',
  "st*r",
  "🚀 ü",
  "a b ",
];

describe("diff and merge in odd repositories", () => {
  test.each(Object.entries(ODD))("[W4][W3][GIT-6] %s", async (_name, odd) => {
    const { base = "main" } = odd;
    const repo = await odd.make();
    const made = await prepareOk(world.workspace, requestFor(repo, { baseBranch: base }));
    await (odd.work ?? ((tree) => writeFiles(tree, { "a.txt": "two\n", "new.txt": "new\n" })))(made.path);
    await world.workspace.save(saveRequestFor(repo, made));
    await odd.meanwhile?.(repo);
    const before = await photoOf(repo);
    const { branch, baseCommit } = made;
    const files = await world.workspace.diff({ repository: repo, worktree: made.path, branch, baseCommit });
    expect(files.length).toBeGreaterThan(0);
    expect(await photoOf(repo)).toEqual(before);

    const merged = await world.workspace.merge({
      ...{ repository: repo, baseBranch: base, branch, baseCommit, message: "Merge #1 Fix login", author: NORA },
    });
    const after = await photoOf(repo);
    if (odd.merge === "moved") {
      expect(merged).toEqual({ kind: "merged", commit: await runGit(repo, "rev-parse", `refs/heads/${base}`) });
      await expectFollowed(repo, before.files, odd.fresh ?? []);
    } else if (odd.merge === "merged") {
      expect(merged).toEqual({ kind: "merged", commit: await runGit(repo, "rev-parse", `refs/heads/${base}`) });
      expect({ ...after, refs: "" }).toEqual({ ...before, refs: "" });
    } else {
      const { code, says = /./ } = odd.merge;
      expect(merged).toMatchObject({ kind: "refused", code, message: expect.stringMatching(says) });
      expect(after).toEqual(before);
    }
    await expectSound(repo, made, odd);
  });
});

/** What the commits hold is as in a fresh checkout, and what was the person's own is as it was. */
async function expectFollowed(repo: string, before: Readonly<Record<string, string>>, options: readonly string[]) {
  const fresh = join(folder, "fresh");
  await runGit(folder, "clone", "-q", ...options, repo, fresh);
  const [here, there] = [await filesBelow(repo, ""), await filesBelow(fresh, "")];
  const own = Object.keys(here).filter((name) => !(name in there));
  expect(Object.fromEntries(Object.entries(here).filter(([name]) => name in there))).toEqual(there);
  for (const name of own) expect(here[name]).toBe(before[name]);
  expect(await runGit(repo, "status", "--porcelain", "--untracked-files=no")).toBe("");
}

async function expectSound(repo: string, made: Worktree, odd: Odd): Promise<void> {
  expect(await runGit(repo, "fsck", "--no-dangling")).toBe("");
  expect(await readdir(folder)).not.toContain("hook-ran");
  expect(await readdir(join(world.dataDir, "git-moves")).catch(() => [])).toEqual([]);
  expect(await readdir(made.path)).not.toHaveLength(0);
  if (typeof odd.merge !== "string") return;
  const line = await runGit(repo, "log", "-1", "--format=%an %cn %G? %s", `refs/heads/${odd.base ?? "main"}`);
  expect(line).toBe("Nora Nora N Merge #1 Fix login");
}

async function commitBeside(repo: string): Promise<string> {
  return runGit(repo, "commit-tree", "-p", "side", "-m", "beside", "side^{tree}");
}

function pointer(digit: string): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${digit.repeat(64)}\nsize 12345\n`;
}
