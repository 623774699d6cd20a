/** Tokens and money in words. Unknown is said as unknown and never as 0 (A4). Pure. */
import type { Session } from "@/server/contract/sessions";
import type { UsageSum } from "@/server/contract/usage";

/** `$0.84`; less than a cent that was paid is not nothing. */
function dollars(usd: number): string {
  return usd > 0 && usd < 0.01 ? "<$0.01" : `$${usd.toFixed(2)}`;
}

/** Where a figure has little room and nobody knows it. */
export const UNKNOWN_COST = "—";

/** On a card: `$0.84`, `$0.84+` when more was used than is known, `—` when nobody knows. */
export function shortCost(usage: Session["usage"]): string {
  if (usage === null || usage.costUsd === null) return UNKNOWN_COST;
  return `${dollars(usage.costUsd)}${usage.partial ? "+" : ""}`;
}

/** Null: there is no session, or its agent costs nothing (`mayCost`). */
export function costOnCard(session: Session | null, mayCost: (agentId: string) => boolean): string | null {
  return session === null || !mayCost(session.agentId) ? null : shortCost(session.usage);
}

/** Of one session, on pages: `$0.84`, `at least $0.84`, `unknown`. */
export function costWord({ costUsd, partial }: Pick<NonNullable<Session["usage"]>, "costUsd" | "partial">): string {
  if (costUsd === null) return "unknown";
  return partial ? `at least ${dollars(costUsd)}` : dollars(costUsd);
}

/** Of a sum: `$1.20`, `$1.20 and an unknown cost of 2 sessions`, `unknown`, `none`. */
export function costOfSum({ costUsd, unknownCost, sessions, partial }: UsageSum): string {
  const unknown = sessionsOf(unknownCost);
  if (costUsd === null) return unknownCost > 0 ? `unknown (${unknown})` : sessions > 0 ? "unknown" : "none";
  const known = costWord({ costUsd, partial });
  return unknownCost === 0 ? known : `${known}, and unknown for ${unknown}`;
}

/** Of a sum: `1,234 tokens`, `1,234 tokens, and unknown for 2 sessions`, `unknown` where nobody told. */
export function tokensOfSum({ sessions, input, cachedInput, output, unknownTokens }: UsageSum, said = figure): string {
  if (sessions === 0 && unknownTokens > 0) return "unknown";
  const tokens = `${said(input + cachedInput + output)} tokens`;
  return unknownTokens === 0 ? tokens : `${tokens}, and unknown for ${sessionsOf(unknownTokens)}`;
}

/** `1 session`, `3 sessions`. */
export function sessionsOf(count: number): string {
  return count === 1 ? "1 session" : `${count} sessions`;
}

export function figure(tokens: number): string {
  return Math.round(tokens).toLocaleString("en");
}

/** `812`, `41.2 k`, `3.1 M`: where a figure has little room. */
export function shortFigure(tokens: number): string {
  if (tokens < 1_000) return String(Math.round(tokens));
  return tokens < 1_000_000 ? `${(tokens / 1_000).toFixed(1)} k` : `${(tokens / 1_000_000).toFixed(1)} M`;
}
