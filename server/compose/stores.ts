/** Everything that reads and writes rows, over one set of connections. */
import type { ProjectId } from "../core/words";
import { createAgentStore } from "../db/agent-store";
import { createDispatchKeyStore } from "../db/dispatch-key-store";
import { createHoldStore } from "../db/hold-store";
import { createPeopleStore } from "../db/people-store";
import { createPoolHistoryStore } from "../db/pool-history-store";
import { createAccess, createProjectStore } from "../db/project-store";
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
  const variables = createVariableStore(sql, createSeal(secret));
  /** Agents do not get the login of their clone, but they may come upon it. */
  const open = async (projectId: ProjectId) => {
    const [opened, login] = await Promise.all([variables.open(projectId), workspace.loginSecrets(projectId)]);
    return { ...opened, secrets: [...opened.secrets, ...login] };
  };
  return {
    access: createAccess(db),
    agents: createAgentStore(db),
    history: createPoolHistoryStore(sql),
    holds: createHoldStore(sql),
    keys: createDispatchKeyStore(db),
    people: createPeopleStore(db),
    projects: createProjectStore(db),
    record: createSessionRecordStore(sql, { open }),
    retention: createRetentionStore(sql),
    sessions: createSessionStore(db),
    settings: createSettingsStore(db),
    tasks: createTaskStore(db),
    usage: createUsageStore(sql),
    variables,
  };
}
