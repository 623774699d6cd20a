"use client";
/** What the chosen session used, and all of the task's together (A4). What its agent does not tell is said to be unknown. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Session } from "@/server/contract/sessions";
import type { Task } from "@/server/contract/tasks";
import { useAgents } from "../agent/use-agents";
import { api, sentenceOf } from "../api";
import { costOfSum, costWord, figure, tokensOfSum } from "../ui/cost";

export function TaskUsage({ task, session }: { task: Task; session: Session }) {
  const agents = useAgents(task.projectId);
  const kind = agents?.find(({ id }) => id === session.agentId)?.kind;
  // Shell is no AI: there is nothing to be used up.
  if (agents === undefined || kind === "shell" || session.startedAt === null) return null;
  return (
    <section aria-label="Usage">
      <h2>Usage</h2>
      <OfSession session={session} />
      {task.sessionCount > 1 ? <OfTask task={task} /> : null}
    </section>
  );
}

function OfSession({ session: { usage, status } }: { session: Session }) {
  if (usage === null) {
    return (
      <p className="dim">{status === "running" ? "Told in full when it ends." : "Unknown: its agent told nothing."}</p>
    );
  }
  return (
    <>
      <dl>
        <dt>Input</dt>
        <dd>{figure(usage.input)}</dd>
        <dt>Cached input</dt>
        <dd>{figure(usage.cachedInput)}</dd>
        <dt>Output</dt>
        <dd>{figure(usage.output)}</dd>
        <dt>Cost</dt>
        <dd>
          <b>{costWord(usage)}</b>
        </dd>
      </dl>
      {usage.partial ? <p className="hint">Partial: more was used than is known.</p> : null}
    </>
  );
}

function OfTask({ task }: { task: Task }) {
  const options = api.usage.ofTask.queryOptions({ input: { id: task.id } });
  const { data, error, isFetching, refetch } = useQuery({
    ...options,
    // Every ending adds to it.
    queryKey: [...options.queryKey, task.session?.id, task.session?.status],
    placeholderData: keepPreviousData,
  });
  if (data === undefined && error !== null) {
    return (
      <p className="hint mt-2" role="alert">
        What all sessions used cannot be shown: {sentenceOf(error)}{" "}
        <button type="button" className="btn sm" disabled={isFetching} onClick={() => void refetch()}>
          Try again
        </button>
      </p>
    );
  }
  if (data === undefined) return null;
  return (
    <dl className="mt-2">
      <dt>All sessions</dt>
      <dd>{tokensOfSum(data)}</dd>
      <dt>Their cost</dt>
      <dd>{costOfSum(data)}</dd>
    </dl>
  );
}
