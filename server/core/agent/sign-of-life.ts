/**
 * What an agent's program writes while it waits, only to show that it is there: it says nothing, so an agent from which nothing
 * else comes is quiet (R9). ACP knows no such message. What is not known to be one counts as said.
 */
import type { AgentEvent, StreamFormat } from "./events";
import { fieldsOf, type Json } from "./json";
import { readClaude } from "./read-claude";
import { readCodex } from "./read-codex";

export function isSignOfLife(format: StreamFormat, message: Json): boolean {
  switch (format) {
    case "claude":
      return isOfClaude(message) && isUntold(readClaude(message));
    case "codex":
      return CODEX_STATES.includes(message.method) && isUntold(readCodex(message));
    case "acp":
    case "text":
      return false;
    default:
      return format satisfies never;
  }
}

/** Of the same message, a limit that is reached is told to people. */
function isUntold(events: readonly AgentEvent[] | null): boolean {
  return events?.length === 0;
}

/** What it hears from its own service, whatever the model does. */
const CODEX_STATES: readonly unknown[] = ["account/rateLimits/updated", "remoteControl/status/changed"];

/** Its model's service sends a `ping` about every minute for as long as a connection is open. */
function isOfClaude({ type, event }: Json): boolean {
  if (type === "stream_event") return fieldsOf(event).type === "ping";
  return type === "keep_alive" || type === "rate_limit_event" || type === "tool_progress";
}
