/**
 * The door that lets pages in: what a page needs for its first paint, as its visitor may see it, in the contract's shapes and
 * without a way over the network. Pages know this file and the contract, nothing else of the server. A page asks for its
 * request's headers first (which also keeps it from being rendered at build time).
 */
import type { AgentList } from "./contract/agents";
import type { Me, Person } from "./contract/people";
import type { PoolPicture } from "./contract/pool";
import type { Project } from "./contract/projects";
import type { Task } from "./contract/tasks";
import { parked } from "./registry";

export interface FirstBoard {
  readonly project: Project;
  readonly tasks: Task[];
  /** As `GET /agents` of the project answers first. */
  readonly agents: AgentList;
}

export interface Visitor {
  readonly me: Me;
  projects(): Promise<Project[]>;
  pool(): Promise<PoolPicture>;
  /** Everybody, where they are few enough to come with a page; else null. */
  people(): Promise<Person[] | null>;
  /** Null: there is no such project, or it is not the visitor's to see. */
  board(projectId: string): Promise<FirstBoard | null>;
}

export interface Door {
  /** Null: nobody is signed in. */
  visitor(headers: Headers): Promise<Visitor | null>;
  /** What an invitation's link leads to; null: it is not open (any more). */
  invitation(secret: string): Promise<{
    readonly email: string | null;
    readonly invitedBy: string;
    readonly project: { readonly id: string; readonly name: string } | null;
  } | null>;
  /** Who may make an account here; `isFirst`: there is none yet, the next one is the administrator's. */
  registration(): Promise<{ readonly policy: "open" | "invitation" | "closed"; readonly isFirst: boolean }>;
}

export function door(): Door {
  return parked() as Door;
}
