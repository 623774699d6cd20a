/**
 * The HTTP API: everything under `/api/v1`, and nothing else. Host and origin were checked before (server/http). A call goes
 * in this order: is there such a call, who is it, the body, may they (gate), is the input right, the desk, the answer.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { OpenAPIHandler } from "@orpc/openapi/node";
import { REFUSALS } from "../contract/refusals";
import { API_PREFIX, contract } from "../contract/router";
import type { AgentDesk } from "../engine/desk/agent-desk";
import type { DiskUseDesk } from "../engine/desk/disk-use-desk";
import type { GitHubDesk } from "../engine/desk/github/github-desk";
import type { IssueDesk } from "../engine/desk/github/issue-desk";
import type { PullRequestDesk } from "../engine/desk/github/pull-request-desk";
import type { HoldDesk } from "../engine/desk/hold-desk";
import type { PeopleDesk } from "../engine/desk/people-desk";
import type { ProjectDesk } from "../engine/desk/project-desk";
import type { ReviewDesk } from "../engine/desk/review/review-desk";
import type { RunningDesk } from "../engine/desk/running-desk";
import type { SessionDesk } from "../engine/desk/session-desk";
import type { SettingsDesk } from "../engine/desk/settings-desk";
import type { TaskDesk } from "../engine/desk/task-desk";
import type { TranscriptDesk } from "../engine/desk/transcript-desk";
import type { UsageDesk } from "../engine/desk/usage-desk";
import type { VariableDesk } from "../engine/desk/variable-desk";
import type { Access, ApiTokens, Caller, Invitations, Passwords } from "../ports/access";
import type { Feed } from "../ports/feed";
import type { Machine } from "../ports/runner";
import { invitationCalls, tokenCalls } from "./access-calls";
import { agentCalls, runnerCalls } from "./agent-calls";
import { createCalls } from "./calls";
import type { CallContext, Reply } from "./context";
import { CallRefused, toCallRefused } from "./errors";
import type { GateParts } from "./gate";
import { openApiDocument } from "./openapi";
import { peopleCalls } from "./people-calls";
import { type PoolCallParts, poolCalls } from "./pool-calls";
import { projectCalls } from "./project-calls";
import { readBody } from "./request-body";
import { methodsByPath } from "./route-table";
import { sessionCalls } from "./session-calls";
import { settingsCalls } from "./settings-calls";
import { taskCalls } from "./task-calls";
import { usageCalls } from "./usage-calls";

export interface ApiParts extends GateParts {
  readonly desks: {
    readonly tasks: TaskDesk;
    readonly review: ReviewDesk;
    readonly pullRequests: PullRequestDesk;
    readonly gitHub: GitHubDesk;
    readonly diskUse: DiskUseDesk;
    readonly issues: IssueDesk;
    readonly sessions: SessionDesk;
    readonly projects: ProjectDesk;
    readonly agents: AgentDesk;
    readonly people: PeopleDesk;
    readonly variables: VariableDesk;
    readonly settings: SettingsDesk;
    readonly running: RunningDesk;
    readonly transcripts: TranscriptDesk;
    readonly holds: HoldDesk;
    readonly usage: UsageDesk;
    readonly machine: Machine;
  };
  readonly pool: PoolCallParts["pool"];
  readonly history: PoolCallParts["history"];
  readonly access: Pick<Access, "projectsOf">;
  readonly tokens: ApiTokens;
  readonly invitations: Invitations;
  readonly passwords: Passwords;
  readonly feed: Pick<Feed, "accessChanged" | "news">;
  /** Null: nobody we know. Throws when the database is away. */
  readonly whoIs: (request: IncomingMessage) => Promise<Caller | null>;
  /** A bug: the error whole, and which call it was. */
  readonly logBug: (error: unknown, call: string) => void;
  /** Of the product, for `openapi.json`. */
  readonly version: string;
}

