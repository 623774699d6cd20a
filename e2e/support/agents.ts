/**
 * Scripts for the shell agent that a story can hold back and let go: an agent waits until its gate file is there, so a
 * story never depends on how long something takes.
 */
import fs from "node:fs";
import path from "node:path";

export interface Gate {
  /** A bash line that prints numbered lines until the gate opens. */
  readonly script: string;
  /** A bash line that writes nothing and ends when the gate opens. */
  readonly wait: string;
  open(): void;
}

export function makeGate(folder: string, name: string): Gate {
  const file = path.join(folder, `gate-${name}`);
  return {
    script: `echo "agent ${name} pid $$"; i=0; while [ ! -e '${file}' ]; do i=$((i+1)); echo "${name} line $i"; sleep 0.1; done; echo "${name} end $i"`,
    wait: `while [ ! -e '${file}' ]; do sleep 0.05; done`,
    open: () => fs.writeFileSync(file, ""),
  };
}

/** What a gated agent wrote must be each line once and in order, with nothing missing. */
export function readLines(output: string, name: string): number[] {
  return [...output.matchAll(new RegExp(`^${name} line (\\d+)$`, "gm"))].map((match) => Number(match[1]));
}

/** The process id that a gated agent printed first. */
export function readPid(output: string, name: string): number {
  const pid = Number(new RegExp(`^agent ${name} pid (\\d+)$`, "m").exec(output)?.[1]);
  if (!Number.isInteger(pid)) throw new Error(`No process id of ${name} in: ${output.slice(0, 200)}`);
  return pid;
}
