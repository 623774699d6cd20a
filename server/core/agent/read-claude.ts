/** Claude Code's stream-json, one message → events. Remembers nothing; unknown messages are raw. */
import {
  type AgentEvent,
  type AgentTrouble,
  cutText,
  type PlanStep,
  shownPath,
  type ToolKind,
  toolEvent,
  usageEvent,
} from "./events";
import { momentOf, type Tokens, told, toldUsd } from "./figures";
import { blocksText, fieldsOf, type Json, listOf, numberOf, textOf } from "./json";
import { troubleOf } from "./trouble";

/** Null: nothing known in it. An empty list: known, and nothing to tell. */
export function readClaude(message: Json): AgentEvent[] | null {
  switch (message.type) {
    case "system":
      return readSystem(message);
    case "assistant":
      return readAssistant(message);
    case "user":
      return readUser(message);
    case "stream_event":
      return readStreamEvent(message);
    case "result":
      return readResult(message);
    case "rate_limit_event": {
      const { status, resetsAt } = fieldsOf(message.rate_limit_info);
      const until = momentOf((numberOf(resetsAt) ?? Number.NaN) * 1_000);
      return status === "rejected" && until !== null ? [{ kind: "limit", until }] : [];
    }
    case "control_request":
    case "control_response":
    case "control_cancel_request":
    case "keep_alive":
    case "tool_progress":
      return [];
    default:
      return null;
  }
}

function readSystem(message: Json): AgentEvent[] | null {
  switch (message.subtype) {
    case "init":
      return [
        {
          kind: "session",
          id: textOf(message.session_id),
          agent: "claude-code",
          agentVersion: textOf(message.claude_code_version),
          model: textOf(message.model),
        },
      ];
    case "api_retry": {
      const { attempt, max_retries: max } = message;
      return [{ kind: "retry", attempt: numberOf(attempt), max: numberOf(max), error: retriedTrouble(message) }];
    }
    case "task_notification":
      return readNotification(message);
    case "background_tasks_changed":
    case "task_started":
    case "task_progress":
    case "task_updated":
    case "status":
    case "permission_denied":
      return [];
    default:
      return null;
  }
}

/** Without a status no answer came: its word for that says nothing to people. */
function retriedTrouble({ error, error_status: status }: Json): AgentTrouble {
  const word = textOf(error) ?? "unknown";
  if (word !== "unknown" || numberOf(status) !== null) return troubleOf(word, numberOf(status));
  return { error: "connection", status: null, message: UNANSWERED, isOurs: true };
}

const UNANSWERED = "the model did not answer, or the connection to it was cut";

/**
 * A helper's report is the agent's to tell; what was stopped was so at the agent's wish, or with the session. What the agent
 * waited for has no file of output: its end stands in its own row.
 */
function readNotification({
  status,
  summary,
  output_file: file,
  summary_is_report: isReport,
  owned_by_subagent: isOfHelper,
}: Json): AgentEvent[] {
  const text = textOf(summary);
  const isOver = status === "completed" || status === "failed";
  if (!isOver || text === null || file === "" || isReport === true || isOfHelper === true) return [];
  return [{ kind: "background", state: "news", text: cutText(text) }];
}

function readAssistant(message: Json): AgentEvent[] {
  const { id, content } = fieldsOf(message.message);
  const messageId = textOf(id);
  // An error of the model's service is told once more, in the result.
  if (message.is_api_error_message === true || message.error !== undefined) return [];
  return listOf(content).flatMap((block): AgentEvent[] => {
    const { type, text, thinking, id: toolId, name, input } = fieldsOf(block);
    if (type === "tool_use" && typeof toolId === "string")
      return readToolUse(toolId, textOf(name) ?? "", fieldsOf(input));
    // What sub-agents say is theirs; what they do is shown.
    if (typeof message.parent_tool_use_id === "string") return [];
    if (type === "text") return [{ kind: "text", id: messageId, text: textOf(text) ?? "", isWhole: true }];
    if (type === "thinking") return [{ kind: "thought", id: messageId, text: textOf(thinking) ?? "", isWhole: true }];
    return [];
  });
}

function readToolUse(id: string, name: string, input: Json): AgentEvent[] {
  const steps = name === "TodoWrite" ? planFrom(input.todos) : [];
  if (steps.length > 0) return [{ kind: "plan", steps }];
  const toolKind = TOOL_KINDS[name] ?? "other";
  return [toolEvent(id, { name, toolKind, title: titleOf(name, input), input, status: "running" })];
}

const TOOL_KINDS: Readonly<Record<string, ToolKind>> = {
  Bash: "execute",
  Edit: "edit",
  MultiEdit: "edit",
  NotebookEdit: "edit",
  Write: "edit",
  Read: "read",
  Glob: "search",
  Grep: "search",
  LS: "search",
  WebFetch: "fetch",
  WebSearch: "fetch",
};

