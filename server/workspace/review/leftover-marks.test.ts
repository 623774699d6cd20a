import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commitAll, makeRepository, makeTestFolder, runGit, writeFiles } from "../../testing/git-repositories";
import { filesGainingMarks } from "./leftover-marks";

const MARKS = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n";

let folder = "";
let remove: () => Promise<void>;
let repo = "";
let lines: string[];

beforeEach(async () => {
  ({ folder, remove } = await makeTestFolder());
  lines = [];
  repo = await makeRepository(join(folder, "repo"), { "a.txt": "one\ntwo\n", "docs.md": `Git writes:\n\n${MARKS}` });
});
afterEach(() => remove());

/** Of what is committed now against the commit before. */
async function look(from = "HEAD~1", to = "HEAD"): Promise<readonly string[]> {
  await commitAll(repo, "changed");
  return filesGainingMarks({ log: (line) => lines.push(line) }, repo, from, to);
}

test("[W4] files that gain both marks are named, however they are called and end their lines", async () => {
  const names = ["a.txt", "dir/x “y” \t.txt", "emoji 🎉.txt", "line\nbreak.txt"];
  await writeFiles(repo, Object.fromEntries(names.map((name) => [name, `before\n${MARKS}`])));
  await writeFiles(repo, {
    "carriage.txt": MARKS.replaceAll("\n", "\r\n"),
    "last.txt": MARKS.trimEnd(),
    "long.txt": MARKS.replace(/[<>=]{7}/g, (mark) => mark + mark),
  });
  expect([...(await look())].toSorted()).toEqual([...names, "carriage.txt", "last.txt", "long.txt"].toSorted());
  expect(lines).toEqual([]);
});

test("[W4] headings, one mark alone, marks in a line, in bytes, that were there or that go are none", async () => {
  await writeFiles(repo, {
    "a.txt": "Title\n=======\n",
    "quote.txt": ">>>>>>> said somebody\n",
    "begin.txt": "<<<<<<< only\n",
    "code.txt": 'const marks = "<<<<<<< HEAD >>>>>>> other";\n <<<<<<< HEAD\n >>>>>>> other\n<<<<<<<a\n>>>>>>>b\n',
    "bytes.bin": `\0${MARKS}`,
    "docs.md": `Git writes, as everybody knows:\n\n${MARKS}And more.\n`,
  });
  expect(await look()).toEqual([]);
  expect(await filesGainingMarks({ log: (line) => lines.push(line) }, repo, "HEAD", "HEAD")).toEqual([]);
  await writeFiles(repo, { "docs.md": "Resolved.\n" });
  expect(await look()).toEqual([]);
  expect(lines).toEqual([]);
});

test("[W4] a link that becomes a file does not shift the names of the others", async () => {
  await symlink("<<<<<<< a\n>>>>>>> b\n", join(repo, "b-link"));
  await commitAll(repo, "link");
  await runGit(repo, "rm", "-q", "b-link");
  await writeFiles(repo, { "b-link": "plain\n>>>>>>> x\n", "c.txt": MARKS, "d.txt": "<<<<<<< x\n" });
  expect(await look()).toEqual(["c.txt"]);
});

test("[W4] patches without end are looked at to a limit, and the log says so", async () => {
  await writeFiles(repo, { "a.txt": MARKS, "b.txt": `${MARKS.repeat(120_000)}`, "c.txt": MARKS });
  expect(await look()).toEqual(["a.txt", "b.txt"]);
  expect(lines).toEqual([expect.stringContaining("only the first 4 MB")]);
});

test("[W4] a look that fails is left out, and the log says so", async () => {
  await writeFiles(repo, { "a.txt": MARKS });
  expect(await look("HEAD~1", "0".repeat(40))).toEqual([]);
  expect(lines).toEqual([expect.stringContaining("without a look for conflict marks")]);
});
