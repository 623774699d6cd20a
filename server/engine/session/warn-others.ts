/**
 * Whether what made one session fail would make the next ones fail as well (A8): then they step aside. Looks only at what
 * can be found out for certain: what the agent's protocol told, whether its program is there, whether the repository is.
 */
import { programOf } from "../../core/agent/command-line";
import { holdsForOthers } from "../../core/agent/no-result";
import type { Failure } from "../../core/session/lifecycle";
import { maskText } from "../../core/text/masking";
import { reasonOf } from "../../core/text/reason";
import type { Programs } from "../../ports/agent-store";
import type { StoredHold } from "../../ports/hold-store";
import type { SessionFacts } from "../../ports/session-record";
import type { Workspace } from "../../ports/workspace";
import { missingProgram } from "../desk/agent-check";
import type { Holds } from "./holds";
import type { Result } from "./session-result";

export interface WarningParts {
  readonly holds: () => Pick<Holds, "put">;
  readonly programs: Programs;
  readonly workspace: Pick<Workspace, "inspect">;
  readonly log: { warn(line: string): void };
}

/** Never throws: that others are warned must not stand in the way of the ending. */
export async function warnOthers(
  parts: WarningParts,
  facts: SessionFacts,
  failure: Failure,
  result: Result | null,
): Promise<void> {
  try {
    const hold = await holdFor(parts, facts, failure, result);
    if (hold) await parts.holds().put({ ...hold, detail: maskText(hold.detail, facts.variables.secrets) });
  } catch (error) {
    parts.log.warn(`session ${facts.sessionId}: others were not warned: ${reasonOf(error)}`);
  }
}

async function holdFor(
  { programs, workspace }: WarningParts,
  { agent, repository, projectId }: SessionFacts,
  { kind, detail }: Failure,
  result: Result | null,
): Promise<StoredHold | null> {
  if (kind === "no-result" && result?.trouble && holdsForOthers(result.trouble)) {
    const { until } = result;
    return { subject: "agent", subjectId: agent.id, detail: detail ?? result.trouble.message, until };
  }
  if (kind !== "could-not-start") return null;
  const program = programOf(agent);
  const missing = program.kind === "program" ? await missingProgram(programs, agent, program.name) : null;
  if (missing !== null) return { subject: "agent", subjectId: agent.id, detail: missing, until: null };
  const found = await workspace.inspect(repository);
  const lasting = found.kind === "ok" && found.trouble?.isLasting ? found.trouble.message : null;
  const sentence = found.kind === "refused" ? found.message : lasting;
  return sentence === null ? null : { subject: "repository", subjectId: projectId, detail: sentence, until: null };
}
