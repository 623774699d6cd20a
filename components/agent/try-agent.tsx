"use client";
/**
 * "Try it": one line for an agent, as an ordinary task in a project one chooses. It is dispatched like any other, and what
 * the agent says is shown here; the card stays on that project's board.
 */
import Link from "next/link";
import { type FormEvent, useState } from "react";
import type { Agent } from "@/server/contract/agents";
import type { Project } from "@/server/contract/projects";
import type { Task } from "@/server/contract/tasks";
import { client, sentenceOf } from "../api";
import { viewOf } from "../board/card-view";
import { usePool } from "../live/live-provider";
import { createOnceKey } from "../once-key";
import { useMe, usePeople } from "../people/use-people";
import { wouldBe } from "../pool/outlook";
import { useHolds, useHoldsAtOpening } from "../pool/use-holds";
import { usePoolReader } from "../pool/use-reader";
import { Outcome } from "../task/outcome";
import { QuestionBox } from "../task/question";
import { SessionOutput } from "../task/session-output";
import { useTaskAtHand } from "../task/use-task";
import { Dialog } from "../ui/dialog";
import { Field, FormMistake } from "../ui/field";
import { inSentence } from "../ui/written";
import { Choice } from "./form-parts";
import { useMayCost } from "./use-agents";

interface TryAgentProps {
  readonly agent: Agent;
  /** Where one may dispatch to it. */
  readonly projects: readonly Project[];
  readonly close: () => void;
}

export function TryAgent({ agent, projects, close }: TryAgentProps) {
  const [task, setTask] = useState<Task | null>(null);
  return (
    <Dialog title={`Try ${inSentence(agent.name)}`} close={close} width={720}>
      {task === null ? (
        <Ask agent={agent} projects={projects} close={close} dispatched={setTask} />
      ) : (
        <Watch task={task} close={close} />
      )}
    </Dialog>
  );
}

function Ask({ agent, projects, close, dispatched }: TryAgentProps & { dispatched: (task: Task) => void }) {
  const pool = usePool();
  const me = useMe();
  const [projectId, setProjectId] = useState(projects[0]?.id ?? "");
  const holdOf = useHolds(projectId);
  useHoldsAtOpening();
  const [prompt, setPrompt] = useState(agent.kind === "shell" ? "echo hello; git status --short" : "");
  const [mistake, setMistake] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [key] = useState(createOnceKey);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setMistake(null);
    try {
      const title = `Try ${agent.name}`;
      const task = await client.tasks.create({
        params: { id: projectId },
        headers: { "idempotency-key": key.forBody([projectId, title, prompt, agent.id]) },
        body: { title, prompt, agentId: agent.id },
      });
      await client.tasks.dispatch({ params: { id: task.id }, body: { agentId: agent.id } });
      dispatched(task);
    } catch (error) {
      setMistake(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <form className="mt-3 grid gap-4" onSubmit={(event) => void submit(event)}>
      <p className="dim">
        This makes an ordinary task “Try {inSentence(agent.name)}” in the project you choose and dispatches it: it
        queues like any other, works in a worktree and on a branch of its own, and costs what the agent costs. Its card
        stays on the board.
      </p>
      <Choice
        label="Project"
        value={projectId}
        choose={setProjectId}
        choices={projects.map(({ id, name }) => [id, name] as const)}
      />
      <Field
        label="What it shall do"
        value={prompt}
        onChange={(event) => setPrompt(event.target.value)}
        placeholder="Say in one sentence what this repository is."
        required
        dir="auto"
        autoComplete="off"
      />
      <FormMistake>{mistake}</FormMistake>
      <div className="flex items-center justify-end gap-2">
        <span className="dim me-auto">
          {pool === undefined || me === undefined ? "" : wouldBe(pool, me.id, holdOf(agent.id))}
        </span>
        <button type="button" className="btn" onClick={close}>
          Cancel
        </button>
        <button type="submit" className="btn ink" disabled={isBusy || projectId === ""}>
          Try it
        </button>
      </div>
    </form>
  );
}

function Watch({ task, close }: { task: Task; close: () => void }) {
  const atHand = useTaskAtHand(task.projectId, task.number);
  const mayCost = useMayCost(task.projectId);
  const me = useMe();
  const { nameOf } = usePeople();
  const reader = usePoolReader(atHand.kind === "task" ? atHand.tasks : {});
  if (atHand.kind !== "task") return <p className="dim mt-3">The card is on its way.</p>;
  const { card } = atHand;
  const view = viewOf(card, { mayCost, meId: me?.id ?? "", nameOf, reader, quietNoticeSeconds: null });
  const { session } = card.task;
  return (
    <div className="mt-3 grid gap-3">
      <p role="status">
        <b>{view.word}</b> <span className="dim">{view.note}</span>
      </p>
      <QuestionBox card={card} />
      {session === null || session.startedAt === null ? null : (
        <div className="try-output">
          <SessionOutput task={card.task} session={session} outcome={<Outcome task={card.task} session={session} />} />
        </div>
      )}
      <div className="flex justify-end gap-2">
        <Link className="btn" href={`/projects/${task.projectId}/tasks/${task.number}`}>
          Open #{task.number}
        </Link>
        <button type="button" className="btn ink" onClick={close}>
          Close
        </button>
      </div>
    </div>
  );
}
