/** A project's variables: who may write them is the gate's (owners); what they may be is the core's. Values never go to a log. */
import { iso } from "../../contract/common";
import type { VariableView } from "../../contract/variables";
import { refusedVariable, sizeOf, VARIABLES_MAX_BYTES, type Variable } from "../../core/text/variables";
import type { ProjectId } from "../../core/words";
import type { Clock } from "../../ports/clock";
import type { StoredVariable, VariableStore } from "../../ports/variable-store";
import { type Refusal, refuse } from "./refusal";

export interface VariableDeskParts {
  readonly variables: Pick<VariableStore, "list" | "set" | "remove">;
  readonly clock: Clock;
}

export type VariableDesk = ReturnType<typeof createVariableDesk>;

export function createVariableDesk({ variables, clock }: VariableDeskParts) {
  return {
    async list(projectId: ProjectId): Promise<VariableView[]> {
      return (await variables.list(projectId)).map(variableView);
    },
    async set(projectId: ProjectId, variable: Variable): Promise<VariableView | Refusal> {
      const refused = refusedVariable(variable);
      if (refused !== null) return refuse("BAD_REQUEST", refused);
      const { name, value, isSecret } = variable;
      const bytes = sizeOf(name) + sizeOf(value);
      const others = (await variables.list(projectId)).filter((other) => other.name !== name);
      if (others.reduce((sum, other) => sum + other.bytes, bytes) > VARIABLES_MAX_BYTES) {
        return refuse("BAD_REQUEST", "A project's variables can hold 500 KB together at most.");
      }
      const changedAt = clock.now();
      await variables.set(projectId, variable, changedAt);
      return variableView({ name, value: isSecret ? null : value, isSecret, isLost: false, bytes, changedAt });
    },
    async remove(projectId: ProjectId, name: string): Promise<Refusal | null> {
      const isGone = await variables.remove(projectId, name);
      return isGone ? null : refuse("NOT_FOUND", "The project has no variable of that name.");
    },
  };
}

function variableView({ name, value, isSecret, isLost, changedAt }: StoredVariable): VariableView {
  return { name, value, isSecret, isLost, changedAt: iso(changedAt) };
}
