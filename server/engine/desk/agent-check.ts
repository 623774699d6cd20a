/**
 * Whether an agent can be started on this machine, asked before a dispatch is accepted (P1: 409). Local and quick; that it
 * holds at the start as well is not promised, there it is an ending with a sentence.
 */
import { type AgentSpec, programOf, sandboxOf } from "../../core/agent/command-line";
import { knownProgram } from "../../core/agent/known-programs";
import type { Programs } from "../../ports/agent-store";
import type { Machine } from "../../ports/runner";

/** Null: usable. Otherwise one plain sentence that says what is missing. */
export async function agentUsable(programs: Programs, machine: Machine, agent: AgentSpec): Promise<string | null> {
  if (sandboxOf(agent.settings) === "bubblewrap") {
    const { sandboxProblem } = await machine.facts();
    if (sandboxProblem !== null) return `${capital(sandboxProblem)} ${agent.name} runs in a sandbox only.`;
  }
  const program = programOf(agent);
  if (program.kind === "refused") return program.sentence;
  return missingProgram(programs, agent, program.name);
}

/** Null: it is there. Otherwise one sentence, with the command that installs it where that is known. */
export async function missingProgram(programs: Programs, agent: AgentSpec, program: string): Promise<string | null> {
  // Relative to a worktree that may not be there yet.
  if (program.includes("/") && !program.startsWith("/")) return null;
  if (await programs.isThere(program)) return null;
  const unfit = await programs.notExecutable(program);
  if (unfit !== null) return `${agent.name} cannot be started: the program ${unfit} is not executable.`;
  const known = knownProgram(program);
  const how = known === null ? splitHint(program) : ` Install it with: ${known.install}`;
  return `${agent.name} is not installed here: the program ${program} was not found.${how}`;
}

/** A whole command in one line is taken for a program whose name has spaces. */
function splitHint(program: string): string {
  return /\s/.test(program) ? " Each argument stands on a line of its own." : "";
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
