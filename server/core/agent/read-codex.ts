/** Codex's app-server (JSON-RPC without the version member), one message → events. Remembers nothing. */
import {
  type AgentErrorKind,
  type AgentEvent,
  type AgentTrouble,
  cutText,
  shownPath,
  type ToolStatus,
  toolEvent,
  usageEvent,
} from "./events";
import { momentOf, type Tokens, told } from "./figures";
import { fieldsOf, type Json, listOf, numberOf, textOf } from "./json";
import { stepStatus } from "./read-claude";
import { withoutShell } from "./shell-command";
import { spokenMessage, troubleOf } from "./trouble";

/** Null: nothing known in it. An empty list: known, and nothing to tell. */
export function readCodex(message: Json): AgentEvent[] | null {
  if (typeof message.method !== "string") return readAnswer(message);
  const params = fieldsOf(message.params);
  switch (message.method) {
    case "item/started":
    case "item/completed":
      return readItem(fieldsOf(params.item), message.method === "item/completed");
    case "item/agentMessage/delta":
      return [{ kind: "text", id: textOf(params.itemId), text: textOf(params.delta) ?? "", isWhole: false }];
    case "item/reasoning/summaryTextDelta":
    case "item/reasoning/textDelta":
      return [{ kind: "thought", id: textOf(params.itemId), text: textOf(params.delta) ?? "", isWhole: false }];
    case "item/commandExecution/outputDelta":
      return typeof params.itemId === "string" ? [toolEvent(params.itemId, { more: textOf(params.delta) })] : [];
    case "turn/plan/updated":
      return [{ kind: "plan", steps: planFrom(params.plan) }];
    case "thread/tokenUsage/updated":
      return readUsage(fieldsOf(params.tokenUsage));
    case "account/rateLimits/updated":
      return readLimits(fieldsOf(params.rateLimits));
    case "error":
      // One that will not be tried again is told once more, with the turn's end.
      if (params.willRetry !== true) return [];
      return [{ kind: "retry", attempt: null, max: null, error: turnTrouble(fieldsOf(params.error)) }];
    case "turn/started":
      return [{ kind: "turn" }];
    case "turn/completed":
      return readTurnEnd(fieldsOf(params.turn));
    default:
      // Requests to us are the host's; most notifications say nothing for people.
      return message.id !== undefined || QUIET.test(message.method) ? [] : null;
  }
}

const QUIET = /^(thread|turn|account|remoteControl|mcpServer|skills|item|rawResponse|windows|fs|model|hook)\//;

/** Answers to the host: of the two that tell something, what is in them tells which it is. */
function readAnswer(message: Json): AgentEvent[] | null {
  if (message.id === undefined) return null;
  if (message.error !== undefined) {
    const said = textOf(fieldsOf(message.error).message) ?? "";
    return [
      { kind: "error", ...troubleOf(said, null) },
      { kind: "end", reason: "error" },
    ];
  }
  const { thread, model } = fieldsOf(message.result);
  const { id, cliVersion } = fieldsOf(thread);
  if (typeof id !== "string") return [];
  return [{ kind: "session", id, agent: "codex", agentVersion: textOf(cliVersion), model: textOf(model) }];
}

function readItem(item: Json, isOver: boolean): AgentEvent[] {
  const id = textOf(item.id);
  if (id === null) return [];
  const status = statusOf(item.status, isOver);
  switch (item.type) {
    case "agentMessage":
      return isOver ? [{ kind: "text", id, text: textOf(item.text) ?? "", isWhole: true }] : [];
    case "reasoning": {
      const text = [...listOf(item.summary), ...listOf(item.content)]
        .filter((part) => typeof part === "string")
        .join("\n");
      return isOver && text !== "" ? [{ kind: "thought", id, text, isWhole: true }] : [];
    }
    case "userMessage": {
      const texts = listOf(item.content).flatMap((part) => textOf(fieldsOf(part).text) ?? []);
      return isOver ? [{ kind: "person", id, text: texts.join("\n") }] : [];
    }
    case "commandExecution": {
      const command = textOf(item.command) ?? "";
      const output = textOf(item.aggregatedOutput);
      return [
        toolEvent(id, {
          name: "shell",
          toolKind: "execute",
          title: withoutShell(command),
          input: { command },
          status: isOver && (numberOf(item.exitCode) ?? 0) !== 0 ? "failed" : status,
          output: output === null ? null : cutText(output),
        }),
      ];
    }
    case "fileChange":
      return [toolEvent(id, { name: "edit", toolKind: "edit", status, ...changesOf(item.changes) })];
    case "mcpToolCall":
    case "dynamicToolCall": {
      const name = textOf(item.tool) ?? "tool";
      const said = item.error ?? item.result ?? item.contentItems;
      const output = isOver && said !== null && said !== undefined ? cutText(JSON.stringify(said)) : null;
      return [toolEvent(id, { name, toolKind: "other", title: name, input: item.arguments, status, output })];
    }
    case "webSearch": {
      const query = textOf(item.query) ?? "";
      return [
        toolEvent(id, { name: "web search", toolKind: "fetch", title: `Search ${query}`, input: { query }, status }),
      ];
    }
    default:
      return [];
  }
}

