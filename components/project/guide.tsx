"use client";
/** From nothing to a running agent: account, project, first task, watch it. No key and no download needed (B11). */
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import type { Me } from "@/server/contract/people";
import type { Project } from "@/server/contract/projects";
import { NewTaskForm } from "../board/new-task-form";
import { AvatarMenu } from "../frame/avatar-menu";
import { wishBesideBoard } from "../frame/places";
import { usePool } from "../live/live-provider";
import { Brand, Icon } from "../ui/icon";
import { ProjectForm } from "./project-form";
import { useProjects } from "./use-projects";

/** A script for the shell agent: it runs on any machine, and its result can be seen on the branch. */
const FIRST_TASK = {
  title: "Write a greeting",
  prompt: [
    'echo "Looking around:"; ls',
    "for step in 1 2 3 4 5; do",
    '  echo "step $step of 5"; sleep 1',
    "done",
    'echo "Hello from $(hostname)" > GREETING.md',
  ].join("\n"),
  agentId: null,
};

/** In the address: the project that the guide has made, so that a reload does not leave it. */
export const GUIDED = "guided";

interface GuideProps {
  readonly me: Me;
  /** The project it had made before a reload. */
  readonly resumed: Project | null;
}

export function Guide({ me, resumed }: GuideProps) {
  const [made, setMade] = useState<Project | null>(null);
  const project = made ?? resumed;
  const router = useRouter();
  const [isMaking, setMaking] = useState(false);
  const projects = useProjects();
  // Somebody else may have let them in meanwhile; one's own project is news to nobody.
  const joined = project === null && !isMaking ? projects?.[0] : undefined;
  const goOn = (project: Project) => {
    setMade(project);
    globalThis.history.replaceState(null, "", `?${new URLSearchParams({ [GUIDED]: project.id })}`);
  };
  const step = project === null ? 2 : 3;
  const watch = (projectId: string, number: number | null) => {
    const board = `/projects/${projectId}`;
    const address = number === null ? board : `${board}/tasks/${number}`;
    wishBesideBoard(address);
    router.push(address);
  };
  return (
    <>
      <header className="top">
        <span className="brand">
          <Brand />
          <span>Camelot</span>
        </span>
        <div className="top-end">
          {project === null ? null : (
            <button type="button" className="btn ghost" onClick={() => router.push(`/projects/${project.id}`)}>
              Skip the guide
            </button>
          )}
          <AvatarMenu />
        </div>
      </header>
      <main className="guide" id="main">
        {joined === undefined ? null : <Joined project={joined} />}
        <div>
          <h1 className="mb-2 text-28 font-semibold tracking-tight">From nothing to a running agent</h1>
          <p className="dim mb-8 text-14">About two minutes. No key and no download needed.</p>
          <ol className="steps">
            <Step
              at={1}
              now={step}
              head="Account"
              text={`${me.name}, ${me.role === "admin" ? "administrator" : "member"}`}
            />
            <Step at={2} now={step} head="Project" text={project?.name ?? "The git repository to work on"} />
            <Step at={3} now={step} head="First task" text="Write it, choose the agent" />
            <Step at={4} now={step} head="Watch it" text="See it take a seat" />
          </ol>
          <TableOfSeats perPerson={me.max} />
        </div>
        {project === null ? (
          <ProjectForm done={goOn} making={setMaking} />
        ) : (
          <div>
            <h2 className="mb-2 text-20 font-semibold tracking-tight">What shall be done?</h2>
            <p className="dim text-14">
              The agent <b>Shell</b> takes the prompt as a bash script and runs it in the task’s own worktree. No AI, no
              key. Other agents are added on the Agents page.
            </p>
            <NewTaskForm
              projectId={project.id}
              suggestion={FIRST_TASK}
              done={(task, isDispatched) => watch(project.id, isDispatched ? task.number : null)}
            />
          </div>
        )}
      </main>
    </>
  );
}

function Joined({ project }: { project: Project }) {
  return (
    <p className="col-span-full -mb-6 flex items-center gap-3 rounded-8 bg-accent-soft px-3.5 py-3" role="status">
      <span>
        You are a member of <b dir="auto">{project.name}</b> now.
      </span>
      <Link className="btn end" href={`/projects/${project.id}`}>
        Go to its board
      </Link>
    </p>
  );
}

interface StepProps {
  readonly at: number;
  readonly now: number;
  readonly head: string;
  readonly text: string;
}

function Step({ at, now, head, text }: StepProps): ReactNode {
  const isPast = at < now;
  return (
    <li className={isPast ? "past" : at === now ? "now" : ""} aria-current={at === now ? "step" : undefined}>
      <span className="no">{isPast ? <Icon name="check" small /> : at}</span>
      <div>
        <b>{head}</b>
        <span dir="auto">{text}</span>
      </div>
    </li>
  );
}

function TableOfSeats({ perPerson }: { perPerson: number }) {
  const max = usePool()?.global.max;
  const seats = max === undefined ? "Some seats" : `${max} seats`;
  return (
    <div className="mt-1.5 grid gap-2.5 rounded-12 border border-dashed border-line-clear p-4">
      <p className="dim text-12">
        {seats}, {perPerson} per person. A session takes a seat while it runs. When yours are taken, the next one waits
        in your line and you see its place.
      </p>
    </div>
  );
}
