/**
 * The Agent Client Protocol, one message → events. Remembers nothing: which answer a message is stands in what it holds. What
 * agents mean by their token counts differs and is known to `usage.ts` and `quirks.ts`.
 */
import { type AgentEvent, cutText, type ToolKind, type ToolStatus, toolEvent, usageEvent } from "./events";
import { type Tokens, told } from "./figures";
import { blocksText, fieldsOf, type Json, listOf, numberOf, textOf } from "./json";
import { stepStatus } from "./read-claude";
import { spokenMessage, troubleOf } from "./trouble";

/** Requests of the host from this number on are wishes (a mode, a model): of a refusal tells a line of the host (`refused-setting.ts`). */
export const FIRST_WISH_ID = 1_000;
/** Of the protocol: the agent wants its user to log in first. */
const AUTH_REQUIRED = -32_000;

/** Null: nothing known in it. An empty list: known, and nothing to tell. */
export function readAcp(message: Json): AgentEvent[] | null {
  if (message.method === "session/update") return readUpdate(fieldsOf(fieldsOf(message.params).update));
  // What it asks permission for is told here, with the change that it would make; some tell it nowhere else before.
  if (message.method === "session/request_permission") return readTool(fieldsOf(fieldsOf(message.params).toolCall));
  // Other requests to us are the host's.
  if (typeof message.method === "string") return message.id === undefined ? null : [];
  if (message.id === undefined) return null;
  return message.error === undefined ? readAnswer(fieldsOf(message.result)) : readRefusal(message);
}

function readRefusal({ id, error }: Json): AgentEvent[] {
  if (typeof id === "number" && id >= FIRST_WISH_ID) return [];
  const { data, code } = fieldsOf(error);
  const said = wordsOfError(fieldsOf(error));
  const status = numberOf(code);
  const isHttp = status !== null && status >= 400 && status < 600;
  const trouble = troubleOf(said, isHttp ? status : null);
  const isLogin = code === AUTH_REQUIRED || fieldsOf(data).errorKind === "authentication_failed";
  return [
    { kind: "error", ...trouble, error: isLogin ? "not-logged-in" : trouble.error },
    { kind: "end", reason: "error" },
  ];
}

/** The agent's own words for an error; empty: it has none. */
export function wordsOfError({ message, data }: Json): string {
  const details = textOf(fieldsOf(data).details) ?? textOf(fieldsOf(data).message);
  return spokenMessage([textOf(message), details].filter((part) => part !== null).join(": "));
}

function readAnswer(result: Json): AgentEvent[] {
  if (typeof result.stopReason === "string") return readTurnEnd(result);
  const { agentInfo, agentCapabilities, sessionId, models } = result;
  const { name, version } = fieldsOf(agentInfo);
  const id = textOf(sessionId);
  const model = textOf(fieldsOf(models).currentModelId);
  if (id === null && textOf(name) === null && agentCapabilities === undefined) return [];
  const told = { id, agent: textOf(name), agentVersion: textOf(version), model };
  const { loadSession, sessionCapabilities } = fieldsOf(agentCapabilities);
  const canContinue = loadSession === true || fieldsOf(sessionCapabilities).resume !== undefined;
  return [{ kind: "session", ...told, ...(agentCapabilities === undefined ? {} : { canContinue }) }];
}

function readTurnEnd(result: Json): AgentEvent[] {
  const tokens = tokensFrom(result.usage) ?? quotaFrom(result);
  const usage = tokens === null ? [] : [usageEvent("turn", { tokens })];
  switch (result.stopReason) {
    case "end_turn":
      return [...usage, { kind: "end", reason: "done" }];
    case "cancelled":
      return [...usage, { kind: "end", reason: "cancelled" }];
    case "refusal":
      return [
        ...usage,
        { kind: "error", error: "refused", status: null, message: "The model refused the request.", isOurs: true },
        { kind: "end", reason: "error" },
      ];
    default: {
      const reason = textOf(result.stopReason) ?? "";
      const message = LIMITS[reason] ?? `The agent stopped for a reason of its own: ${reason}.`;
      return [
        ...usage,
        { kind: "error", error: "own-limit", status: null, message, isOurs: true },
        { kind: "end", reason: "limit" },
      ];
    }
  }
}

const LIMITS: Readonly<Record<string, string>> = {
  max_tokens: "The agent stopped at a limit of its own: the most tokens of one answer.",
  max_turn_requests: "The agent stopped at a limit of its own: the most requests to the model in one turn.",
};

