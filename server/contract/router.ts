/**
 * The HTTP API as one contract (spec 10): paths, bodies, answers, and who may ask. The API's handlers, the browser's typed
 * client, `openapi.json` and the command line are made from it, so nothing describes a body twice. A call whose input has
 * `params`, `query`, `headers` or `body` is "detailed"; all others take one flat object (path and query or body together).
 */
import { z } from "zod";
import { invitationCalls, tokenCalls } from "./access-calls";
import { agentCalls, runnerCalls } from "./agent-calls";
import {
  ADMIN,
  byId,
  call,
  confirm,
  idempotency,
  pageOf,
  projectMember,
  removed,
  sessionMember,
  taskMember,
} from "./call";
import { id, longText, wholeNumber } from "./common";
import { meCalls, userCalls } from "./people-calls";
import { poolCalls } from "./pool-calls";
import { projectCalls } from "./project-calls";
import { refusalErrors } from "./refusals";
import { reviewCalls } from "./review-calls";
import { dispatched, dispatchRequest, session, sessionList } from "./sessions";
import { settingsCalls } from "./settings-calls";
import { diff, filePath, mergeOutlook, move, newTask, task, taskChange, taskList } from "./tasks";
import { usageCalls } from "./usage-calls";

/** Answered in the same form with 200 when nothing was made, because it was there already. */
const withKnown = <Operation extends { responses?: Record<string, unknown> }>(operation: Operation): Operation => ({
  ...operation,
  responses: { ...operation.responses, 200: operation.responses?.[201] ?? { description: "OK" } },
});

const taskCalls = {
  list: call
    .meta({ need: projectMember, scope: "read" })
    .route({ method: "GET", path: "/projects/{id}/tasks", summary: "Cards; prompts are cut to their beginning" })
    .input(pageOf)
    .output(taskList),
  create: call
    .meta({ need: projectMember, scope: "dispatch" })
    .route({
      method: "POST",
      path: "/projects/{id}/tasks",
      inputStructure: "detailed",
      successStatus: 201,
      summary: "A new task; 200 when the key is known",
      spec: withKnown,
    })
    .errors(refusalErrors("KEY_REUSED", "TOO_LARGE"))
    .input(z.object({ params: byId, headers: idempotency.optional(), body: z.strictObject(newTask.shape) }))
    .output(task),
  get: call
    .meta({ need: taskMember, scope: "read" })
    .route({ method: "GET", path: "/tasks/{id}" })
    .input(byId)
    .output(task),
  change: call
    .meta({ need: taskMember, scope: "dispatch" })
    .route({ method: "PATCH", path: "/tasks/{id}" })
    .errors(refusalErrors("TOO_LARGE"))
    .input(byId.extend(taskChange.shape))
    .output(task),
  remove: call
    .meta({ need: taskMember, scope: "dispatch" })
    .route({ method: "DELETE", path: "/tasks/{id}", inputStructure: "detailed", summary: "Delete; the branch stays" })
    .errors(refusalErrors("CONFIRM"))
    .input(z.object({ params: byId, query: confirm.optional() }))
    .output(removed),
  move: call
    .meta({ need: taskMember, scope: "dispatch" })
    .route({
      method: "POST",
      path: "/tasks/{id}/move",
      inputStructure: "detailed",
      summary: "Move a card; `waiting` dispatches",
    })
    .errors(refusalErrors("CONFLICT", "MOVED", "CONFIRM", "REOPEN_FIRST", "REPOSITORY_UNUSABLE", "AGENT_UNUSABLE"))
    .input(z.object({ params: byId, query: confirm.optional(), body: move }))
    .output(task),
  dispatch: call
    .meta({ need: taskMember, scope: "dispatch" })
    .route({
      method: "POST",
      path: "/tasks/{id}/dispatch",
      inputStructure: "detailed",
      successStatus: 201,
      summary: "Dispatch; 200 when it was live already or the key is known",
      spec: withKnown,
    })
    .errors(
      refusalErrors(
        "REOPEN_FIRST",
        "KEY_REUSED",
        "REPOSITORY_UNUSABLE",
        "AGENT_UNUSABLE",
        "TOO_LARGE",
        "TOO_MANY_REQUESTS",
      ),
    )
    .input(z.object({ params: byId, headers: idempotency.optional(), body: dispatchRequest.optional() }))
    .output(dispatched),
  sessions: call
    .meta({ need: taskMember, scope: "read" })
    .route({ method: "GET", path: "/tasks/{id}/sessions", summary: "All attempts, newest first" })
    .input(pageOf)
    .output(sessionList),
  diff: call
    .meta({ need: taskMember, scope: "read" })
    .route({ method: "GET", path: "/tasks/{id}/diff", summary: "Files changed, with patches; of `path` a longer one" })
    .errors(refusalErrors("REPOSITORY_UNUSABLE"))
    .input(byId.extend({ path: filePath.optional() }))
    .output(diff),
  base: call
    .meta({ need: taskMember, scope: "read" })
    .route({
      method: "GET",
      path: "/tasks/{id}/base",
      summary: "What a merge of the task's branch would meet and leave out",
    })
    .input(byId)
    .output(mergeOutlook),
  ...reviewCalls,
};

