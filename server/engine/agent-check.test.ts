import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPrograms } from "../runner/programs";
import { agentUsable } from "./agent-check";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "camelot-programs-"));
  await writeFile(join(folder, "tool"), "#!/bin/sh\n", { mode: 0o755 });
  await writeFile(join(folder, "notes.txt"), "", { mode: 0o644 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("[P1] an agent is usable when its program is on the PATH, or executable where its path says", async () => {
  const programs = createPrograms({ PATH: `relative::${folder}` });
  const usable = (...argv: string[]) => agentUsable(programs, { kind: "command", name: "Tool", settings: { argv } });
  expect(await usable("tool", "--flag")).toBeNull();
  expect(await usable(join(folder, "tool"))).toBeNull();
  // Relative to a worktree that is made later.
  expect(await usable("./scripts/agent.sh")).toBeNull();
  expect(await usable("toool")).toBe("Tool is not installed here: the program toool was not found.");
  expect(await usable(join(folder, "notes.txt"))).toMatch(/^Tool is not installed here/);
  expect(await usable(folder)).toMatch(/^Tool is not installed here/);
});

it("[P1] the shell agent needs bash, and settings that are no command are said to be so", async () => {
  expect(await agentUsable(createPrograms(process.env), { kind: "shell", name: "Shell", settings: {} })).toBeNull();
  expect(await agentUsable(createPrograms({ PATH: folder }), { kind: "shell", name: "Shell", settings: {} })).toBe(
    "Shell is not installed here: the program bash was not found.",
  );
  expect(await agentUsable(createPrograms({}), { kind: "command", name: "Tool", settings: {} })).toBe(
    "The settings of the agent Tool are not a command.",
  );
});
