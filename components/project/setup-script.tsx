"use client";
/** The project's setup script: what has to happen in a fresh worktree before an agent can work there. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import type { Project } from "@/server/contract/projects";
import { api, sentenceOf } from "../api";
import { FormMistake } from "../ui/field";
import { toast } from "../ui/toast";
import { useTyped } from "../ui/use-typed";
import { OwnersOnly } from "./owners-only";
import { projectsKey } from "./use-projects";

export function SetupScript({ project }: { project: Project }) {
  const cache = useQueryClient();
  const script = useTyped(project.setupScript ?? "");
  const save = useMutation(
    api.projects.change.mutationOptions({
      onSuccess: async () => {
        toast({ icon: "check", text: "Saved" });
        await cache.invalidateQueries({ queryKey: projectsKey });
        script.forget();
      },
    }),
  );
  const isOwner = project.role === "owner";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ id: project.id, setupScript: script.text });
  };
  return (
    <form className="panel" aria-label="Setup script" onSubmit={submit}>
      <div className="panel-head">
        <h2>Setup script</h2>
        <OwnersOnly project={project} />
      </div>
      <div className="panel-body">
        <label className="label" htmlFor="setup-script">
          Run by bash in the worktree before each agent
        </label>
        <textarea
          id="setup-script"
          className="textarea mono"
          rows={4}
          value={script.text}
          placeholder="npm ci"
          disabled={!isOwner}
          onChange={(event) => script.change(event.target.value)}
          spellCheck={false}
          aria-describedby="setup-script-hint"
        />
        <p className="hint" id="setup-script-hint">
          Files it makes are committed with the agent’s work unless git ignores them.
        </p>
        <FormMistake>{save.error === null ? null : sentenceOf(save.error)}</FormMistake>
      </div>
      {isOwner ? (
        <div className="panel-foot">
          <button
            type="submit"
            className="btn ink end"
            disabled={script.text === (project.setupScript ?? "") || save.isPending}
          >
            Save
          </button>
        </div>
      ) : null}
    </form>
  );
}
