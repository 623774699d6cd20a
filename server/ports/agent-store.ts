/** Agent rows: configured programs, for the installation or for one project. Removed agents are not there for any verb. */
import type { AgentId, AgentKind, Millis, ProjectId, UserId } from "../core/words";

export interface StoredAgent {
  readonly id: AgentId;
  /** Null: for the whole installation. */
  readonly projectId: ProjectId | null;
  readonly name: string;
  readonly kind: AgentKind;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface AgentChange {
  readonly name?: string | undefined;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

export interface AgentStore {
  agent(id: AgentId): Promise<StoredAgent | null>;
  /** The installation's agents and those of this person's projects (of one project only, if named), oldest first. */
  visibleTo(
    userId: UserId,
    which: { readonly projectId: ProjectId | null; readonly after: AgentId | null; readonly limit: number },
  ): Promise<StoredAgent[]>;
  /** Which agent a task of this project gets when nobody chose one: the oldest of the installation, else of the project. */
  defaultFor(projectId: ProjectId): Promise<StoredAgent | null>;
  /** The same for words that are no script: a `shell` agent, which would run them, only where there is no other one. */
  readerFor(projectId: ProjectId): Promise<StoredAgent | null>;
  /** `name-taken`: another one of the same home has this name; letters great or small are the same. Of two at once one gets it. */
  create(agent: StoredAgent, at: Millis): Promise<"done" | "name-taken">;
  change(id: AgentId, change: AgentChange): Promise<"done" | "name-taken">;
  remove(id: AgentId, at: Millis): Promise<void>;
}

/** Whether a program can be started here: by its name in the search path of agents, or by its absolute path. */
export interface Programs {
  isThere(program: string): Promise<boolean>;
  /** Of a program that cannot be started: the file of that name which nobody may execute, as a path, or null. */
  notExecutable(program: string): Promise<string | null>;
}
