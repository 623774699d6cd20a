/**
 * Puts right, without anybody's press, what merges that a crash cut off left in people's trees (W4): soon after this server may
 * drive what runs, and then on a beat, for those that another server cut off. Beside everything else: nobody waits for it.
 */
import { reasonOf } from "../../../core/text/reason";
import type { Workspace } from "../../../ports/workspace";
import { type Beat, startBeat } from "../beat";

const BEAT_MS = 10_000;
/** Where something is left, git is perhaps about to end; each further try comes after twice the time, up to the longest, ms. */
const AGAIN_MS = 1_000;
const LONGEST_AGAIN_MS = 60_000;

export interface MoveBeatParts {
  readonly workspace: Pick<Workspace, "mendMoves">;
  readonly pool: { mayDrive(): boolean };
  readonly log: { warn(line: string): void };
}

/** Begins at once. */
export function startMoveBeat({ workspace, pool, log }: MoveBeatParts): Beat {
  let againMs = AGAIN_MS;
  return startBeat(pool, async (isStopped) => {
    const isAllRight = await workspace.mendMoves().catch((error: unknown) => {
      if (!isStopped()) log.warn(`merges that were cut off could not be looked for: ${reasonOf(error)}`);
      return false;
    });
    const waitMs = isAllRight ? BEAT_MS : againMs;
    againMs = isAllRight ? AGAIN_MS : Math.min(2 * againMs, LONGEST_AGAIN_MS);
    return waitMs;
  });
}