/** True: answered. False: not ours. */
export type Api = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export function createApi(parts: ApiParts): Api {
  const handler = createHandler(parts);
  const methodsOf = methodsByPath(contract);
  let document: Promise<string> | null = null;

  async function answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    // Node leaves the body out of an answer to HEAD by itself.
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "GET");
    if (path === "/openapi.json" && method === "GET") {
      document ??= openApiDocument(parts.version);
      return send(response, 200, await document);
    }
    const methods = methodsOf(path);
    if (method === "OPTIONS" && methods.length > 0) {
      response.writeHead(204, { allow: [...methods, "OPTIONS"].join(", ") });
      response.end();
      return;
    }
    if (!methods.includes(method)) throw new CallRefused("NOT_FOUND", "There is no such call.");
    const caller = await parts.whoIs(request);
    if (caller === null) throw new CallRefused("UNAUTHORIZED", unknownCaller(request));
    const body = method === "GET" ? undefined : await bodyOf(request, response);
    // The handler takes `body` for the body already read, and the method as it stands.
    Object.assign(request, { method, body });
    const reply: Reply = { status: null, header: (name, value) => response.setHeader(name, value) };
    const { matched } = await handler.handle(request, response, { prefix: API_PREFIX, context: { caller, reply } });
    if (!matched) throw new CallRefused("NOT_FOUND", "There is no such call.");
  }

  return async (request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    if (path !== API_PREFIX && !path.startsWith(`${API_PREFIX}/`)) return false;
    response.setHeader("cache-control", "no-store");
    try {
      await answer(request, response, path.slice(API_PREFIX.length));
    } catch (error) {
      const refused = toCallRefused(error, (bug) => parts.logBug(bug, `${request.method} ${path}`));
      tellRetry(refused, (name, value) => response.headersSent || response.setHeader(name, value));
      send(response, refused.status, JSON.stringify(errorBody(refused)));
    }
    return true;
  };
}

/** Programs come with a token, people with a login. */
function unknownCaller({ headers }: IncomingMessage): string {
  return headers.authorization === undefined ? "Sign in first." : "This token is not valid, or not any more.";
}

function createHandler(parts: ApiParts) {
  const calls = createCalls(parts);
  const {
    tasks,
    review,
    pullRequests,
    sessions,
    agents,
    people,
    settings,
    running,
    transcripts,
    holds,
    usage,
    machine,
  } = parts.desks;
  const router = calls.router({
    ...peopleCalls(calls, people, parts.passwords),
    projects: projectCalls(calls, parts.desks),
    agents: agentCalls(calls, agents, holds),
    runner: runnerCalls(calls, machine, agents),
    tasks: taskCalls(calls, tasks, sessions, review, pullRequests),
    sessions: sessionCalls(calls, sessions, running, transcripts),
    usage: usageCalls(calls, usage),
    settings: settingsCalls(calls, settings),
    pool: poolCalls(calls, { ...parts, people }),
    tokens: tokenCalls(calls, parts.tokens),
    invitations: invitationCalls(calls, parts.invitations, parts.feed),
  });
  return new OpenAPIHandler<CallContext>(router, {
    customErrorResponseBodyEncoder: errorBody,
    interceptors: [
      async ({ next, context, request }) => {
        try {
          const result = await next();
          if (result.matched && context.reply.status !== null) result.response.status = context.reply.status;
          return result;
        } catch (error) {
          const refused = toCallRefused(error, (bug) => parts.logBug(bug, `${request.method} ${request.url.pathname}`));
          tellRetry(refused, context.reply.header);
          throw refused;
        }
      },
    ],
  });
}

async function bodyOf(request: IncomingMessage, response: ServerResponse) {
  const body = await readBody(request);
  switch (body.kind) {
    case "body":
      return body.value;
    case "malformed":
      throw new CallRefused("BAD_REQUEST", body.sentence);
    case "too-large":
      if (!body.isWhole) response.setHeader("connection", "close");
      throw new CallRefused("TOO_LARGE", "The request is larger than 10 MB.");
    default:
      return body satisfies never;
  }
}

/** Details stand beside code and message, and never replace them. */
function errorBody(error: { code: string; message: string; data: unknown }) {
  const isOurs = error.code in REFUSALS;
  const details = isOurs && typeof error.data === "object" ? error.data : {};
  return { ...details, code: error.code, message: error.message };
}

function tellRetry({ retryAfterSeconds }: CallRefused, header: (name: string, value: string) => void): void {
  if (retryAfterSeconds !== null) header("retry-after", String(retryAfterSeconds));
}

function send(response: ServerResponse, status: number, json: string): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(json);
}
