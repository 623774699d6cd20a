/** What a project gives its agents as environment (A1). A secret's value comes back out for one purpose only: to start an agent. */
import type { Variable } from "../core/text/variables";
import type { Millis, ProjectId } from "../core/words";

/** As people may see it. */
export interface StoredVariable {
  readonly name: string;
  /** Null: a secret. */
  readonly value: string | null;
  readonly isSecret: boolean;
  /** A secret that was sealed with an installation's secret which is lost: it has to be entered again. */
  readonly isLost: boolean;
  /** Bytes of its name and value. */
  readonly bytes: number;
  readonly changedAt: Millis;
}

/** For an agent. */
export interface OpenedVariables {
  readonly environment: Readonly<Record<string, string>>;
  /** What is masked in whatever the agent says (A3). */
  readonly secrets: readonly string[];
  /** Names of secrets that cannot be read any more. */
  readonly lost: readonly string[];
}

export interface VariableStore {
  /** By name. */
  list(projectId: ProjectId): Promise<StoredVariable[]>;
  set(projectId: ProjectId, variable: Variable, at: Millis): Promise<void>;
  /** False: there was none of that name. */
  remove(projectId: ProjectId, name: string): Promise<boolean>;
  open(projectId: ProjectId): Promise<OpenedVariables>;
}
