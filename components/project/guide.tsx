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
import { usePeople } from "../people/use-people";
import { Seats } from "../pool/seats";
import { usePoolReader } from "../pool/use-reader";
import { Brand, Icon } from "../ui/icon";
import { inSentence } from "../ui/written";
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
              text={`${inSentence(me.name)}, ${me.role === "admin" ? "administrator" : "member"}`}
            />
            <Step at={2} now={step} head="Project" text={project?.name ?? "The git repository to work on"} />
            <Step at={3} now={step} head="First task" text="Write it, choose the agent" />
            <Step at={4} now={step} head="Watch it" text="See it take a seat" />
          </ol>
          <TableOfSeats perPerson={me.max} />
        </div>
        {project === null ? (
          <div>
            {me.role === "admin" || joined !== undefined ? null : <WhoCanAdd />}
            <ProjectForm done={goOn} making={setMaking} />
          </div>
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

/** Whoever was invited to work with others waits for one of them. */
function WhoCanAdd() {
  const admins = usePeople().all.filter(({ role, active }) => role === "admin" && active);
  const named = admins.slice(0, NAMED_MAX).map(({ name }) => inSentence(name));
  const orAdmin = named.length === 0 ? "" : `, or an administrator (${named.join(", ")})`;
  return (
    <p className="dim mb-5 rounded-8 bg-bg-lane px-3.5 py-3">
      You are in no project yet. Were you invited to work with others? An owner of their project adds you, under Members
      in its settings: ask whoever invited you{orAdmin}. It is said here at once. Or make a project of your own:
    </p>
  );
}

/** Administrators that are named. */
const NAMED_MAX = 3;

function Joined({ project }: { project: Project }) {
  return (
    <p className="col-span-full -mb-6 flex items-center gap-3 rounded-8 bg-accent-soft px-3.5 py-3" role="status">
      <span>
        You are a member of <b>{inSentence(project.name)}</b> now.
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
  const reader = usePoolReader();
  const seats = reader === null ? "Some seats" : `${reader.pool.global.max} seats`;
  return (
    <div className="mt-1.5 grid gap-2.5 rounded-12 border border-dashed border-line-clear p-4">
      {reader === null ? null : <Seats reader={reader} />}
      <p className="dim text-12">
        {seats}, {perPerson} per person. A session takes a seat while it runs. When yours are taken, the next one waits
        in your line and you see its place.
      </p>
    </div>
  );
}
