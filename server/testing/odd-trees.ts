/** Odd states of a person's tree, and odd files in an ordinary one: a part of the table of odd repositories. */
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { commitAll, makeRepository, runGit, writeFiles, writeHook } from "./git-repositories";
import { FILES, type OddRepository, plain, plainOn, withSubmodule } from "./odd-repository";

const LOCAL_HOOKS = ["pre-commit", "commit-msg", "pre-merge-commit", "post-merge", "reference-transaction"];
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
const namesWith = (content: string) => Object.fromEntries(ODD_NAMES.map((name) => [name, content]));

/** `plain`, with what its person left there. */
function left(files: Readonly<Record<string, string>>): OddRepository["make"] {
  return async (folder) => {
    const repo = await plain(folder);
    await writeFiles(repo, files);
    return repo;
  };
}

export const ODD_TREES: Readonly<Record<string, OddRepository>> = {
  "a clean tree on the base": { make: plain, merge: "moved" },
  "files of one's own beside, ignored and not": {
    make: left({ "notes.txt": "mine\n", ".env": "A=1\n", ".git/info/exclude": ".env\n" }),
    merge: "moved",
  },
  "a changed tree on the base": {
    make: left({ "b.txt": "mine\n" }),
    merge: { code: "BASE_NOT_CLEAN", says: /“b\.txt” is not committed/ },
  },
  "staged and not committed on the base": {
    make: async (folder) => {
      const repo = await left({ "c.txt": "mine\n" })(folder);
      await runGit(repo, "add", "--", "c.txt");
      return repo;
    },
    merge: { code: "BASE_NOT_CLEAN", says: /“c\.txt” is not committed/ },
  },
  "a changed tree on another branch": {
    make: async (folder) => {
      const repo = await plainOn(folder, "mine");
      await writeFiles(repo, { "a.txt": "mine\n", "new.txt": "mine\n" });
      return repo;
    },
    merge: "merged",
  },
  "a detached HEAD, and changes": {
    make: async (folder) => {
      const repo = await plain(folder);
      await runGit(repo, "checkout", "-q", "--detach");
      await writeFiles(repo, { "a.txt": "mine\n" });
      return repo;
    },
    merge: "merged",
  },
  "a merge of one's own under way": {
    make: async (folder) => {
      const repo = await plain(folder);
      const beside = await runGit(repo, "commit-tree", "-p", "main", "-m", "beside", "main^{tree}");
      await runGit(repo, "merge", "-q", "--no-commit", "--no-ff", "-s", "ours", beside);
      return repo;
    },
    merge: { code: "BASE_NOT_CLEAN", says: /MERGE_HEAD/ },
  },
  "the base checked out in another tree, changed there": {
    make: async (folder) => {
      const repo = await plainOn(folder, "mine");
      const tree = join(folder, "other tree");
      await runGit(repo, "worktree", "add", "-q", tree, "main");
      await writeFiles(tree, { "b.txt": "mine\n" });
      return repo;
    },
    merge: { code: "BASE_NOT_CLEAN", says: /other tree, where “b\.txt”/ },
  },
  "a lock that somebody's git left": {
    make: left({ ".git/index.lock": "" }),
    merge: { code: "BASE_NOT_CLEAN", says: /index\.lock/ },
  },
  "a submodule": {
    make: withSubmodule,
    fresh: ["--recurse-submodules", "-c", "protocol.file.allow=always"],
    merge: "moved",
  },
  "a submodule with work of one's own in it": {
    make: async (folder) => {
      const repo = await withSubmodule(folder);
      await writeFiles(repo, { "sub/inner.txt": "mine\n" });
      return repo;
    },
    merge: { code: "BASE_NOT_CLEAN", says: /“sub” is not committed/ },
  },
  "line ends of Windows in the tree": {
    make: async (folder) => {
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
    make: (folder) => makeRepository(join(folder, "repo"), { "a.txt": "one\r\ntwo\r\n", "b.txt": "b\r\n" }),
    merge: "moved",
  },
  "names that differ in case only": {
    make: plain,
    work: (tree) => writeFiles(tree, { "A.txt": "other\n", "B.TXT": "other\n", "a.txt": "two\n" }),
    merge: "moved",
  },
  "links, also to the outside and in place of files": {
    make: async (folder) => {
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
    make: (folder) => makeRepository(join(folder, "repo"), { ...FILES, "dir/c.txt": "c\n" }),
    work: async (tree) => {
      for (const name of ["a.txt", "dir"]) await rm(join(tree, name), { recursive: true });
      await writeFiles(tree, { "a.txt/inside": "inside\n", dir: "a file\n" });
    },
    merge: "moved",
  },
  "names that look like options, patterns and more": {
    make: plain,
    work: (tree) => writeFiles(tree, namesWith("odd\n")),
    merge: "moved",
  },
  "names in conflict that look like options, patterns and more": {
    make: (folder) => makeRepository(join(folder, "repo"), namesWith("odd\n")),
    work: (tree) => writeFiles(tree, namesWith("agent\n")),
    meanwhile: async (repo) => {
      await writeFiles(repo, namesWith("mine\n"));
      await commitAll(repo, "mine");
    },
    merge: { code: "MERGE_CONFLICT" },
  },
  "hooks that say no to everything and write it down": {
    make: async (folder) => {
      const repo = await plain(folder);
      for (const hook of LOCAL_HOOKS) await writeHook(repo, hook, `#!/bin/sh\ntouch "${folder}/hook-ran"\nexit 1\n`);
      await writeHook(
        repo,
        "post-checkout",
        `#!/bin/sh\n[ "$PWD" != "${repo}" ] || touch "${folder}/hook-ran"\nexit 1\n`,
      );
      return repo;
    },
    merge: "moved",
  },
};
