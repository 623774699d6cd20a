import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { waitFor } from "../testing/wait-for";
import { identify, identityFrom, isAlive, parseStat, signal } from "./process-identity";

it("[R4] reads a process whose name holds brackets and spaces from the last bracket on", () => {
  const fields = Array.from({ length: 50 }, (_, index) => String(index + 3));
  const stat = parseStat(`77 (a) R 1 (b) ) S 5 6 7 ${fields.slice(4).join(" ")}\n`);
  expect(stat).toEqual({ state: "S", parent: 5, group: 6, session: 7, start: "22" });
  expect(parseStat("")).toBeNull();
});

it("[R4] a pid that belongs to another process by now is neither alive nor signalled", async () => {
  const stranger = spawn("sleep", ["60"]);
  const pid = stranger.pid ?? 0;
  const identity = await waitFor(() => identify(pid), "the process to be there");
  expect(isAlive(identity)).toBe(true);
  for (const earlier of [
    { ...identity, start: String(Number(identity.start) - 1) },
    { ...identity, bootId: "of-an-earlier-boot" },
  ]) {
    expect(isAlive(earlier)).toBe(false);
    expect(signal(earlier, "SIGKILL")).toBe(false);
  }
  expect(isAlive(identity)).toBe(true);
  expect(signal(identity, "SIGKILL")).toBe(true);
  await waitFor(() => !isAlive(identity), "the process to be dead");
});

it("[R4] a zombie is dead", async () => {
  // The inner shell ends while its parent, which never asks for it, has become something else.
  const parent = spawn("bash", ["-c", "sleep 0.05 & echo $!; exec sleep 60"]);
  const pid = await new Promise<number>((resolve) => parent.stdout.once("data", (text) => resolve(Number(text))));
  await waitFor(() => identify(pid) === null, "the child to be a zombie");
  expect(() => process.kill(pid, 0)).not.toThrow();
  parent.kill("SIGKILL");
});

it("[R4] what is not an identity is not taken for one", () => {
  for (const value of [null, [], {}, { pid: 1, start: "2", bootId: "b" }, { pid: 5, start: 2, bootId: "b" }]) {
    expect(identityFrom(value)).toBeNull();
  }
});