function statusOf(status: unknown, isOver: boolean): ToolStatus {
  if (status === "failed" || status === "declined") return "failed";
  return isOver ? "done" : "running";
}

function changesOf(changes: unknown): { readonly title: string; readonly input: unknown; readonly output: string } {
  const files = listOf(changes).map(fieldsOf);
  const paths = files.flatMap((file) => textOf(file.path) ?? []);
  const diffs = files.flatMap((file) => textOf(file.diff) ?? []);
  return {
    title: `Edit ${paths.map(shownPath).join(", ")}`,
    input: { files: paths },
    output: cutText(diffs.join("\n")),
  };
}

function planFrom(plan: unknown) {
  return listOf(plan).flatMap((entry) => {
    const { step, status } = fieldsOf(entry);
    return typeof step === "string" ? [{ text: step, status: stepStatus(status) }] : [];
  });
}

function readUsage({ total, last }: Json): AgentEvent[] {
  return [usageEvent("conversation", { tokens: tokensFrom(fieldsOf(total)), last: tokensFrom(fieldsOf(last)) })];
}

/** Cached tokens are counted into the input here. */
function tokensFrom(usage: Json): Tokens {
  const cacheRead = told(usage.cachedInputTokens);
  const input = Math.max(0, told(usage.inputTokens) - cacheRead);
  return { input, cacheRead, cacheWrite: 0, output: told(usage.outputTokens) };
}

function readLimits(limits: Json): AgentEvent[] {
  const used = [fieldsOf(limits.primary), fieldsOf(limits.secondary)].filter(
    (window) => (numberOf(window.usedPercent) ?? 0) >= 100,
  );
  const resets = used.flatMap((window) => numberOf(window.resetsAt) ?? []);
  const until = resets.length === 0 ? null : momentOf(Math.max(...resets) * 1_000);
  return until === null ? [] : [{ kind: "limit", until }];
}

function readTurnEnd(turn: Json): AgentEvent[] {
  switch (turn.status) {
    case "completed":
      return [{ kind: "end", reason: "done" }];
    case "interrupted":
      return [{ kind: "end", reason: "cancelled" }];
    default:
      return [
        { kind: "error", ...turnTrouble(fieldsOf(turn.error)) },
        { kind: "end", reason: "error" },
      ];
  }
}

const KINDS: Readonly<Record<string, AgentErrorKind>> = {
  unauthorized: "not-logged-in",
  usageLimitExceeded: "usage-limit",
  rateLimitExceeded: "usage-limit",
  sessionBudgetExceeded: "own-limit",
  serverOverloaded: "service",
  internalServerError: "service",
  badRequest: "refused",
  modelNotFound: "refused",
  httpConnectionFailed: "connection",
  responseStreamConnectionFailed: "connection",
  responseStreamDisconnected: "connection",
};

function turnTrouble(error: Json): AgentTrouble {
  const { codexErrorInfo: info, additionalDetails } = error;
  const name = typeof info === "string" ? info : (Object.keys(fieldsOf(info))[0] ?? "");
  const status = numberOf(fieldsOf(fieldsOf(info)[name]).httpStatusCode);
  const message = spokenMessage(textOf(error.message) ?? "");
  const details = textOf(additionalDetails);
  const trouble = troubleOf(details === null ? message : `${message} ${details}`, status);
  const told = KINDS[name];
  return told === undefined || trouble.status !== null ? trouble : { ...trouble, error: told };
}
