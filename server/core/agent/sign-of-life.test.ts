/** What counts as said by an agent, and what only shows that its program is there (R9). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { StreamFormat } from "./events";
import { parseLine } from "./json";
import { isSignOfLife } from "./sign-of-life";

const ping = { type: "stream_event", event: { type: "ping" }, session_id: "s", parent_tool_use_id: null };

it("[R9] a ping, a keep-alive and the state of an account say nothing; a piece of an answer and a failure do", () => {
  const signs: [StreamFormat, object][] = [
    ["claude", ping],
    ["claude", { ...ping, parent_tool_use_id: "helper" }],
    ["claude", { type: "keep_alive" }],
    ["claude", { type: "rate_limit_event", rate_limit_info: { status: "allowed" } }],
    ["claude", { type: "tool_progress", tool_name: "Bash", elapsed_time_seconds: 30 }],
    ["codex", { method: "account/rateLimits/updated", params: {} }],
    ["codex", { method: "remoteControl/status/changed", params: {} }],
  ];
  for (const [format, message] of signs) expect(isSignOfLife(format, { ...message })).toBe(true);
  const said: [StreamFormat, object][] = [
    ["claude", { type: "stream_event", event: { type: "content_block_delta" } }],
    ["claude", { type: "system", subtype: "api_retry" }],
    ["claude", { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt: 1_800_000_000 } }],
    ["claude", { type: "something new" }],
    ["codex", { method: "turn/started", params: {} }],
    ["acp", { method: "session/update", params: {} }],
    ["text", ping],
  ];
  for (const [format, message] of said) expect(isSignOfLife(format, { ...message })).toBe(false);
});

it("[R9] nearly all that real agents wrote is said: what is not is no event either", () => {
  const folder = join(import.meta.dirname, "streams");
  const formats: Record<string, StreamFormat> = { acp: "acp", "claude-code": "claude", "codex-app-server": "codex" };
  const signs = readdirSync(folder).flatMap((file) => {
    const format = formats[file.split(".")[0] ?? ""] ?? "text";
    const lines = readFileSync(join(folder, file), "utf8").split("\n").map(parseLine);
    return lines.flatMap((line) => (line && isSignOfLife(format, line) ? [line.method ?? line.type] : []));
  });
  expect(new Set(signs)).toEqual(new Set(["account/rateLimits/updated", "remoteControl/status/changed"]));
});
