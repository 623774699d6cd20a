"use client";
/** What a project is called, where its tasks start from, and how long its agents may run (R9). Owners change it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import type { Project } from "@/server/contract/projects";
import { api, client, refusalOf, sentenceOf } from "../api";
import { Field, FormMistake } from "../ui/field";
import { toast } from "../ui/toast";
import { DiskUse } from "./disk-use";
import { OwnersOnly } from "./owners-only";
import { projectsKey, useLookedAt } from "./use-projects";
import { isGivenUp, useWaiting, Waiting } from "./waiting";

type Wish = Parameters<typeof client.projects.change>[0];

type Draft = Readonly<Partial<Record<"name" | "repository" | "baseBranch" | "longestRun" | "quietNotice", string>>>;

/** What stands as the repository of a project with a sample. */
const SAMPLE = "sample";
/** In seconds, as the API takes them. */
const LONGEST_RUN = { from: 1, to: 604_800 };
const QUIET_NOTICE = { from: 10, to: 86_400 };

export function General({ project }: { project: Project }) {
  const cache = useQueryClient();
  // What one types stays while others change the project.
  const [draft, setDraft] = useState<Draft>({});
  const { wait, during } = useWaiting();
  const saveButton = useRef<HTMLButtonElement>(null);
  const save = useMutation({
    mutationFn: (wish: Wish) =>
      wish.repository === undefined
        ? client.projects.change(wish)
        : during("Looking at the repository", (signal) => client.projects.change(wish, { signal })),
    onSuccess: async (answer) => {
      await cache.invalidateQueries({ queryKey: projectsKey });
      await cache.invalidateQueries({ queryKey: api.projects.get.key({ input: { id: project.id } }) });
      if (isGivenUp(answer)) return;
      setDraft({});
      toast({ icon: "check", text: "Saved" });
    },
  });
  const isOwner = project.role === "owner";
  const path = useLookedAt(project.id)?.path;
  const shown = { ...shownOf(project), ...draft };
  const longestRunSeconds = secondsIn(shown.longestRun, LONGEST_RUN);
  const quietNoticeSeconds = secondsIn(shown.quietNotice, QUIET_NOTICE);
  const isChanged = Object.entries(shownOf(project)).some(([part, text]) => shown[part as keyof Draft] !== text);
  const change = (part: Draft) => {
    setDraft({ ...draft, ...part });
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    if (longestRunSeconds === null || quietNoticeSeconds === null) return;
    const { name, baseBranch } = shown;
    const repository = shown.repository.trim();
    const moved = repository === project.repository ? {} : { repository };
    const limits = { longestRunSeconds, quietNoticeSeconds };
    save.mutate({ id: project.id, name, ...moved, baseBranch: baseBranch.trim(), ...limits });
  };
  const cancel = () => {
    // The button that was pressed goes.
    saveButton.current?.focus();
    wait?.cancel();
  };
  const field = refusalOf(save.error)?.details.field;
  const about = field === "repository" || field === "baseBranch" ? field : null;
  const mistakeOf = (part: typeof about) => (save.error !== null && about === part ? sentenceOf(save.error) : null);
  return (
    <form className="panel" aria-label="General" onSubmit={submit}>
      <div className="panel-head">
        <h2>General</h2>
        <OwnersOnly project={project} />
      </div>
      <fieldset className="panel-body grid min-w-0 gap-4" disabled={!isOwner}>
        <Field
          label="Name"
          value={shown.name}
          onChange={(event) => change({ name: event.target.value })}
          required
          maxLength={200}
          dir="auto"
        />
        {project.repository === SAMPLE ? null : (
          <Field
            label="Repository"
            hint={
              project.repository.startsWith("/")
                ? "Changed when the folder has moved, while no agent runs."
                : "For a new login, enter the address with it: https://user:token@host/… Branches stay."
            }
            mistake={mistakeOf("repository")}
            isAnswer
            value={shown.repository}
            onChange={(event) => change({ repository: event.target.value })}
            required
            maxLength={4_096}
            spellCheck={false}
            autoComplete="off"
          />
        )}
        {path === undefined || path === project.repository ? null : (
          <div>
            <span className="label">{project.repository === SAMPLE ? "Repository" : "Clone, with all branches"}</span>
            <p className="mono [overflow-wrap:anywhere]">{path}</p>
          </div>
        )}
        <DiskUse projectId={project.id} isClone={project.repository !== SAMPLE} />
        <Field
          label="Base branch"
          hint="New tasks start from it; branches that are there already stay as they are."
          mistake={mistakeOf("baseBranch")}
          isAnswer
          value={shown.baseBranch}
          onChange={(event) => change({ baseBranch: event.target.value })}
          required
          maxLength={250}
          spellCheck={false}
          autoComplete="off"
        />
        <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
          <Field
            label="Longest run, in minutes"
            hint="Then the agent is stopped; its work is kept."
            mistake={longestRunSeconds === null ? `A number up to ${LONGEST_RUN.to / 60}.` : null}
            value={shown.longestRun}
            onChange={(event) => change({ longestRun: event.target.value })}
            inputMode="decimal"
            required
          />
          <Field
            label="Quiet notice, in minutes"
            hint="Without output for so long, the card says so. Nothing is stopped."
            mistake={quietNoticeSeconds === null ? `A number up to ${QUIET_NOTICE.to / 60}.` : null}
            value={shown.quietNotice}
            onChange={(event) => change({ quietNotice: event.target.value })}
            inputMode="decimal"
            required
          />
        </div>
        <FormMistake>{mistakeOf(null)}</FormMistake>
      </fieldset>
      {isOwner ? (
        <div className="panel-foot">
          <Waiting wait={wait} />
          {wait === null ? null : (
            <button type="button" className="btn ghost" onClick={cancel}>
              Cancel
            </button>
          )}
          <button
            ref={saveButton}
            type="submit"
            className="btn ink end"
            disabled={!isChanged}
            aria-disabled={save.isPending || undefined}
          >
            Save
          </button>
        </div>
      ) : null}
    </form>
  );
}

function shownOf({ name, repository, baseBranch, longestRunSeconds, quietNoticeSeconds }: Project) {
  return {
    name,
    repository,
    baseBranch,
    longestRun: minutesOf(longestRunSeconds),
    quietNotice: minutesOf(quietNoticeSeconds),
  };
}

/** 90 s are 1.5 minutes. */
function minutesOf(seconds: number): string {
  return String(Math.round((seconds / 60) * 1_000) / 1_000);
}

function secondsIn(minutes: string, { from, to }: { from: number; to: number }): number | null {
  if (!/^\d+([.,]\d+)?$/.test(minutes.trim())) return null;
  const seconds = Math.round(Number(minutes.trim().replace(",", ".")) * 60);
  return seconds >= from && seconds <= to ? seconds : null;
}
