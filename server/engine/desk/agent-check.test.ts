import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Machine } from "../../ports/runner";
import { createPrograms } from "../../runner/programs";
import { agentUsable } from "./agent-check";

let folder: string;
const machineWith = (sandboxProblem: string | null): Machine => ({
  variables: () => ({}),
  version: () => ({ version: null, isAsked: false }),
  facts: async () => ({ treeEnding: "scan", sandboxProblem }),
});
const free = machineWith("there is none");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "camelot-programs-"));
  await writeFile(join(folder, "tool"), "#!/bin/sh\n", { mode: 0o755 });
  await writeFile(join(folder, "notes.txt"), "", { mode: 0o644 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("[P1] an agent is usable when its program is on the PATH, or executable where its path says", async () => {
  const programs = createPrograms({ PATH: `relative::${folder}` });
  const usable = (...argv: string[]) =>
    agentUsable(programs, free, { kind: "command", name: "Tool", settings: { argv } });
  expect(await usable("tool", "--flag")).toBeNull();
  expect(await usable(join(folder, "tool"))).toBeNull();
  // Relative to a worktree that is made later.
  expect(await usable("./scripts/agent.sh")).toBeNull();
  expect(await usable("toool")).toBe("Tool is not installed here: the program toool was not found.");
  expect(await usable("toool --say hello")).toBe(
    "Tool is not installed here: the program toool --say hello was not found. Each argument stands on a line of its own.",
  );
  const notes = join(folder, "notes.txt");
  for (const named of [notes, "notes.txt"]) {
    expect(await usable(named)).toBe(`Tool cannot be started: the program ${notes} is not executable.`);
  }
  expect(await usable(folder)).toMatch(/^Tool is not installed here/);
});

it("[P1] the shell agent needs bash, and settings that are no command are said to be so", async () => {
  expect(
    await agentUsable(createPrograms(process.env), free, { kind: "shell", name: "Shell", settings: {} }),
  ).toBeNull();
  expect(
    await agentUsable(createPrograms({ PATH: folder }), free, { kind: "shell", name: "Shell", settings: {} }),
  ).toBe("Shell is not installed here: the program bash was not found.");
  expect(await agentUsable(createPrograms({}), free, { kind: "command", name: "Tool", settings: {} })).toBe(
    "The settings of the agent Tool are not a command.",
  );
});

it("[P1][R7] an agent that runs in a sandbox only is unusable where there is none, with the reason", async () => {
  const agent = { kind: "shell", name: "Shell", settings: { sandbox: "bubblewrap" } };
  const programs = createPrograms(process.env);
  expect(await agentUsable(programs, machineWith(null), agent)).toBeNull();
  expect(await agentUsable(programs, machineWith("bubblewrap (bwrap) is not installed."), agent)).toBe(
    "Bubblewrap (bwrap) is not installed. Shell runs in a sandbox only.",
  );
});
