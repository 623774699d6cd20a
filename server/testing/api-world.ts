/**
 * For tests of the API: real rows, the real pool, real HTTP; agents, git and logins are played. A caller is named by the
 * header `x-test-user`; an agent ends when the test says so. Long as it puts the whole house together once more.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { drizzle } from "drizzle-orm/postgres-js";
import { createApi } from "../api/create-api";
import { PROMPT_PREVIEW_CHARS } from "../contract/tasks";
import { NOTHING_LEFT } from "../core/session/lifecycle";
import type { AttemptRef, EndedStatus, InstallationRole, SessionId } from "../core/words";
import { createAgentStore } from "../db/agent-store";
import { appClient } from "../db/client";
import { createDispatchKeyStore } from "../db/dispatch-key-store";
import { createGossip } from "../db/gossip";
import { createHoldStore } from "../db/hold-store";
import { ensureInstallation } from "../db/installation";
import { createIssueStore } from "../db/issue-store";
import { createLeaseStore } from "../db/lease-store";
import { createPeopleStore } from "../db/people-store";
import { createPoolHistoryStore } from "../db/pool-history-store";
import { createPoolLink } from "../db/pool-link";
import { createPoolStore } from "../db/pool-store";
import { createProjectGitHubStore } from "../db/project-github-store";
import { createAccess, createProjectStore } from "../db/project-store";
import { createPullRequestStore } from "../db/pull-request-store";
import { createRetentionStore } from "../db/retention-store";
import { createSeal } from "../db/sealed";
import { createSessionStore } from "../db/session-store";
import { createSettingsStore } from "../db/settings-store";
import { createTaskStore } from "../db/task-store";
import { createUsageStore } from "../db/usage-store";
import { createVariableStore } from "../db/variable-store";
import { createAgentDesk } from "../engine/desk/agent-desk";
import { createBoardViews } from "../engine/desk/card-views";
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
import type { Waiter } from "../engine/pool";
import { createPool } from "../engine/pool/runner-pool";
import { startHolds } from "../engine/session/holds";
import { createGitHub } from "../github/client";
import { webHeaders } from "../http/answers";
import type { Caller } from "../ports/access";
import type { Remotes } from "../ports/remotes";
import type { Refused, RepositoryFacts, ReviewRefused, Workspace } from "../ports/workspace";
import { openSockets, realAuth, tellingFeed } from "./access-doors";
import { createFakeRunner } from "./fake-runner";
import { testDatabase } from "./postgres";

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came and fails where it is not what it expects
  readonly body: any;
}

interface Asked {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface WorldOptions {
  readonly globalMax?: number;
  readonly perUserMax?: number;
  readonly dispatchesPerMinute?: number;
  readonly sandboxProblem?: string;
  /** The real one instead of a played one, for what it can do. */
  readonly git?: Workspace & Remotes;
}

export type ApiWorld = Awaited<ReturnType<typeof apiWorld>>;

