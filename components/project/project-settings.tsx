"use client";
/** A project's settings. Says plainly what membership means: to run code on the server (S4). */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { Project } from "@/server/contract/projects";
import { api, client, sentenceOf } from "../api";
import { type Confirmation, confirming } from "../confirming";
import { usePoolNow } from "../live/live-provider";
import { endsWithIt } from "../pool/ending";
import { UsageOfProject } from "../profile/tokens-and-cost";
import { ask } from "../ui/ask";
import { toast } from "../ui/toast";
import { inSentence } from "../ui/written";
import { General } from "./general";
import { GitHub } from "./github";
import { Members } from "./members";
import { ProjectNote } from "./project-note";
import { SetupScript } from "./setup-script";
import { projectsKey, useLookedAt, useProjects } from "./use-projects";
import { VariablesForm } from "./variables-form";

export function ProjectSettings({ projectId }: { projectId: string }) {
  const project = useProjects()?.find(({ id }) => id === projectId);
  return (
    <main id="main" className="page max-w-[720px]!">
      <div className="page-head">
        <h1 dir="auto">{project?.name ?? "Project"}</h1>
        <Link className="btn end" href={`/projects/${projectId}`}>
          Board
        </Link>
      </div>
      {project === undefined ? null : (
        <>
          <ProjectNote projectId={project.id} />
          <General project={project} />
          <Members project={project} />
          <VariablesForm project={project} />
          <GitHub project={project} />
          <UsageOfProject projectId={project.id} />
          <SetupScript project={project} />
          {project.role === "owner" ? <Remove project={project} /> : null}
        </>
      )}
    </main>
  );
}

function Remove({ project }: { project: Project }) {
  const cache = useQueryClient();
  const router = useRouter();
  const poolNow = usePoolNow();
  const { data: members } = useQuery(api.projects.members.queryOptions({ input: { id: project.id } }));
  const place = useLookedAt(project.id)?.path;
  const remove = async () => {
    const ending = endsWithIt(poolNow(), project.id);
    const isSure = await ask({
      title: `Remove ${inSentence(project.name)}?`,
      text: `Its board, tasks and history go, branches stay in the repository${place === undefined ? "" : `, ${inSentence(place)}`}. ${
        members === undefined || members.items.length < 2 ? "" : `${members.items.length} members lose this board.`
      }${ending}`,
      yes: "Remove",
      no: "Keep it",
    });
    if (!isSure) return;
    try {
      const again = { title: `${inSentence(project.name)} has sessions`, yes: "Remove", no: "Keep it" };
      const params = { id: project.id };
      const removing = (query: Confirmation) => client.projects.remove({ params, query });
      if (!(await confirming(again, removing, ending !== ""))) return;
      await cache.invalidateQueries({ queryKey: projectsKey });
      router.push("/");
    } catch (error) {
      toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
    }
  };
  return (
    <section className="panel" aria-labelledby="remove-head">
      <div className="panel-head">
        <h2 id="remove-head">Remove this project</h2>
      </div>
      <div className="panel-body flex items-center gap-4">
        <p className="dim">The repository and all branches stay where they are; a stored login goes.</p>
        <button type="button" className="btn danger end" onClick={() => void remove()}>
          Remove
        </button>
      </div>
    </section>
  );
}
