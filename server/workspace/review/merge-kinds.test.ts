import { rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Worktree } from "../../ports/workspace";
import {
  commitAll,
  type GitWorld,
  makeGitWorld,
  makeRepository,
  mergeRequestFor,
  prepareOk,
  requestFor,
  runGit,
  saveRequestFor,
  writeFiles,
} from "../../testing/git-repositories";
import { readConflicts } from "../git/merge-conflicts";

let world: GitWorld;
let repo = "";
let made: Worktree;

const LINES = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join("");

beforeEach(async () => {
  world = await makeGitWorld();
  const binary = new Uint8Array([0, 1, 2]);
  repo = await makeRepository(join(world.folder, "repo"), {
    "old.txt": LINES,
    "image.bin": binary,
    "docs/a.md": LINES,
  });
  made = await prepareOk(world.workspace, requestFor(repo));
});
afterEach(() => world.remove());

const put = (name: string, content: string | Uint8Array) => (folder: string) => writeFiles(folder, { [name]: content });
const move = (from: string, to: string) => (folder: string) => rename(join(folder, from), join(folder, to));
const remove = (name: string) => (folder: string) => rm(join(folder, name));
const link = (name: string) => (folder: string) => symlink("elsewhere", join(folder, name));

type Change = (folder: string) => Promise<void>;
const CASES: readonly (readonly [files: Readonly<Record<string, string>>, branch: Change, base: Change])[] = [
  [{ "old.txt": "the same lines changed by both" }, put("old.txt", "mine\n"), put("old.txt", "yours\n")],
  [{ "new.txt": "added by both with different contents" }, put("new.txt", "mine\n"), put("new.txt", "yours\n")],
  [{ "old.txt": "changed by one, deleted by the other" }, put("old.txt", `${LINES}mine\n`), remove("old.txt")],
  [{ "old.txt": "changed by one, deleted by the other" }, remove("old.txt"), put("old.txt", `${LINES}yours\n`)],
  [
    { "image.bin": "binary, and changed by both" },
    put("image.bin", new Uint8Array([0, 3])),
    put("image.bin", new Uint8Array([0, 4])),
  ],
  [
    {
      "mine.txt": "renamed by both in different ways",
      "old.txt": "renamed by both in different ways",
      "yours.txt": "renamed by both in different ways",
    },
    move("old.txt", "mine.txt"),
    move("old.txt", "yours.txt"),
  ],
  [{ "mine.txt": "renamed by one, deleted by the other" }, move("old.txt", "mine.txt"), remove("old.txt")],
  [{ "new": "a file in one, a folder in the other" }, put("new", "mine\n"), put("new/in.txt", "yours\n")],
  [{ "new": "of a different type in each" }, link("new"), put("new", "yours\n")],
  [{ "guides/b.md": "in a folder that one of them renamed" }, put("docs/b.md", "mine\n"), move("docs", "guides")],
];

test.each(CASES)("[W4] a conflict says of what kind it is in each file: %o", async (files, branch, base) => {
  await branch(made.path);
  await world.workspace.save(saveRequestFor(repo, made));
  await base(repo);
  await commitAll(repo, "moved on");
  const refused = await world.workspace.merge(mergeRequestFor(repo, made));
  if (refused.kind !== "refused") return expect.fail("It was merged.");
  expect(Object.fromEntries((refused.files ?? []).map((file, at) => [file, refused.kinds?.[at]]))).toEqual(files);
  const [kind] = Object.values(files);
  expect(refused.message).toContain(` conflicts with main in “`);
  expect(refused.message).toContain(` (${kind}). Nothing was merged`);
  expect(await runGit(repo, "status", "--porcelain")).toBe("");
});

test("[W4] several kinds in one merge are told apart in the sentence", async () => {
  await writeFiles(made.path, { "old.txt": "mine\n", "docs/a.md": `${LINES}mine\n` });
  await world.workspace.save(saveRequestFor(repo, made));
  await writeFiles(repo, { "old.txt": "yours\n" });
  await rm(join(repo, "docs/a.md"));
  await commitAll(repo, "moved on");
  expect(await world.workspace.merge(mergeRequestFor(repo, made))).toMatchObject({
    message: expect.stringContaining(
      "conflicts with main in “docs/a.md” (changed by one, deleted by the other), “old.txt” (the same lines changed by both). Nothing",
    ),
  });
});

test("[W4] a submodule, a kind that nobody knows yet and a conflict without a word are told as far as they are known", () => {
  const staged = (path: string) => ["1", "2", "3"].map((stage) => `100644 c0ffee ${stage}\t${path}`);
  const message = (path: string, type: string) => ["1", path, type, "some words\n"];
  const fields = [
    ...[...staged("sub"), ...staged("odd"), ...staged("mute"), ""],
    ...message("sub", "CONFLICT (submodule not initialized)"),
    ...message("sub", "CONFLICT (contents)"),
    ...message("odd", "CONFLICT (of tomorrow)"),
    ...message("mute", "Auto-merging"),
    ...message("folder", "CONFLICT(directory rename unclear split)"),
    "",
  ];
  const unknown = "changed by both in ways that do not fit together";
  expect(readConflicts(fields)).toEqual([
    { file: "sub", kind: "a submodule, moved by both" },
    { file: "odd", kind: unknown },
    { file: "folder", kind: unknown },
    { file: "mute", kind: unknown },
  ]);
  expect(readConflicts(staged("cut"))).toEqual([{ file: "cut", kind: unknown }]);
});
