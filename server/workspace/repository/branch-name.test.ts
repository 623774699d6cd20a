import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { ODD_TITLES } from "../../testing/git-repositories";
import { folderName, freeBranchName } from "./branch-name";

test("[GIT-4][W1] every title gives a valid branch of its own, also when case is ignored", () => {
  const names: string[] = [];
  for (const title of ODD_TITLES) names.push(freeBranchName(12, title, names));
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ODD_TITLES.length);
  for (const name of names) {
    expect(name).toMatch(/^camelot\/12-[a-z0-9-]+$/);
    expect(name.length).toBeLessThanOrEqual(60);
    expect(execFileSync("git", ["check-ref-format", "--branch", name], { encoding: "utf8" }).trim()).toBe(name);
  }
});

test("[GIT-4] a title without Latin letters is called task, accents lose their marks in either spelling", () => {
  expect(folderName(3, "🚀🔥")).toBe("3-task");
  expect(folderName(3, "修复登录问题")).toBe("3-task");
  expect(folderName(3, "\u00e9t\u00e9")).toBe("3-ete");
  expect(folderName(3, "e\u0301te\u0301")).toBe("3-ete");
});

test("[W1] a name that is taken, in any case or as a folder of branches, gets a number", () => {
  expect(freeBranchName(1, "Fix", ["camelot/1-FIX"])).toBe("camelot/1-fix-2");
  expect(freeBranchName(1, "Fix", ["camelot/1-fix/deeper"])).toBe("camelot/1-fix-2");
  expect(freeBranchName(1, "Fix", ["camelot/1-fix", "camelot/1-fix-2"])).toBe("camelot/1-fix-3");
});

test("[W3] beside a branch named camelot another prefix is used", () => {
  expect(freeBranchName(1, "Fix", ["camelot"])).toBe("camelot-work/1-fix");
  expect(freeBranchName(1, "Fix", ["Camelot", "camelot-work"])).toBe("camelot-tasks/1-fix");
});
