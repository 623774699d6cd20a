"use client";
/**
 * In which language a session's output is written: its agent's kind says it; for an agent that was removed, or as long as the
 * agents are not known, the session itself.
 */
import { useQuery } from "@tanstack/react-query";
import type { Session } from "@/server/contract/sessions";
import type { StreamFormat } from "@/server/core/agent/events";
import { formatOf } from "@/server/core/agent/talking-agents";
import { useAgents } from "../agent/use-agents";
import { apiFetch, eventsAddress } from "../api";

const FORMATS: readonly StreamFormat[] = ["claude", "codex", "acp", "text"];

/** Null: not known yet. */
export function useFormat(session: Session | null): StreamFormat | null {
  const agents = useAgents(session?.projectId);
  const agent = agents?.find(({ id }) => id === session?.agentId);
  const hasBegun = session !== null && session.startedAt !== null;
  const { data } = useQuery({
    queryKey: ["format", session?.id],
    queryFn: () => readFormat(session?.id ?? ""),
    enabled: hasBegun && agent === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (agent !== undefined) return formatOf(agent.kind);
  return data ?? null;
}

async function readFormat(sessionId: string): Promise<StreamFormat> {
  const response = await apiFetch(eventsAddress(sessionId), { method: "HEAD" });
  // Not known is not `text`, which would stay.
  if (!response.ok) throw new Error(`The session's format could not be asked for: ${response.status}.`);
  const told = response.headers.get("x-format");
  return FORMATS.find((format) => format === told) ?? "text";
}
