"use client";
/** The project's setup script: what has to happen in a fresh worktree before an agent can work there. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Project } from "@/server/contract/projects";
import { api, sentenceOf } from "../api";
import { FormMistake } from "../ui/field";
import { toast } from "../ui/toast";
import { projectsKey } from "./use-projects";

export function SetupScript({ project }: { project: Project }) {
  const cache = useQueryClient();
  const [script, setScript] = useState(project.setupScript ?? "");
  const save = useMutation(
    api.projects.change.mutationOptions({
      onSuccess: async () => {
        toast({ icon: "check", text: "Saved" });
        await cache.invalidateQueries({ queryKey: projectsKey });
      },
    }),
  );
  const isOwner = project.role === "owner";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ id: project.id, setupScript: script });
  };
  return (
    <form className="panel" aria-label="Setup script" onSubmit={submit}>
      <div className="panel-head">
        <h2>Setup script</h2>
      </div>
      <div className="panel-body">
        <label className="label" htmlFor="setup-script">
          Run by bash in the worktree before each agent
        </label>
        <textarea
          id="setup-script"
          className="textarea mono"
          rows={4}
          value={script}
          placeholder="npm ci"
          readOnly={!isOwner}
          onChange={(event) => setScript(event.target.value)}
          spellCheck={false}
        />
        <FormMistake>{save.error === null ? null : sentenceOf(save.error)}</FormMistake>
      </div>
      {isOwner ? (
        <div className="panel-foot">
          <button
            type="submit"
            className="btn ink end"
            disabled={script === (project.setupScript ?? "") || save.isPending}
          >
            Save
          </button>
        </div>
      ) : null}
    </form>
  );
}
