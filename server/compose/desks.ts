/** The desks, made from stores, machines and each other. */
import { randomUUID } from "node:crypto";
import type { Config } from "../config";
import { PROMPT_PREVIEW_CHARS } from "../contract/tasks";
import type { AttemptRef } from "../core/words";
import { createAgentDesk } from "../engine/desk/agent-desk";
import { createDiskUseDesk } from "../engine/desk/disk-use-desk";
import { createGitHubDesk } from "../engine/desk/github/github-desk";
import { createIssueDesk } from "../engine/desk/github/issue-desk";
import { createPullRequestDesk } from "../engine/desk/github/pull-request-desk";
import { createHoldDesk } from "../engine/desk/hold-desk";
import { createPeopleDesk } from "../engine/desk/people-desk";
import { createProjectDesk } from "../engine/desk/project-desk";
import { createReviewDesk } from "../engine/desk/review/review-desk";
import { createReviewSteps } from "../engine/desk/review/review-steps";
import { createRunningDesk } from "../engine/desk/running-desk";
import { createSessionDesk } from "../engine/desk/session-desk";
import { createSettingsDesk } from "../engine/desk/settings-desk";
import { createTaskDesk } from "../engine/desk/task-desk";
import { createTranscriptDesk } from "../engine/desk/transcript-desk";
import { createUsageDesk } from "../engine/desk/usage-desk";
import { createVariableDesk } from "../engine/desk/variable-desk";
import type { createPool } from "../engine/pool/runner-pool";
import type { Holds } from "../engine/session/holds";
import { createGitHub } from "../github/client";
import type { Log } from "../log";
import type { Programs } from "../ports/agent-store";
import type { Clock } from "../ports/clock";
import type { Feed } from "../ports/feed";
import type { Machine } from "../ports/runner";
import type { createProcessRunner } from "../runner/process/process-runner";
import type { createWorkspace } from "../workspace/workspace";
import type { Stores } from "./stores";

export interface DeskSetting {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly feed: Feed;
}

export function createDesks(
  { clock, log, feed, config }: DeskSetting,
  stores: Stores,
  machines: {
    readonly pool: ReturnType<typeof createPool>;
    readonly runner: ReturnType<typeof createProcessRunner>;
    readonly workspace: ReturnType<typeof createWorkspace>;
    readonly holds: Holds;
    readonly machine: Machine;
    readonly programs: Programs;
  },
) {
  const common = { ...stores, ...machines, standings: stores.access, clock, log, feed, newId: randomUUID };
  // Whoever watches the session is told, on whatever server it is.
  const declareLost = (run: AttemptRef) =>
    void machines.pool
      .declareLost(run)
      .catch((error) => log.warn(`session ${run.sessionId} was not declared lost: ${error}`));
  const limits = config.test.relaxedLimits ? { dispatchesPerMinute: Number.POSITIVE_INFINITY } : {};
  const sessions = createSessionDesk({ ...common, ...limits });
  const agents = createAgentDesk(common);
  const tasks = createTaskDesk({ ...common, dispatch: sessions.dispatch, promptPreviewChars: PROMPT_PREVIEW_CHARS });
  const steps = createReviewSteps({ ...common, cards: tasks });
  const gitHubApi = createGitHub(clock);
  return {
    sessions,
    tasks,
    review: createReviewDesk({ ...common, steps, cards: tasks }),
    pullRequests: createPullRequestDesk({ ...common, steps, cards: tasks, gitHubApi }),
    gitHub: createGitHubDesk(common),
    issues: createIssueDesk({ ...common, gitHubApi }),
    projects: createProjectDesk(common),
    diskUse: createDiskUseDesk(common),
    running: createRunningDesk({ ...common, supervisor: { declareLost } }),
    settings: createSettingsDesk(stores.settings),
    variables: createVariableDesk(common),
    agents,
    holds: createHoldDesk({ ...common, agentView: agents.view }),
    transcripts: createTranscriptDesk(common),
    machine: common.machine,
    people: createPeopleDesk({ ...common, timeZone: config.timezone }),
    usage: createUsageDesk({ ...common, timeZone: config.timezone }),
  };
}