export async function apiWorld(options: WorldOptions = {}) {
  const database = await testDatabase();
  const sql = appClient(database.url);
  const db = drizzle(sql);
  await ensureInstallation(db, { globalMax: options.globalMax ?? null, perUserMax: options.perUserMax ?? null });
  const clock = { now: Date.now, monotonic: () => performance.now() };
  const runner = createFakeRunner();
  const agents = playedAgents();
  const gossip = createGossip(database.url);
  const link = createPoolLink(database.url, gossip);
  const pool = createPool({
    store: createPoolStore(database.url),
    lease: createLeaseStore(database.url),
    link,
    waiter: agents.waiter,
    clock,
    log: { warn: () => {}, error: () => {}, info: () => {} },
    firstCaps: { globalMax: 20, perUserMax: 2, paused: false },
    onFatal: (reason) => bugs.push(new Error(reason)),
  });
  agents.releaseThrough(pool.release.bind(pool));
  const bugs: unknown[] = [];
  const logged: string[] = [];
  const told: { kind: string; about: string }[] = [];
  const feed = tellingFeed(told, () => doors.feed);
  const workspace = { ...playedWorkspace(), ...options.git };
  const programs = {
    missing: new Set<string>(),
    isThere: async (name: string) => !programs.missing.has(name),
    notExecutable: async () => null,
  };
  const machine = {
    variables: () => ({}),
    version: () => ({ version: "1.2.3", isAsked: false }),
    facts: async () => ({ treeEnding: "scan" as const, sandboxProblem: options.sandboxProblem ?? null }),
  };
  const callers = new Map<string, Caller>();
  const access = createAccess(db);
  const [tasks, sessions, projects] = [createTaskStore(db), createSessionStore(db), createProjectStore(db)];
  const agentStore = createAgentStore(db);
  const [keys, people] = [createDispatchKeyStore(db), createPeopleStore(db)];
  const variables = createVariableStore(sql, createSeal("a secret of thirty-two letters or more"));
  const newId = () => crypto.randomUUID();
  const lost: AttemptRef[] = [];
  const holds = startHolds({
    store: createHoldStore(sql),
    pool: () => pool,
    clock,
    log: { warn: (line) => logged.push(line) },
  });
  const shared = {
    pool,
    sessions,
    tasks,
    projects,
    agents: agentStore,
    programs,
    machine,
    workspace,
    runner,
    keys,
    feed,
    clock,
    newId,
    holds,
    standings: access,
    log: { info: (message: string) => void logged.push(message), warn: (line: string) => void logged.push(line) },
  };
  const sessionDesk = createSessionDesk({ ...shared, dispatchesPerMinute: options.dispatchesPerMinute });
  const agentDesk = createAgentDesk(shared);
  const cards = createTaskDesk({
    ...shared,
    dispatch: sessionDesk.dispatch,
    promptPreviewChars: PROMPT_PREVIEW_CHARS,
  });
  const steps = createReviewSteps({ ...shared, cards, retention: createRetentionStore(sql) });
  const onGitHub = {
    gitHub: createProjectGitHubStore(sql, createSeal("a secret of thirty-two letters or more")),
    pullRequests: createPullRequestStore(sql),
    gitHubApi: createGitHub(clock),
  };
  const desks = {
    sessions: sessionDesk,
    tasks: cards,
    review: createReviewDesk({ ...shared, people, cards, steps }),
    pullRequests: createPullRequestDesk({ ...shared, ...onGitHub, cards, steps }),
    gitHub: createGitHubDesk({ ...shared, ...onGitHub }),
    issues: createIssueDesk({ ...shared, ...onGitHub, issues: createIssueStore(sql) }),
    projects: createProjectDesk(shared),
    diskUse: createDiskUseDesk(shared),
    machine,
    running: createRunningDesk({ pool, sessions, runner, supervisor: { declareLost: (run) => void lost.push(run) } }),
    settings: createSettingsDesk(createSettingsStore(db)),
    variables: createVariableDesk({ variables, clock }),
    agents: agentDesk,
    holds: createHoldDesk({ ...shared, agentView: agentDesk.view }),
    transcripts: createTranscriptDesk(shared),
    people: createPeopleDesk({ ...shared, people, timeZone: "UTC" }),
    usage: createUsageDesk({ usage: createUsageStore(sql), people, clock, timeZone: "UTC" }),
  };
  const history = createPoolHistoryStore(sql);
  const auth = realAuth(db, feed);
  const api = createApi({
    desks,
    pool,
    history,
    access,
    standings: access,
    agents: agentStore,
    projects,
    tokens: auth.tokens,
    invitations: auth.invitations,
    passwords: auth.passwords,
    feed,
    whoIs: async (request) => callers.get(String(request.headers["x-test-user"])) ?? auth.whoIs(webHeaders(request)),
    logBug: (error) => bugs.push(error),
    version: "test",
  });
  const server = createServer((request, response) => {
    void api(request, response).then((answered) => answered || response.writeHead(404).end("not the api"));
  });
  const board = createBoardViews({ pool, tasks });
  const doors = openSockets({ server, auth, pool, board, sessions, runner, clock });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  pool.start();
  await pool.ready();

  async function ask(user: string | null, method: string, path: string, asked: Asked = {}): Promise<ApiAnswer> {
    const body =
      asked.body === undefined ? null : typeof asked.body === "string" ? asked.body : JSON.stringify(asked.body);
    const headers = { "content-type": "application/json", ...(user ? { "x-test-user": user } : {}), ...asked.headers };
    const response = await fetch(`${base}${path}`, { method, headers, body });
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const text = isJson ? await response.text() : new Uint8Array(await response.arrayBuffer());
    return {
      status: response.status,
      headers: response.headers,
      body: typeof text === "string" ? JSON.parse(text) : text,
    };
  }

  return {
    base,
    sql,
    databaseUrl: database.url,
    pool,
    history,
    runner,
    workspace,
    programs,
    told,
    holds,
    /** What was logged as a bug: nothing, in every test. */
    bugs,
    sessions,
    board,
    auth,
    /** What the server's log says. */
    logged,
    /** With a login's cookie, or a token: a real socket of a real person. */
    connect: doors.connect,
    keys,
    /** Attempts whose supervisor was told that they are lost. */
    lost,
    ask,
    async addUser(id: string, role: InstallationRole = "member", scope: Caller["scope"] = "admin"): Promise<void> {
      await sql`insert into users (id, name, email, role) values (${id}, ${id}, ${`${id}@example.test`}, ${role})`;
      callers.set(id, {
        userId: id,
        name: id,
        email: `${id}@example.test`,
        role,
        via: { kind: "cookie", loginId: id },
        scope,
      });
    },
    /** The same person with a token of less scope. */
    token(id: string, scope: Caller["scope"]): string {
      const caller = callers.get(id);
      if (!caller) throw new Error(`no user ${id}`);
      callers.set(`${id}:${scope}`, { ...caller, via: { kind: "token", tokenId: "t" }, scope });
      return `${id}:${scope}`;
    },
    async project(owner: string, members: readonly string[] = [], repository = "/repo"): Promise<string> {
      const { body } = await ask(owner, "POST", "/projects", { body: { name: "P", repository } });
      for (const userId of members) {
        await ask(owner, "PUT", `/projects/${body.id}/members/${userId}`, { body: { role: "member" } });
      }
      return body.id;
    },
    async task(user: string, projectId: string, title = "A task"): Promise<string> {
      const made = await ask(user, "POST", `/projects/${projectId}/tasks`, { body: { title, prompt: "true" } });
      return made.body.id;
    },
    endAgent: agents.end,
    async close(): Promise<void> {
      await doors.close();
      await pool.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await sql.end({ timeout: 1 });
      await database.drop();
    },
  };
}

