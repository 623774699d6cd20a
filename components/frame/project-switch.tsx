"use client";
/** Which project's board one looks at, with how many run in each; and the way to a new one. */
import { useRouter } from "next/navigation";
import type { PoolPicture } from "@/server/contract/pool";
import type { Project } from "@/server/contract/projects";
import { usePool } from "../live/live-provider";
import { useProjects } from "../project/use-projects";
import { Icon } from "../ui/icon";
import { type MenuEntry, openMenu } from "../ui/menu";
import { inSentence } from "../ui/written";

export function ProjectSwitch({ project }: { project: Project | null }) {
  const projects = useProjects() ?? [];
  const pool = usePool();
  const router = useRouter();
  const entries = (): MenuEntry[] => [
    ...projects.map(({ id, name }) => ({
      kind: "entry" as const,
      icon: null,
      label: name,
      aside: `${runningIn(pool, id)} running`,
      isChosen: id === project?.id,
      run: () => router.push(`/projects/${id}`),
    })),
    { kind: "rule" },
    ...(project === null
      ? []
      : [
          {
            kind: "entry" as const,
            icon: "pen" as const,
            label: "Project settings",
            run: () => router.push(`/projects/${project.id}/settings`),
          },
        ]),
    { kind: "entry", icon: "plus", label: "New project", run: () => router.push("/projects/new") },
  ];
  return (
    <button
      type="button"
      className="switch"
      aria-haspopup="menu"
      aria-label={project === null ? "Project" : `Project: ${inSentence(project.name)}`}
      onClick={(event) => openMenu(event.currentTarget, "Projects", entries())}
    >
      <span className="cut max-w-[220px]" dir="auto">
        {project?.name ?? "Projects"}
      </span>
      <Icon name="chev" small />
    </button>
  );
}

function runningIn(pool: PoolPicture | undefined, projectId: string): number {
  const sessions = Object.values(pool?.sessions ?? {});
  return sessions.filter((session) => session.projectId === projectId && session.status === "running").length;
}
