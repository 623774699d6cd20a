/**
 * A setting that an agent did not take (its mode, its model), told before it got its prompt: it would work otherwise than
 * people chose, and ask them at each step. The host writes it down as a line of its own, since the agent's answer names
 * neither the setting nor what was wanted.
 */
import type { AgentEvent } from "./events";
import { type Json, listOf, textOf } from "./json";
import { quoted } from "./no-result";
import { troubleOf } from "./trouble";

export interface RefusedSetting {
  readonly setting: "mode" | "model";
  readonly wanted: string;
  /** The agent's own words; null: it was not asked, as it has told what it offers. */
  readonly said: string | null;
  readonly offered: readonly string[];
}

/** Of what an agent offers no more is named. */
const NAMED_MAX = 12;

export function refusedSentence({ setting, wanted, said, offered }: RefusedSetting): string {
  if (said !== null)
    return `The agent does not take the ${setting} “${wanted}”: change it in the agent's settings.${quoted(said)}`;
  const names = offered.slice(0, NAMED_MAX).join(", ");
  return `The agent has no ${setting} “${wanted}”: change it in the agent's settings. It offers ${names}.`;
}

/** What the host's line tells. */
export function readRefusedSetting(line: Json): AgentEvent[] {
  const setting = line.setting === "model" ? "model" : "mode";
  const said = textOf(line.said);
  const offered = listOf(line.offered).filter((item): item is string => typeof item === "string");
  const message = refusedSentence({ setting, wanted: textOf(line.wanted) ?? "", said, offered });
  // A login that is over, or a service that is away, is not the setting's fault.
  const cause = troubleOf(said ?? "", null);
  const isSettings = cause.error === "other" || cause.error === "refused";
  const error: AgentEvent = isSettings
    ? { kind: "error", error: "wrong-setting", status: null, message, isOurs: true }
    : { kind: "error", ...cause };
  return [error, { kind: "end", reason: "error" }];
}