const sessionCalls = {
  get: call
    .meta({ need: sessionMember, scope: "read" })
    .route({ method: "GET", path: "/sessions/{id}" })
    .input(byId)
    .output(session),
  cancel: call
    .meta({ need: sessionMember, scope: "dispatch" })
    .route({ method: "POST", path: "/sessions/{id}/cancel", summary: "Withdraw or stop; harmless twice" })
    .input(byId)
    .output(session),
  reorder: call
    .meta({ need: sessionMember, scope: "dispatch" })
    .route({ method: "POST", path: "/sessions/{id}/reorder", summary: "Own line only; `before: null` = to the end" })
    .errors(refusalErrors("CONFLICT"))
    .input(byId.extend({ before: id.nullable() }))
    .output(session),
  answer: call
    .meta({ need: sessionMember, scope: "dispatch" })
    .route({
      method: "POST",
      path: "/sessions/{id}/answer",
      summary: "Answer the question with this id; 409 once it asks another or none",
    })
    .errors(refusalErrors("CONFLICT"))
    .input(byId.extend({ questionId: id, option: longText }))
    .output(session),
  message: call
    .meta({ need: sessionMember, scope: "dispatch" })
    .route({
      method: "POST",
      path: "/sessions/{id}/message",
      summary: "Say something to an agent while it runs",
      inputStructure: "detailed",
    })
    .errors(refusalErrors("CONFLICT", "KEY_REUSED", "TOO_LARGE"))
    .input(z.object({ params: byId, headers: idempotency.optional(), body: z.strictObject({ text: longText }) }))
    .output(session),
  declareLost: call
    .meta({ need: ADMIN, scope: "admin" })
    .route({
      method: "POST",
      path: "/sessions/{id}/declare-lost",
      summary: "Give up a runner that cannot be found out about; its slot comes back",
    })
    .errors(refusalErrors("CONFLICT"))
    .input(byId)
    .output(removed),
  output: call
    .meta({ need: sessionMember, scope: "read" })
    .route({
      method: "GET",
      path: "/sessions/{id}/output",
      outputStructure: "detailed",
      summary:
        "Bytes from `offset`, or those that end at `before`; see the headers X-Offset, X-Next-Offset and X-Complete",
    })
    .input(
      byId
        .extend({ offset: wholeNumber.optional(), before: wholeNumber.optional(), limit: wholeNumber.optional() })
        .refine(({ offset, before }) => offset === undefined || before === undefined, "Either `offset` or `before`."),
    )
    .output(z.object({ headers: z.record(z.string(), z.string()), body: z.file().mime("application/octet-stream") })),
  events: call
    .meta({ need: sessionMember, scope: "read" })
    .route({
      method: "GET",
      path: "/sessions/{id}/events",
      outputStructure: "detailed",
      summary:
        "The transcript: one `{n, event}` per line, those with a number over `after`; see the headers X-Next-After and X-Complete",
    })
    .input(byId.extend({ after: wholeNumber.optional() }))
    .output(z.object({ headers: z.record(z.string(), z.string()), body: z.file().mime("application/x-ndjson") })),
};

export const contract = {
  me: meCalls,
  users: userCalls,
  projects: projectCalls,
  agents: agentCalls,
  runner: runnerCalls,
  tasks: taskCalls,
  sessions: sessionCalls,
  usage: usageCalls,
  pool: poolCalls,
  settings: settingsCalls,
  tokens: tokenCalls,
  invitations: invitationCalls,
};
export type Contract = typeof contract;

/** Where the API stands on the server. */
export const API_PREFIX = "/api/v1";
