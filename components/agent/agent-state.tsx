"use client";
/** What stands in an agent's way: its program is missing, or its sessions are held until somebody tries again (A8). */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Agent } from "@/server/contract/agents";
import { api, client, sentenceOf } from "../api";
import { serverNow } from "../live/clock";
import { Icon } from "../ui/icon";
import { until } from "../ui/time";
import { toast } from "../ui/toast";
import { inSentence } from "../ui/written";
import { InstallCommand } from "./install-command";

export function hasTrouble({ problem, hold }: Agent): boolean {
  return problem !== null || hold !== null;
}

export function AgentTrouble({ agent }: { agent: Agent }) {
  const { problem, hold, program } = agent;
  const command = program === null || program.isThere ? null : program.install;
  return (
    <tr className="more-of">
      <td colSpan={5}>
        <div className="grid gap-2 whitespace-normal [overflow-wrap:anywhere]">
          {problem === null ? null : <Problem sentence={problem} command={command} />}
          {hold === null ? null : <Hold agent={agent} hold={hold} />}
        </div>
      </td>
    </tr>
  );
}

/** The command stands below to be copied: where the sentence ends with it, it stands there alone. */
function Problem({ sentence, command }: { sentence: string; command: string | null }) {
  const isInSentence = command !== null && sentence.endsWith(command);
  return (
    <div>
      <Sentence text={isInSentence ? sentence.slice(0, -command.length).trimEnd() : sentence} />
      {command === null ? null : <InstallCommand command={command} />}
    </div>
  );
}

function Hold({ agent, hold }: { agent: Agent; hold: NonNullable<Agent["hold"]> }) {
  const cache = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const again = async () => {
    setBusy(true);
    try {
      await client.agents.tryAgain({ id: agent.id });
      await cache.invalidateQueries({ queryKey: api.agents.list.key() });
      toast({ icon: "retry", text: `What waits for ${inSentence(agent.name)} waits for its turn again` });
    } catch (error) {
      toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
    } finally {
      setBusy(false);
    }
  };
  const end = hold.until === null ? "" : ` It ends by itself at ${until(hold.until, serverNow())}.`;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Sentence text={`Its next sessions wait: ${hold.detail}${end}`} />
      <button type="button" className="btn sm" disabled={isBusy} onClick={() => void again()}>
        Try again
      </button>
    </div>
  );
}

function Sentence({ text }: { text: string }) {
  return (
    <p className="attn flex min-w-0 items-start gap-2">
      <Icon name="alert" small />
      <span className="min-w-0">{text}</span>
    </p>
  );
}

/** `2.1.332 · tested with 2.1.332`, or why there is no version. */
export function versionOf({ program }: Agent): string {
  if (program === null) return "";
  const { isThere, version, testedWith } = program;
  const found = isThere ? (version ?? "found") : "cannot be started here";
  return testedWith === null ? found : `${found} · tested with ${testedWith}`;
}
