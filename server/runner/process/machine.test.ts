/** What a machine's programs say of their version, by small programs that take their time (B10). */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { waitFor } from "../../testing/wait-for";
import { createMachine } from "./machine";

let folder: string;
let machine: ReturnType<typeof createMachine>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  folder = await mkdtemp(join(tmpdir(), "camelot-machine-"));
  machine = createMachine(process.env);
});
afterEach(async () => {
  machine.stop();
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

const file = (name: string) => join(folder, name);

/** Notes that it was asked, by its process id, and answers once there is a file `go`. */
async function program(answer: string): Promise<string> {
  const lines = [`echo $$ >> '${file("asked")}'`, `until [ -e '${file("go")}' ]; do sleep 0.02; done`, answer];
  await writeFile(file("tool"), `#!/bin/sh\n${lines.join("\n")}\n`, { mode: 0o755 });
  return file("tool");
}

async function whoWasAsked(): Promise<string | null> {
  const text = await readFile(file("asked"), "utf8").catch(() => "");
  return text.endsWith("\n") ? text : null;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const answered = (tool: string) => waitFor(() => !machine.version(tool).isAsked, "the program's answer");

it("[B10] a version is told once its program has said it; until then nobody waits, and the program is asked once", async () => {
  const tool = await program("echo tool 1.2.3");
  expect(machine.version(tool)).toEqual({ version: null, isAsked: true });
  expect(machine.version(tool)).toEqual({ version: null, isAsked: true });
  await writeFile(file("go"), "");
  await answered(tool);
  expect(machine.version(tool)).toEqual({ version: "1.2.3", isAsked: false });
  expect(await readFile(file("asked"), "utf8")).toMatch(/^\d+\n$/);
});

it("[B10] while a program is asked once more, for it may have been updated, its last version is told", async () => {
  const tool = await program("echo 1.2.3");
  await writeFile(file("go"), "");
  machine.version(tool);
  await answered(tool);
  await rm(file("go"));
  await program("echo 1.3.0-rc.1 of today");
  vi.advanceTimersByTime(61_000);
  expect(machine.version(tool)).toEqual({ version: "1.2.3", isAsked: true });
  await writeFile(file("go"), "");
  await answered(tool);
  expect(machine.version(tool)).toEqual({ version: "1.3.0-rc.1", isAsked: false });
});

it("[B10] a program that says none has none, and one that is not there neither", async () => {
  const tool = await program("echo no idea; exit 3");
  await writeFile(file("go"), "");
  for (const name of [tool, file("nowhere")]) {
    machine.version(name);
    await answered(name);
    expect(machine.version(name)).toEqual({ version: null, isAsked: false });
  }
});

it("[R5] a server that leaves ends the programs that it asks", async () => {
  const tool = await program("echo 1.2.3");
  machine.version(tool);
  const asked = await waitFor(() => whoWasAsked(), "it to be asked");
  machine.stop();
  await waitFor(() => !isThere(Number(asked)), "its end");
  await answered(tool);
  expect(machine.version(tool)).toEqual({ version: null, isAsked: false });
});
