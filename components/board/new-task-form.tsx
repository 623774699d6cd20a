"use client";
/** The form of a new task: in its dialog, and in the guide of the first run. */
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { Task } from "@/server/contract/tasks";
import { useAgents } from "../agent/use-agents";
import { client, isLost, sentenceOf } from "../api";
import { usePool } from "../live/live-provider";
import { createOnceKey } from "../once-key";
import { useMe } from "../people/use-people";
import { wouldBe } from "../pool/outlook";
import { useHolds, useHoldsAtOpening } from "../pool/use-holds";
import { ProjectNote } from "../project/project-note";
import { announce } from "../ui/announce";
import { Field, FormMistake } from "../ui/field";
import { CommandKbd } from "../ui/kbd";
import { beforeLongPaste } from "../ui/long-paste";
import { toast } from "../ui/toast";
import { directionOf, inSentence } from "../ui/written";
import { createDraftKeeper, type Draft, EMPTY_DRAFT, readDraft } from "./draft";
import { titleNotes } from "./title-notes";

interface NewTaskFormProps {
  readonly projectId: string;
  /** What stands there when nothing was kept. */
  readonly suggestion?: Draft;
  readonly done: (task: Task, isDispatched: boolean) => void;
  /** Leaves without a task; what is typed is kept. */
  readonly cancel?: () => void;
}

export function NewTaskForm({ projectId, suggestion = EMPTY_DRAFT, done, cancel }: NewTaskFormProps) {
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = readDraft(projectId);
    return kept.title === "" && kept.prompt === "" ? suggestion : kept;
  });
  const [isKept, setKept] = useState(draft !== suggestion);
  const [keeper] = useState(() => createDraftKeeper(projectId, setKept));
  useEffect(() => {
    globalThis.addEventListener("pagehide", keeper.now);
    return () => {
      globalThis.removeEventListener("pagehide", keeper.now);
      keeper.now();
    };
  }, [keeper]);
  const [mistake, setMistake] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [key] = useState(createOnceKey);
  const form = useRef<HTMLFormElement>(null);
  const ids = useId();
  const agents = useAgents(projectId) ?? [];
  const agent = agents.find(({ id }) => id === draft.agentId) ?? agents[0];

  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    keeper.later(next);
  };
  const create = async (isDispatched: boolean) => {
    if (!form.current?.reportValidity() || isBusy || titleNotes(draft.title).mistake !== null) return;
    setBusy(true);
    setMistake(null);
    try {
      const task = await client.tasks.create({
        params: { id: projectId },
        headers: { "idempotency-key": key.forBody([projectId, draft]) },
        body: draft,
      });
      key.forget();
      keeper.drop();
      if (isDispatched) await dispatchNew(task);
      else announce(`#${task.number} is in Backlog`);
      done(task, isDispatched);
    } catch (error) {
      setMistake(
        isLost(error) ? `${sentenceOf(error)} Trying again is safe: it makes no second task.` : sentenceOf(error),
      );
    } finally {
      setBusy(false);
    }
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    void create(true);
  };
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    void create(false);
  };

  return (
    <form ref={form} onSubmit={submitted} onKeyDown={pressed} className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4">
      <Field
        label="Title"
        value={draft.title}
        onChange={(event) => change({ title: event.target.value })}
        required
        {...titleNotes(draft.title)}
        dir="auto"
        autoFocus
      />
      <div>
        <label className="label" htmlFor={`${ids}-prompt`}>
          Prompt
        </label>
        <textarea
          id={`${ids}-prompt`}
          // A script, where the agent is no AI.
          className={`textarea ${agent?.kind === "shell" ? "mono" : ""}`}
          rows={6}
          dir={directionOf(draft.prompt)}
          onPaste={beforeLongPaste}
          value={draft.prompt}
          onChange={(event) => change({ prompt: event.target.value })}
        />
      </div>
      <div className="flex items-end gap-4">
        <div className="min-w-0 max-w-[60%]">
          <label className="label" htmlFor={`${ids}-agent`}>
            Agent
          </label>
          <span className="field">
            <select
              id={`${ids}-agent`}
              value={agent?.id ?? ""}
              aria-describedby={agent?.problem ? `${ids}-problem` : undefined}
              onChange={(event) => change({ agentId: event.target.value })}
            >
              {agents.map(({ id, name, kind, projectId: home, problem }) => (
                <option key={id} value={id}>
                  {kind === "shell" ? `${inSentence(name)} (no AI)` : inSentence(name)}
                  {home !== null && agents.some((other) => other.name === name && other.id !== id)
                    ? " · this project"
                    : ""}
                  {problem === null ? "" : " · cannot be used here"}
                </option>
              ))}
            </select>
          </span>
        </div>
        <WouldBe projectId={projectId} agentId={agent?.id ?? null} isUnusable={Boolean(agent?.problem)} />
      </div>
      {agent?.problem ? (
        <p id={`${ids}-problem`} className="hint caution -mt-2 [overflow-wrap:anywhere]">
          {agent.problem}
        </p>
      ) : null}
      <ProjectNote projectId={projectId} />
      <FormMistake>{mistake}</FormMistake>
      <div className="flex flex-wrap items-center gap-2">
        <span className="faint text-12">{isKept && draft.title + draft.prompt !== "" ? "Draft kept" : ""}</span>
        {cancel === undefined ? null : (
          <button type="button" className="btn ghost end" onClick={cancel}>
            Cancel
          </button>
        )}
        <button type="submit" className={`btn ${cancel === undefined ? "end" : ""}`} disabled={isBusy}>
          Create
        </button>
        <button type="button" className="btn ink" disabled={isBusy} onClick={() => void create(true)}>
          Create and dispatch
          <CommandKbd>↵</CommandKbd>
        </button>
      </div>
    </form>
  );
}

interface WouldBeProps {
  readonly projectId: string;
  readonly agentId: string | null;
  /** A dispatch to the agent is refused; why stands below. */
  readonly isUnusable: boolean;
}

function WouldBe({ projectId, agentId, isUnusable }: WouldBeProps) {
  const pool = usePool();
  const me = useMe();
  const holdOf = useHolds(projectId);
  useHoldsAtOpening();
  if (pool === undefined || me === undefined) return null;
  return (
    <p
      className="dim flex min-h-[var(--ctl-h)] min-w-0 flex-1 items-center text-13! [overflow-wrap:anywhere]"
      aria-live="polite"
    >
      {isUnusable ? "It could be created, not dispatched." : wouldBe(pool, me.id, holdOf(agentId))}
    </p>
  );
}

/** The task is there whatever happens now, so a dispatch that is refused is news and no mistake of the form. */
async function dispatchNew(task: Task): Promise<void> {
  try {
    await client.tasks.dispatch({ params: { id: task.id }, body: {} });
  } catch (error) {
    toast({
      icon: "alert",
      isBad: true,
      text: `#${task.number} is in Backlog and not dispatched: ${sentenceOf(error)}`,
    });
  }
}
