/**
 * Open pull requests are looked at on a beat, one after the other, by the server that drives sessions. What did not change
 * costs nothing of GitHub's limit; a project whose limit is used up is left alone until that ends. Whoever presses is not held back.
 */
import { reasonOf } from "../../core/text/reason";
import type { ProjectId } from "../../core/words";
import type { Clock } from "../../ports/clock";
import type { PullRequestStore } from "../../ports/pull-request-store";
import type { PullRequestDesk } from "./pull-request-desk";

const BEAT_MS = 60_000;
/** While no server drives yet, it is asked again after this many ms. */
const NOT_YET_MS = 1_000;
/** A project whose GitHub is away, or refuses its token, is left alone for so long: each of its looks would say the same. */
const REST_MS = 300_000;
/** Looked at in one beat; the ones looked at longest ago come first. */
const STEP = 200;

export interface PullRequestBeatParts {
  readonly pullRequests: Pick<PullRequestStore, "open">;
  readonly desk: Pick<PullRequestDesk, "look">;
  readonly pool: { mayDrive(): boolean };
  readonly clock: Clock;
  readonly log: { warn(line: string): void };
}

/** Begins at once. */
export function startPullRequestBeat({ pullRequests, desk, pool, clock, log }: PullRequestBeatParts) {
  const leftAlone = new Map<ProjectId, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const lookAtAll = async () => {
    for (const row of await pullRequests.open(STEP)) {
      if (isStopped || !pool.mayDrive()) return;
      if ((leftAlone.get(row.projectId) ?? 0) > clock.now()) continue;
      leftAlone.delete(row.projectId);
      const refused = await desk.look(row);
      if (refused === null || !("reason" in refused)) continue;
      const isOfAll = refused.reason === "away" || refused.reason === "bad-token";
      const until = refused.until ?? (isOfAll ? clock.now() + REST_MS : null);
      if (until !== null) leftAlone.set(row.projectId, until);
    }
  };
  const beat = async () => {
    const mayDrive = pool.mayDrive();
    if (mayDrive) {
      await lookAtAll().catch((error) => {
        if (!isStopped) log.warn(`pull requests could not be looked at: ${reasonOf(error)}`);
      });
    }
    if (isStopped) return;
    timer = setTimeout(() => void beat(), mayDrive ? BEAT_MS : NOT_YET_MS);
    timer.unref();
  };
  void beat();

  return {
    /** A look that is under way is let go: GitHub may be slow, and what it did not write the next server reads again. */
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
