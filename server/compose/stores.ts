/** Everything that reads and writes rows, over one set of connections. */
import type { ProjectId } from "../core/words";
import { createAgentStore } from "../db/agent-store";
import { createDispatchKeyStore } from "../db/dispatch-key-store";
import { createHoldStore } from "../db/hold-store";
import { createIssueStore } from "../db/issue-store";
import { createPeopleStore } from "../db/people-store";
import { createPoolHistoryStore } from "../db/pool-history-store";
import { createProjectGitHubStore } from "../db/project-github-store";
import { createAccess, createProjectStore } from "../db/project-store";
import { createPullRequestStore } from "../db/pull-request-store";
import { createRetentionStore } from "../db/retention-store";
import { createSeal } from "../db/sealed";
import { createSessionRecordStore } from "../db/session-record-store";
import { createSessionStore } from "../db/session-store";
import { createSettingsStore } from "../db/settings-store";
import { createTaskStore } from "../db/task-store";
import { createUsageStore } from "../db/usage-store";
import { createVariableStore } from "../db/variable-store";
import type { Workspace } from "../ports/workspace";
import type { OpenDatabase } from "./database";

export type Stores = ReturnType<typeof openStores>;

export function openStores({ db, sql, secret }: OpenDatabase, workspace: Pick<Workspace, "loginSecrets">) {
  const seal = createSeal(secret);
  const variables = createVariableStore(sql, seal);
  const gitHub = createProjectGitHubStore(sql, seal);
  /** Agents get neither the login of their clone nor the token for GitHub, but they may come upon them. */
  const open = async (projectId: ProjectId) => {
    const [opened, login, set] = await Promise.all([
      variables.open(projectId),
      workspace.loginSecrets(projectId),
      gitHub.read(projectId),
    ]);
    return { ...opened, secrets: [...opened.secrets, ...login, ...(set?.token == null ? [] : [set.token])] };
  };
  return {
    access: createAccess(db),
    agents: createAgentStore(db),
    gitHub,
    history: createPoolHistoryStore(sql),
    holds: createHoldStore(sql),
    issues: createIssueStore(sql),
    keys: createDispatchKeyStore(db),
    people: createPeopleStore(db),
    projects: createProjectStore(db),
    pullRequests: createPullRequestStore(sql),
    record: createSessionRecordStore(sql, { open }),
    retention: createRetentionStore(sql),
    sessions: createSessionStore(db),
    settings: createSettingsStore(db),
    tasks: createTaskStore(db),
    usage: createUsageStore(sql),
    variables,
  };
}
