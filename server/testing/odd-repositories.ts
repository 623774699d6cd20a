/** Repositories that are themselves odd: where they lie, what they lack, how they are set up. A part of the table. */
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  commitAll,
  makeNastyPathRepository,
  makeRepository,
  makeUnbornRepositories,
  runGit,
  writeFiles,
} from "./git-repositories";
import { FILES, type OddRepository, plain, plainOn, withSubmodule } from "./odd-repository";

async function bare(folder: string): Promise<string> {
  await runGit(folder, "clone", "-q", "--bare", await plain(folder), join(folder, "bare.git"));
  return join(folder, "bare.git");
}

function bareWithHook(name: string, script: string): OddRepository["make"] {
  return async (folder) => {
    const repo = await bare(folder);
    await writeFiles(join(repo, "hooks"), { [name]: `#!/bin/sh\n${script}\n` });
    await chmod(join(repo, "hooks", name), 0o755);
    return repo;
  };
}

function configured(...settings: readonly (readonly [string, string])[]): OddRepository["make"] {
  return async (folder) => {
    const repo = await plain(folder);
    for (const [key, value] of settings) await runGit(repo, "config", key, value);
    return repo;
  };
}

/** A clone with these options of a repository with two commits. */
function clonedWith(...options: readonly string[]): OddRepository["make"] {
  return async (folder) => {
    const origin = await plain(folder);
    await writeFiles(origin, { "b.txt": "more\n" });
    await commitAll(origin, "more");
    await runGit(origin, "config", "uploadpack.allowFilter", "true");
    await runGit(folder, "clone", "-q", ...options, `file://${origin}`, join(folder, "cloned"));
    return join(folder, "cloned");
  };
}

function pointer(digit: string): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${digit.repeat(64)}\nsize 12345\n`;
}

export const ODD_REPOSITORIES: Readonly<Record<string, OddRepository>> = {
  "a path with blanks, quotes and other scripts": { make: makeNastyPathRepository, merge: "moved" },
  "a shallow clone": { make: clonedWith("--depth", "1"), merge: "moved" },
  "a clone without the contents of older files": { make: clonedWith("--filter=blob:none"), merge: "moved" },
  "a clone without any contents yet": {
    make: clonedWith("--filter=blob:none", "--no-checkout"),
    merge: { code: "BASE_NOT_CLEAN" },
  },
  "names of commits as SHA-256": {
    make: async (folder) => {
      const repo = join(folder, "repo");
      await runGit(folder, "init", "-q", "-b", "main", "--object-format=sha256", repo);
      return makeRepository(repo, FILES);
    },
    merge: "moved",
  },
  "commits that have to be signed, with a key that is not there": {
    make: configured(["commit.gpgSign", "true"], ["gpg.program", "/bin/false"]),
    merge: "moved",
  },
  "settings that change how git merges": {
    make: configured(
      ["merge.ff", "only"],
      ["branch.main.mergeOptions", "--squash"],
      ["merge.autoStash", "true"],
      ["core.fsmonitor", "/bin/false"],
      ["i18n.commitEncoding", "latin1"],
    ),
    merge: "moved",
  },
  "pointers of Git LFS": {
    make: (folder) =>
      makeRepository(join(folder, "repo"), { ...FILES, ".gitattributes": "*.bin -text\n", "x.bin": pointer("1") }),
    work: (tree) => writeFiles(tree, { "x.bin": pointer("2") }),
    merge: "moved",
  },
  "a branch with the name under which those of tasks stand": {
    make: async (folder) => {
      const repo = await plain(folder);
      await runGit(repo, "branch", "camelot");
      return repo;
    },
    merge: "moved",
  },
  "a bare repository": { make: bare, merge: "merged" },
  "a bare repository whose hook lets nobody change the base": {
    make: bareWithHook("update", '[ "$1" != refs/heads/main ] || { echo "$1 is frozen" >&2; exit 1; }'),
    merge: { code: "CONFLICT", says: /a hook there said no\. It says: “refs\/heads\/main is frozen”/ },
  },
  "a bare repository whose hook lets it pass": { make: bareWithHook("pre-receive", "exit 0"), merge: "merged" },
  "a git directory that lies elsewhere": {
    make: async (folder) => {
      const [away, far] = [join(folder, "away.git"), join(folder, "far")];
      await runGit(folder, "clone", "-q", `--separate-git-dir=${away}`, await plain(folder), far);
      return far;
    },
    merge: "moved",
  },
  "a project that is itself a submodule": {
    make: async (folder) => {
      const repo = await withSubmodule(folder);
      await runGit(join(repo, "sub"), "checkout", "-q", "main");
      return join(repo, "sub");
    },
    work: (tree) => writeFiles(tree, { "inner.txt": "changed\n" }),
    merge: "moved",
  },
  "a project that is a worktree of somebody's": {
    make: async (folder) => {
      const repo = await plainOn(folder, "mine");
      await runGit(repo, "worktree", "add", "-q", join(folder, "linked"), "main");
      return join(folder, "linked");
    },
    merge: "moved",
  },
  "a base with an odd name": {
    make: async (folder) => {
      const repo = await plain(folder);
      await runGit(repo, "update-ref", "refs/heads/--upload-pack=touch", "main");
      return repo;
    },
    base: "--upload-pack=touch",
    merge: "merged",
  },
  "a base that only the remote has": {
    make: async (folder) => {
      const origin = await plain(folder);
      await runGit(origin, "branch", "develop");
      await runGit(folder, "clone", "-q", origin, join(folder, "mine"));
      return join(folder, "mine");
    },
    base: "develop",
    merge: "merged",
  },
  "no branch at all": {
    make: async (folder) => {
      const repo = await plain(folder);
      await runGit(repo, "checkout", "-q", "--detach");
      await runGit(repo, "branch", "-D", "main");
      return repo;
    },
    base: "HEAD",
    merge: { code: "REPOSITORY_UNUSABLE", says: /no branch “HEAD” to merge into/ },
  },
};

/** They are refused when they are dispatched, each with one sentence. */
export const UNUSABLE_REPOSITORIES: Readonly<Record<string, Pick<OddRepository, "make"> & { readonly says: RegExp }>> =
  {
    "nothing in it yet": { make: async (folder) => (await makeUnbornRepositories(folder)).empty, says: /first commit/ },
    "files and no commit": {
      make: async (folder) => (await makeUnbornRepositories(folder)).files,
      says: /first commit/,
    },
    "a bare one without a commit": {
      make: async (folder) => (await makeUnbornRepositories(folder)).bare,
      says: /first commit/,
    },
    "a base that does not exist": {
      make: async (folder) => {
        const repo = await plain(folder);
        await runGit(repo, "branch", "-m", "trunk");
        return repo;
      },
      says: /The branch "main" does not exist/,
    },
    "commits whose files are lost": {
      make: async (folder) => {
        const repo = await plain(folder);
        const tree = await runGit(repo, "rev-parse", "main^{tree}");
        await rm(join(repo, ".git", "objects", tree.slice(0, 2), tree.slice(2)));
        return repo;
      },
      says: /unable to read tree/,
    },
  };
