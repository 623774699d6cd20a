"use client";
/** The agents of the installation and of one's projects. An agent is a configured program; it does not run by itself. */
import type { Agent } from "@/server/contract/agents";
import { useProjects } from "../project/use-projects";
import { MachineNote } from "./machine-note";
import { useAgents } from "./use-agents";

export function AgentsPage() {
  const agents = useAgents();
  const projects = useProjects() ?? [];
  const nameOf = (id: string | null) =>
    id === null ? "everywhere" : (projects.find((one) => one.id === id)?.name ?? "—");
  return (
    <main id="main" className="page">
      <div className="page-head">
        <h1>Agents</h1>
      </div>
      <section className="panel" aria-label="Agents">
        <table className="tbl">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Kind</th>
              <th scope="col" className="wide">
                What it runs
              </th>
              <th scope="col">Where</th>
            </tr>
          </thead>
          <tbody>
            {(agents ?? []).map((agent) => (
              <tr key={agent.id}>
                <td>
                  <b dir="auto">{agent.name}</b>
                </td>
                <td>{agent.kind === "shell" ? <span className="chip">no AI</span> : "command"}</td>
                <td className="wide mono" dir="auto" title={runs(agent)}>
                  {runs(agent)}
                </td>
                <td dir="auto">{nameOf(agent.projectId)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <MachineNote />
      <p className="hint">
        An agent of the kind <b>command</b> is added over the API: <code>POST /api/v1/agents</code>.
      </p>
    </main>
  );
}

function runs({ kind, settings }: Agent): string {
  if (kind === "shell") return "bash -euo pipefail, the prompt is the script";
  const argv = settings.argv;
  return Array.isArray(argv) ? argv.map(String).join(" ") : "";
}