/** Agents that work until the test ends them, and stop when they are told to. */
function playedAgents() {
  const working = new Map<SessionId, (status: EndedStatus) => void>();
  let release: (run: AttemptRef, ended: Parameters<ReturnType<typeof createPool>["release"]>[1]) => Promise<void>;
  const waiter: Waiter = {
    attend: async ({ id: sessionId, attempt }) => {
      const status = await new Promise<EndedStatus>((resolve) => working.set(sessionId, resolve));
      working.delete(sessionId);
      await release({ sessionId, attempt }, { ...NOTHING_LEFT, status, failure: null, endedAt: Date.now() });
    },
    stop: ({ sessionId }) => working.get(sessionId)?.("cancelled"),
    declareLost: () => {},
    letGo: async () => working.clear(),
  };
  return {
    waiter,
    releaseThrough: (through: typeof release) => {
      release = through;
    },
    end(sessionId: SessionId, status: EndedStatus = "succeeded"): void {
      const finish = working.get(sessionId);
      if (!finish) throw new Error(`no agent works on ${sessionId}`);
      finish(status);
    },
  };
}

/** Every repository is fine, until the test says otherwise of its path. */
function playedWorkspace() {
  const refusals = new Map<string, Refused>();
  const look = async (path: string): Promise<RepositoryFacts | Refused> =>
    refusals.get(path) ?? { kind: "ok", path, defaultBranch: "main" };
  const discarded: string[] = [];
  const forgotten: string[] = [];
  const begun: string[] = [];
  return {
    refusals,
    /** Projects that did not come about. */
    discarded,
    inspect: look,
    /** Every branch is there, until the test says otherwise of `path#branch`. */
    refuseBase: async (path: string, branch: string) => refusals.get(`${path}#${branch}`) ?? null,
    /** Every folder has the same history, until the test says otherwise of `path@history`. */
    refuseOtherFolder: async (path: string, _former: string, commits: readonly string[]) => {
      begun.splice(0, begun.length, ...commits);
      return refusals.get(`${path}@history`) ?? null;
    },
    /** What tasks began at, as it was told last. */
    begun,
    discard: async (projectId: string) => void discarded.push(projectId),
    makeSample: async (projectId: string) => `/samples/${projectId}`,
    clone: async (_projectId: string, url: string) => look(url.replace(/\/\/[^/@]*@/, "//")),
    moveClone: async (_projectId: string, url: string) => look(url.replace(/\/\/[^/@]*@/, "//")),
    forgetLogin: async (projectId: string) => void forgotten.push(projectId),
    /** Projects whose login was removed. */
    forgotten,
    diff: async () => [],
    mergeOutlook: async () => ({ behind: null, passedOver: [] }),
    /** No session of a played agent leaves a branch: what ends a review is tested on real git. */
    merge: async (): Promise<ReviewRefused> => PLAYED,
    isMerged: async () => false,
    mendMoves: async () => true,
    push: async (): Promise<ReviewRefused> => PLAYED,
    remote: async () => null,
    standing: async () => null,
    save: async (): Promise<never> => Promise.reject(new Error(PLAYED.message)),
    tidy: async () => false,
    diskUse: async () => ({ worktrees: 0, worktreesBytes: 0, repositoryBytes: null }),
  };
}

const PLAYED = { kind: "refused", code: "REPOSITORY_UNUSABLE", message: "There is no git here." } as const;
