/**
 * One expired login does not burn the night's queue (A8): what made a session fail and would make the next ones fail is
 * written down, and waiting sessions of that agent or repository step aside until it ends by itself or somebody tries again.
 * The rows of holds are the truth; sessions are made to agree with them, now and on a beat.
 */
import { reasonOf } from "../../core/text/reason";
import type { AgentId, Millis, ProjectId } from "../../core/words";
import type { Clock } from "../../ports/clock";
import type { HoldStore, StoredHold } from "../../ports/hold-store";
import type { Hold, Pool } from "../pool";

/** How often holds that end by themselves are looked for, ms. */
const BEAT_MS = 2_000;
/** Sessions in one step. */
const STEP = 500;

const REASONS = { agent: "agent-unusable", repository: "repository-unusable" } as const;

export interface HoldParts {
  readonly store: HoldStore;
  readonly pool: () => Pick<Pool, "hold"> & {
    /** Only the server that drives sessions looks on a beat. */
    mayDrive(): boolean;
  };
  readonly clock: Clock;
  readonly log: { warn(line: string): void };
}

export interface Holds {
  /** Resolves when the waiting sessions step aside; so call it before a slot is given back. */
  put(hold: StoredHold): Promise<void>;
  /** "Try again": they wait for their turn as before. */
  lift(subject: StoredHold["subject"], subjectId: string): Promise<void>;
  /** What a new session of this agent in this project has to wait for; null: for nothing of the kind. */
  forNew(agentId: AgentId, projectId: ProjectId): Promise<Hold | null>;
  /** By the id of the agent, or of the repository's project. */
  of(subject: StoredHold["subject"]): Promise<ReadonlyMap<string, StoredHold>>;
  stop(): void;
}

/** Begins to beat at once. */
export function startHolds({ store, pool, clock, log }: HoldParts): Holds {
  /** There were holds at the last look, or nobody has looked yet: sessions may still say so. */
  let isUnsettled = true;
  let agreeing: Promise<void> = Promise.resolve();

  const agreeOnce = async () => {
    for (;;) {
      const found = await store.disagreeing(clock.now(), STEP);
      await Promise.all(found.map(({ sessionId, hold }) => pool().hold(sessionId, hold && poolHold(hold))));
      if (found.length < STEP) return;
    }
  };
  /** One after the other; what cannot be written now is tried again by the beat. */
  const agree = () => {
    agreeing = agreeing.then(agreeOnce).catch((error: unknown) => {
      isUnsettled = true;
      log.warn(`sessions and holds do not agree yet: ${reasonOf(error)}`);
    });
    return agreeing;
  };
  const look = async () => {
    if (!pool().mayDrive()) return;
    const now = clock.now();
    const holds = await store.all(now);
    if (holds.length === 0 && !isUnsettled) return;
    isUnsettled = holds.length > 0;
    await agree();
  };
  const beat = setInterval(() => void look().catch(() => {}), BEAT_MS);
  beat.unref();

  return {
    async put(hold) {
      await store.put(hold);
      isUnsettled = true;
      await agree();
    },
    async lift(subject, subjectId) {
      await store.remove(subject, subjectId);
      isUnsettled = true;
      await agree();
    },
    async forNew(agentId, projectId) {
      const holds = await store.all(clock.now());
      const isFor = (subject: StoredHold["subject"], id: string) => (hold: StoredHold) =>
        hold.subject === subject && hold.subjectId === id;
      const hold = holds.find(isFor("agent", agentId)) ?? holds.find(isFor("repository", projectId));
      return hold ? poolHold(hold) : null;
    },
    async of(subject) {
      const holds = await store.all(clock.now());
      return new Map(holds.filter((hold) => hold.subject === subject).map((hold) => [hold.subjectId, hold]));
    },
    stop: () => clearInterval(beat),
  };
}

function poolHold({
  subject,
  detail,
  until,
}: {
  subject: StoredHold["subject"];
  detail: string;
  until: Millis | null;
}): Hold {
  return { reason: REASONS[subject], detail, until };
}
