/**
 * Which variables a project may give its agents (A1), and when a value can be kept as a secret (A3). Whoever may write them
 * may run any code as the runner's user anyway (S4), so names like PATH or LD_PRELOAD are the owners' own decision; refused is
 * what the product itself says to agents, and what no program can be given.
 */
import { SECRET_MIN_CHARS } from "./secret-forms";

/** Longest name in characters. */
const NAME_MAX = 200;
/** Longest value in bytes of UTF-8: Linux passes on no single variable of 128 KB or more. */
const VALUE_MAX_BYTES = 100_000;
/** Of all names and values of a project together: what a command line has room for beside its arguments. */
export const VARIABLES_MAX_BYTES = 500_000;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** The product's own: where a session says which it is, and what its processes are found by (R7). */
const OURS = /^CAMELOT_/i;

const CAREFUL: readonly (readonly [RegExp, string])[] = [
  [/^PATH$/, "It replaces the machine's PATH: an agent whose program is in none of its folders does not start."],
  [/^LD_/, "Every program that an agent starts is loaded with it: a wrong one makes all of them fail."],
  [
    /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS)$/,
    "Every bash script begins with it, the shell agent's and the setup script too.",
  ],
  [
    /^(HOME|XDG_[A-Z]+_HOME)$/,
    "Agents look for their logins and settings there, and do without those of the server's user.",
  ],
  [
    /^(NODE_OPTIONS|PYTHONHOME|PYTHONPATH)$/,
    "Agents that are written in that language start with it: a wrong one makes them fail.",
  ],
  [/^GIT_/, "Every git command of an agent obeys it: a wrong one leads it away from its worktree."],
];

export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly isSecret: boolean;
}

/** One plain sentence saying why it is refused, or null. Never repeats the value. */
export function refusedVariable({ name, value, isSecret }: Variable): string | null {
  if (!NAME.test(name) || name.length > NAME_MAX) {
    return "A variable's name has letters, digits and underscores, and does not begin with a digit.";
  }
  if (OURS.test(name)) return "Names that begin with CAMELOT_ are Camelot's own: choose another one.";
  if (value.includes("\u0000")) return "A variable cannot hold a NUL character.";
  if (sizeOf(value) > VALUE_MAX_BYTES) return "A variable can hold 100 KB at most.";
  if (isSecret && [...value.trim()].length < SECRET_MIN_CHARS) {
    return `A secret needs ${SECRET_MIN_CHARS} characters or more: a shorter one cannot be masked in output. Choose a longer one, or keep it as a plain variable.`;
  }
  return null;
}

/** What is allowed and still makes every agent fail when it is wrong: one sentence for whoever writes it, or null. */
export function warningFor(name: string): string | null {
  return CAREFUL.find(([names]) => names.test(name))?.[1] ?? null;
}

/** What has to be masked for a secret: as it is, and as it looks when a program cuts off its line breaks. */
export function maskedValues(secret: string): string[] {
  return [...new Set([secret, secret.trim()])];
}

export function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