function titleOf(name: string, input: Json): string {
  const what = input.command ?? input.file_path ?? input.path ?? input.pattern ?? input.url ?? input.query;
  const detail = textOf(what) ?? textOf(input.description);
  if (detail === null) return name;
  return name === "Bash" ? detail : `${name} ${shownPath(detail)}`;
}

function planFrom(todos: unknown): PlanStep[] {
  return listOf(todos).flatMap((todo) => {
    const { content, status } = fieldsOf(todo);
    return typeof content === "string" ? [{ text: content, status: stepStatus(status) }] : [];
  });
}

export function stepStatus(status: unknown): PlanStep["status"] {
  if (status === "completed") return "done";
  return status === "in_progress" || status === "inProgress" ? "running" : "pending";
}

function readUser(message: Json): AgentEvent[] {
  const { content } = fieldsOf(message.message);
  const results = listOf(content).flatMap((block): AgentEvent[] => {
    const { type, tool_use_id: id, content: output, is_error: isError } = fieldsOf(block);
    if (type !== "tool_result" || typeof id !== "string") return [];
    const text = blocksText(output);
    return [
      toolEvent(id, { status: isError === true ? "failed" : "done", output: text === null ? null : cutText(text) }),
    ];
  });
  const isOwn = typeof message.parent_tool_use_id === "string";
  // A message from a person is told back only when it was asked for; what the program itself puts in is not one.
  const said = message.isReplay === true && !isOwn ? blocksText(content) : null;
  return said === null ? results : [...results, { kind: "person", id: textOf(message.uuid), text: said }];
}

function readStreamEvent(message: Json): AgentEvent[] {
  const event = fieldsOf(message.event);
  const id = textOf(message.api_message_id);
  if (event.type === "message_delta" && event.usage !== undefined) {
    return [usageEvent("call", { id, tokens: tokensFrom(fieldsOf(event.usage)) })];
  }
  if (event.type !== "content_block_delta" || typeof message.parent_tool_use_id === "string") return [];
  const { type, text, thinking } = fieldsOf(event.delta);
  if (type === "text_delta") return [{ kind: "text", id, text: textOf(text) ?? "", isWhole: false }];
  if (type === "thinking_delta") return [{ kind: "thought", id, text: textOf(thinking) ?? "", isWhole: false }];
  return [];
}

function tokensFrom(usage: Json): Tokens {
  return {
    input: told(usage.input_tokens),
    cacheRead: told(usage.cache_read_input_tokens),
    cacheWrite: told(usage.cache_creation_input_tokens),
    output: told(usage.output_tokens),
  };
}

function readResult(message: Json): AgentEvent[] {
  const spent = spentSinceLastResult(message.model_usage_since_last_result);
  const usage = usageEvent("turn", {
    tokens: spent?.tokens ?? tokensFrom(fieldsOf(message.usage)),
    costUsd: spent?.costUsd ?? null,
    costTotalUsd: message.total_cost_usd,
  });
  const { subtype, terminal_reason: terminal } = message;
  if (typeof terminal === "string" && terminal.startsWith("aborted"))
    return [usage, { kind: "end", reason: "cancelled" }];
  if (subtype === "success" && message.is_error !== true) return [usage, { kind: "end", reason: "done" }];
  const status = numberOf(message.api_error_status);
  const errors = listOf(message.errors).filter((error): error is string => typeof error === "string");
  const said = textOf(message.result) ?? (errors.join(" ") || textOf(subtype) || "");
  const isLimit =
    subtype === "error_max_turns" || subtype === "error_max_budget_usd" || terminal === "budget_exhausted";
  const trouble = isLimit ? { error: "own-limit" as const, status: null, message: said } : troubleOf(said, status);
  return [usage, { kind: "error", ...trouble }, { kind: "end", reason: isLimit ? "limit" : "error" }];
}

/** By model, those of side calls and of a turn that was broken off included; older releases do not tell it. */
function spentSinceLastResult(value: unknown): { readonly tokens: Tokens; readonly costUsd: number } | null {
  if (typeof value !== "object" || value === null) return null;
  const sum = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  let costUsd = 0;
  for (const model of Object.values(fieldsOf(value)).map(fieldsOf)) {
    sum.input += told(model.inputTokens);
    sum.cacheRead += told(model.cacheReadInputTokens);
    sum.cacheWrite += told(model.cacheCreationInputTokens);
    sum.output += told(model.outputTokens);
    costUsd += toldUsd(model.costUSD);
  }
  return { tokens: sum, costUsd };
}
