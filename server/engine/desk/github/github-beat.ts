/**
 * Reads open pull requests and labelled issues on GitHub, so that nobody has to press anything: once a minute, by whichever
 * server drives what runs. An answer that did not change costs nothing of the rate limit (ports/github.ts).
 */
import { reasonOf } from "../../../core/text/reason";
import type { ProjectId } from "../../../core/words";
import type { Clock } from "../../../ports/clock";
import type { ProjectGitHubStore, PullRequestStore } from "../../../ports/pull-request-store";
import { type Beat, startBeat } from "../beat";
import type { OutOfReach } from "./github-place";
import type { IssueDesk } from "./issue-desk";
import type { PullRequestDesk } from "./pull-request-desk";

const BEAT_MS = 60_000;
/** A project whose GitHub is away, or refuses its token, is left alone for so long: each of its looks would say the same. */
const REST_MS = 300_000;
/** Pull requests, and projects with a label, looked at in one beat; the ones looked at longest ago come first. */
const STEP = 200;

export interface GitHubBeatParts {
  readonly pullRequests: Pick<PullRequestStore, "open">;
  readonly gitHub: Pick<ProjectGitHubStore, "labelled">;
  readonly desks: { readonly pullRequests: Pick<PullRequestDesk, "look">; readonly issues: Pick<IssueDesk, "look"> };
  readonly pool: { mayDrive(): boolean };
  readonly clock: Clock;
  readonly log: { warn(line: string): void };
}

/** Begins at once. GitHub may be slow: a look under way is not waited for at the end. */
export function startGitHubBeat({ pullRequests, gitHub, desks, pool, clock, log }: GitHubBeatParts): Beat {
  const leftAlone = new Map<ProjectId, number>();
  return startBeat(pool, async (isStopped) => {
    const warn = (error: unknown) => {
      if (!isStopped()) log.warn(`GitHub could not be looked at: ${reasonOf(error)}`);
    };
    /** One that fails keeps nobody else from being looked at. */
    const lookAt = async (projectId: ProjectId, look: () => Promise<OutOfReach | null>) => {
      if (isStopped() || !pool.mayDrive() || (leftAlone.get(projectId) ?? 0) > clock.now()) return;
      leftAlone.delete(projectId);
      const refused = await look().catch(warn);
      if (refused == null) return;
      const isOfAll = refused.reason === "away" || refused.reason === "bad-token";
      const until = refused.until ?? (isOfAll ? clock.now() + REST_MS : null);
      if (until !== null) leftAlone.set(projectId, until);
    };
    const lookAtAll = async () => {
      for (const row of await pullRequests.open(STEP)) await lookAt(row.projectId, () => desks.pullRequests.look(row));
      for (const id of await gitHub.labelled(STEP)) await lookAt(id, () => desks.issues.look(id));
    };
    await lookAtAll().catch(warn);
    return BEAT_MS;
  });
}
