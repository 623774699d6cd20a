/** Agents: who has which, whether a task may use one, and what is missing here. Who may change them is the gate's (server/api). */
import type { Agent, MachineProgram } from "../../contract/agents";
import { programOf } from "../../core/agent/command-line";
import { KNOWN_PROGRAMS, type KnownProgram, knownProgram } from "../../core/agent/known-programs";
import type { AgentId, ProjectId, UserId } from "../../core/words";
import type { AgentChange, AgentStore, Programs, StoredAgent } from "../../ports/agent-store";
import type { Clock } from "../../ports/clock";
import type { Machine } from "../../ports/runner";
import type { Holds } from "../session/holds";
import { agentUsable } from "./agent-check";
import { holdView } from "./hold-view";
import { NOT_THERE, type Refusal, refuse } from "./refusal";

/** Agents in one answer. */
const PAGE = 500;

export interface AgentDeskParts {
  readonly agents: AgentStore;
  readonly programs: Programs;
  readonly machine: Machine;
  readonly holds: Pick<Holds, "of" | "lift">;
  readonly clock: Clock;
  readonly newId: () => string;
}

type Held = Awaited<ReturnType<Holds["of"]>>;

type NewAgentWish = Omit<StoredAgent, "id">;

export type AgentDesk = ReturnType<typeof createAgentDesk>;

export function createAgentDesk({ agents, programs, machine, holds, clock, newId }: AgentDeskParts) {
  async function view(agent: StoredAgent, held: Held): Promise<Agent> {
    const { id, name, kind, settings, projectId } = agent;
    const problem = await agentUsable(programs, machine, agent);
    return {
      id,
      name,
      kind,
      settings: { ...settings },
      projectId,
      problem,
      hold: holdView(held.get(id)),
      program: await programView(agent),
    };
  }

  /** What people need to know of its program; Shell's is everywhere the same. */
  async function programView(agent: StoredAgent): Promise<Agent["program"]> {
    const program = programOf(agent);
    if (agent.kind === "shell" || program.kind === "refused") return null;
    return lookAt(program.name, knownProgram(program.name));
  }

  async function lookAt(name: string, known: KnownProgram | null): Promise<NonNullable<Agent["program"]>> {
    const isThere = await programs.isThere(name);
    // Only what is known to answer is asked: somebody's own command may do anything, whatever it is given.
    const { version, isAsked } = isThere && known ? machine.version(name) : { version: null, isAsked: false };
    const { testedWith, install } = known ?? { testedWith: null, install: null };
    return { name, isThere, version, isVersionAsked: isAsked, testedWith, install };
  }

  async function machineProgram([name, known]: readonly [string, KnownProgram]): Promise<MachineProgram> {
    const kind = known.acp !== null ? "acp" : name === "claude" ? "claude-code" : "codex";
    return { ...(await lookAt(name, known)), title: known.title, kind, argv: known.acp && [...known.acp] };
  }

  async function viewOf(id: AgentId): Promise<Agent | Refusal> {
    const agent = await agents.agent(id);
    return agent === null ? NOT_THERE : view(agent, await holds.of("agent"));
  }

  return {
    agent: (id: AgentId) => agents.agent(id),
    /** Programs of agents that are known: what is there first. */
    async programs(): Promise<MachineProgram[]> {
      const all = await Promise.all(KNOWN_PROGRAMS.map(machineProgram));
      return [...all.filter(({ isThere }) => isThere), ...all.filter(({ isThere }) => !isThere)];
    },
    async list(userId: UserId, projectId: ProjectId | null, after: AgentId | null) {
      const found = await agents.visibleTo(userId, { projectId, after, limit: PAGE });
      const held = await holds.of("agent");
      return {
        items: await Promise.all(found.map((agent) => view(agent, held))),
        next: found.length === PAGE ? (found.at(-1)?.id ?? null) : null,
      };
    },
    async create(wish: NewAgentWish): Promise<Agent | Refusal> {
      const agent = { id: newId(), ...wish };
      const program = programOf(agent);
      if (program.kind === "refused") return refuse("BAD_REQUEST", program.sentence);
      if ((await agents.create(agent, clock.now())) === "name-taken") return nameTaken(agent);
      return view(agent, new Map());
    },
    view: viewOf,
    async change(id: AgentId, change: AgentChange): Promise<Agent | Refusal> {
      const found = await agents.agent(id);
      if (found === null) return NOT_THERE;
      const { name = found.name, settings = found.settings } = change;
      const agent = { ...found, name, settings };
      // A name may change also where nothing could be started for long.
      const program = change.settings === undefined ? null : programOf(agent);
      if (program?.kind === "refused") return refuse("BAD_REQUEST", program.sentence);
      if ((await agents.change(id, change)) === "name-taken") return nameTaken(agent);
      // What was wrong with the settings of before is no reason to hold those of now.
      if (change.settings !== undefined) await holds.lift("agent", id);
      return viewOf(id);
    },
    /** Tasks and sessions that name it keep the name; dispatching with it answers that it was removed. */
    remove: (id: AgentId) => agents.remove(id, clock.now()),
  };
}

function nameTaken({ name, projectId }: Pick<StoredAgent, "name" | "projectId">): Refusal {
  const where = projectId === null ? "for everybody" : "in this project";
  return refuse("CONFLICT", `There is an agent “${name}” ${where} already: choose another name.`);
}

/** An agent that somebody names for a task of this project: the installation's, or the project's own (S2). */
export async function agentNamed(
  agents: Pick<AgentStore, "agent">,
  projectId: ProjectId,
  id: AgentId,
): Promise<StoredAgent | Refusal> {
  const agent = await agents.agent(id);
  const isForeign = agent !== null && agent.projectId !== null && agent.projectId !== projectId;
  return agent === null || isForeign ? refuse("NOT_FOUND", "There is no such agent here.") : agent;
}
