"use client";
/**
 * The agents of the installation and of one's projects. An agent is a configured program; it does not run by itself.
 * Administrators add and change those of the installation, owners those of their projects.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Agent } from "@/server/contract/agents";
import { api, client, sentenceOf } from "../api";
import { useMe } from "../people/use-people";
import { useProjects } from "../project/use-projects";
import { ask } from "../ui/ask";
import { type Column, Columns } from "../ui/columns";
import { Icon } from "../ui/icon";
import { toast } from "../ui/toast";
import { inSentence } from "../ui/written";
import { AgentForm } from "./agent-form";
import { AgentTrouble, hasTrouble, versionOf } from "./agent-state";
import { argvOf } from "./agent-wish";
import { MachineNote } from "./machine-note";
import { TryAgent } from "./try-agent";
import { useAgentsWithVersions } from "./use-agents";

const COLUMNS: readonly Column[] = [
  { head: "Name", isWideOnPhone: true },
  { head: "Kind", isFromTablet: true },
  { head: "What it runs, and which version is here", isWide: true, isFromTablet: true },
  { head: "Where" },
  { head: "Try or change", isSilent: true },
];

export function AgentsPage() {
  const agents = useAgentsWithVersions();
  const me = useMe();
  const projects = useProjects() ?? [];
  const [open, setOpen] = useState<Agent | "new" | null>(null);
  const [tried, setTried] = useState<Agent | null>(null);
  const owned = projects.filter(({ role }) => role === "owner");
  const isForAll = me?.role === "admin";
  const nameOf = (id: string | null) =>
    id === null ? "everywhere" : (projects.find((one) => one.id === id)?.name ?? "—");
  const mayChange = ({ projectId }: Agent) =>
    projectId === null ? isForAll : owned.some(({ id }) => id === projectId);
  const placesOf = ({ projectId }: Agent) => projects.filter(({ id }) => projectId === null || id === projectId);
  return (
    <main id="main" className="page">
      <div className="page-head">
        <h1>Agents</h1>
        {isForAll || owned.length > 0 ? (
          <button type="button" className="btn end" onClick={() => setOpen("new")}>
            <Icon name="plus" small />
            Add an agent
          </button>
        ) : null}
      </div>
      <section className="panel" aria-label="Agents">
        <table className="tbl two-lines">
          <Columns of={COLUMNS} />
          <tbody>
            {(agents ?? []).map((agent) => (
              <AgentRow
                key={agent.id}
                agent={agent}
                where={nameOf(agent.projectId)}
                edit={mayChange(agent) ? () => setOpen(agent) : null}
                tryIt={agent.problem === null && placesOf(agent).length > 0 ? () => setTried(agent) : null}
              />
            ))}
          </tbody>
        </table>
      </section>
      <MachineNote />
      {tried === null ? null : <TryAgent agent={tried} projects={placesOf(tried)} close={() => setTried(null)} />}
      {open === null ? null : (
        <AgentForm
          agent={open === "new" ? null : open}
          isForAll={isForAll}
          projects={owned}
          close={() => setOpen(null)}
        />
      )}
    </main>
  );
}

interface AgentRowProps {
  readonly agent: Agent;
  readonly where: string;
  /** Null: this person may not change it. */
  readonly edit: (() => void) | null;
  /** Null: there is no project in which they could, or it cannot be started. */
  readonly tryIt: (() => void) | null;
}

function AgentRow({ agent, where, edit, tryIt }: AgentRowProps) {
  const cache = useQueryClient();
  const remove = async () => {
    const isSure = await ask({
      title: `Remove ${inSentence(agent.name)}?`,
      text: "Sessions that run go on. Tasks that name it have to be given another agent before they are dispatched again.",
      yes: "Remove",
      no: "Keep it",
    });
    if (!isSure) return;
    try {
      await client.agents.remove({ id: agent.id });
      await cache.invalidateQueries({ queryKey: api.agents.list.key() });
    } catch (error) {
      toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
    }
  };
  return (
    <>
      <tr className={hasTrouble(agent) ? "with-more" : ""}>
        <td className="cut max-w-[240px] phone:max-w-0 phone:py-2">
          <b dir="auto">{agent.name}</b>
          <span className="faint mono hidden phone:block cut" dir="auto">
            {runs(agent)}
          </span>
          <span className="faint hidden phone:block cut" dir="auto">
            {versionOf(agent)}
          </span>
        </td>
        <td className="phone:hidden">
          {agent.kind === "shell" ? <span className="chip">no AI</span> : KINDS[agent.kind]}
        </td>
        <td className="wide mono phone:hidden" dir="auto" title={runs(agent)}>
          {runs(agent)}
          <span className="faint block font-sans" dir="auto">
            {versionOf(agent)}
          </span>
        </td>
        <td className="cut max-w-[200px] phone:max-w-[96px]" dir="auto">
          {where}
        </td>
        <td className="r">
          <span className="flex items-center justify-end gap-1 whitespace-nowrap">
            {tryIt === null ? null : (
              <button type="button" className="btn sm" aria-label={`Try it: ${inSentence(agent.name)}`} onClick={tryIt}>
                Try it
              </button>
            )}
            {edit === null ? null : (
              <>
                <button
                  type="button"
                  className="btn sm ghost icon"
                  aria-label={`Change ${inSentence(agent.name)}`}
                  onClick={edit}
                >
                  <Icon name="pen" small />
                </button>
                <button
                  type="button"
                  className="btn sm ghost icon"
                  aria-label={`Remove ${inSentence(agent.name)}`}
                  onClick={() => void remove()}
                >
                  <Icon name="x" small />
                </button>
              </>
            )}
          </span>
        </td>
      </tr>
      {hasTrouble(agent) ? <AgentTrouble agent={agent} /> : null}
    </>
  );
}

const KINDS = { command: "command", "claude-code": "Claude Code", codex: "Codex", acp: "ACP" } as const;

function runs({ kind, settings }: Agent): string {
  if (kind === "shell") return "bash -euo pipefail, the prompt is the script";
  if (kind === "claude-code") return "claude";
  if (kind === "codex") return "codex";
  return argvOf(settings).join(" ");
}
