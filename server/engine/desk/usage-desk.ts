/** What sessions used, for whoever may see it (A4). Unknown stays unknown, also in a sum. */
import type { UsageDays, UsageSum } from "../../contract/usage";
import type { ProjectId, TaskId, UserId } from "../../core/words";
import type { Clock } from "../../ports/clock";
import type { PeopleStore } from "../../ports/people-store";
import type { UsageStore, UsageSubject } from "../../ports/usage-store";
import { type Refusal, refuse } from "./refusal";

/** Days in an answer where none are asked for. */
const DAYS_USUAL = 14;

export interface UsageDeskParts {
  readonly usage: UsageStore;
  readonly people: Pick<PeopleStore, "person">;
  readonly clock: Clock;
  /** In which days begin. */
  readonly timeZone: string;
}

export type UsageDesk = ReturnType<typeof createUsageDesk>;

export function createUsageDesk({ usage, people, clock, timeZone }: UsageDeskParts) {
  async function perDay(subject: UsageSubject, days = DAYS_USUAL): Promise<UsageDays> {
    const found = await usage.perDay(subject, days, clock.now(), timeZone);
    return { total: found.reduce(plus, NOTHING), days: found.map((day) => ({ ...day })) };
  }

  return {
    ofTask: (id: TaskId): Promise<UsageSum> => usage.ofTask(id),
    ofProject: (projectId: ProjectId, days?: number) => perDay({ kind: "project", projectId }, days),
    async ofUser(viewer: UserId, userId: UserId, days?: number): Promise<UsageDays | Refusal> {
      if ((await people.person(userId)) === null) return refuse("NOT_FOUND", "There is no such person.");
      return perDay({ kind: "user", userId, viewer }, days);
    },
  };
}

const NOTHING: UsageSum = {
  sessions: 0,
  input: 0,
  cachedInput: 0,
  output: 0,
  unknownTokens: 0,
  costUsd: null,
  unknownCost: 0,
  partial: false,
};

function plus(one: UsageSum, other: UsageSum): UsageSum {
  return {
    sessions: one.sessions + other.sessions,
    input: one.input + other.input,
    cachedInput: one.cachedInput + other.cachedInput,
    output: one.output + other.output,
    unknownTokens: one.unknownTokens + other.unknownTokens,
    costUsd: other.costUsd === null ? one.costUsd : (one.costUsd ?? 0) + other.costUsd,
    unknownCost: one.unknownCost + other.unknownCost,
    partial: one.partial || other.partial,
  };
}