/** As reported; thoughts count as output. */
function tokensFrom(value: unknown): Tokens | null {
  if (typeof value !== "object" || value === null) return null;
  const usage = fieldsOf(value);
  return {
    input: told(usage.inputTokens),
    cacheRead: told(usage.cachedReadTokens),
    cacheWrite: told(usage.cachedWriteTokens),
    output: outputOf(usage),
  };
}

/** Some count thoughts into the output and some beside it: the total tells. */
function outputOf(usage: Json): number {
  const [output, thoughts, input] = [told(usage.outputTokens), told(usage.thoughtTokens), told(usage.inputTokens)];
  const cached = told(usage.cachedReadTokens) + told(usage.cachedWriteTokens);
  const total = numberOf(usage.totalTokens);
  const isBeside = total !== null && [input, input + cached].includes(total - output - thoughts);
  const isWithin = total !== null && [input, input + cached].includes(total - output);
  return isBeside && !isWithin ? output + thoughts : output;
}

function quotaFrom(result: Json): Tokens | null {
  const count = fieldsOf(fieldsOf(fieldsOf(result._meta).quota).token_count);
  if (count.input_tokens == null) return null;
  return { input: told(count.input_tokens), cacheRead: 0, cacheWrite: 0, output: told(count.output_tokens) };
}

function readUpdate(update: Json): AgentEvent[] | null {
  const id = textOf(update.messageId);
  switch (update.sessionUpdate) {
    case "agent_message_chunk": {
      const tokens = tokensFrom(fieldsOf(update._meta).usage);
      const text = blocksText(update.content) ?? "";
      const said: AgentEvent[] = text === "" ? [] : [{ kind: "text", id, text, isWhole: false }];
      return tokens === null ? said : [...said, usageEvent("call", { tokens })];
    }
    case "agent_thought_chunk":
      return [{ kind: "thought", id, text: blocksText(update.content) ?? "", isWhole: false }];
    case "user_message_chunk":
      return [{ kind: "person", id, text: blocksText(update.content) ?? "" }];
    case "tool_call":
    case "tool_call_update":
      return readTool(update);
    case "plan":
      return [{ kind: "plan", steps: planFrom(update.entries) }];
    case "usage_update": {
      const { amount, currency } = fieldsOf(update.cost);
      return currency === "USD" && amount != null ? [usageEvent("conversation", { costTotalUsd: amount })] : [];
    }
    case "session_info_update": {
      const { type } = fieldsOf(fieldsOf(fieldsOf(update._meta).codex).threadStatus);
      // The only sign of an error that otherwise comes as the agent's last words.
      return type === "systemError" ? [{ kind: "error", error: "other", status: null, message: "" }] : [];
    }
    case "available_commands_update":
    case "current_mode_update":
    case "config_option_update":
      return [];
    default:
      return null;
  }
}

function planFrom(entries: unknown) {
  return listOf(entries).flatMap((entry) => {
    const { content, status } = fieldsOf(entry);
    return typeof content === "string" ? [{ text: content, status: stepStatus(status) }] : [];
  });
}

const TOOL_KINDS: readonly string[] = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch"];
const STATUSES: Readonly<Record<string, ToolStatus>> = {
  pending: "pending",
  in_progress: "running",
  completed: "done",
  failed: "failed",
};

function readTool(update: Json): AgentEvent[] {
  const id = textOf(update.toolCallId);
  if (id === null) return [];
  const kind = textOf(update.kind);
  const output = outputFrom(update);
  const edits = editsFrom(update);
  return [
    toolEvent(id, {
      name: textOf(update.name) ?? textOf(fieldsOf(update._meta).toolName),
      toolKind: kind === null ? null : ((TOOL_KINDS.includes(kind) ? kind : "other") as ToolKind),
      title: textOf(update.title),
      // A change in a form that is known goes before the agent's own words for it.
      input: edits.length > 0 ? { edits } : update.rawInput,
      status: STATUSES[textOf(update.status) ?? ""] ?? null,
      output: output === null ? null : cutText(output),
    }),
  ];
}

/** The changes of a call that makes some or asks for leave to make them, as Claude Code's own tool for it takes them. */
function editsFrom({ content }: Json): object[] {
  return listOf(content).flatMap((part) => {
    const { type, path, oldText, newText } = fieldsOf(part);
    if (type !== "diff" || typeof newText !== "string") return [];
    return { file_path: textOf(path) ?? "", old_string: textOf(oldText) ?? "", new_string: newText };
  });
}

function outputFrom(update: Json): string | null {
  const { rawOutput } = update;
  const parts = listOf(update.content).flatMap((part) => blocksText(fieldsOf(part).content) ?? []);
  if (parts.length > 0) return parts.join("\n");
  return textOf(rawOutput) ?? textOf(fieldsOf(rawOutput).output) ?? textOf(fieldsOf(rawOutput).text);
}
