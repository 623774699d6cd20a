"use client";
/** Whether a project has a token for GitHub, and which rights it needs. The token is written here and never shown again. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Project } from "@/server/contract/projects";
import type { ProjectGitHubView } from "@/server/contract/pull-requests";
import { api, client, sentenceOf } from "../api";
import { ask } from "../ui/ask";
import { Field, FormMistake } from "../ui/field";
import { toast } from "../ui/toast";
import { projectsKey } from "./use-projects";

export function GitHub({ project }: { project: Project }) {
  const options = api.projects.gitHub.queryOptions({ input: { id: project.id } });
  const { data } = useQuery(options);
  const cache = useQueryClient();
  const refresh = async () => {
    await cache.invalidateQueries({ queryKey: options.queryKey });
    await cache.invalidateQueries({ queryKey: projectsKey });
  };
  return (
    <section className="panel" aria-labelledby="github-head">
      <div className="panel-head">
        <h2 id="github-head">GitHub</h2>
        {data === undefined ? null : <span className="chip">{data.isSet ? "token set" : "no token"}</span>}
      </div>
      {data === undefined ? null : <p className="panel-body dim">{stateOf(data)}</p>}
      {project.role === "owner" && data !== undefined ? (
        <TokenForm key={data.changedAt} project={project} set={data} refresh={refresh} />
      ) : null}
    </section>
  );
}

function stateOf({ isSet, isLost, repository, apiUrl }: ProjectGitHubView): string {
  if (isLost) return "The token cannot be read any more: enter it again.";
  if (!isSet) return "With a token, a task’s branch can be offered as a pull request.";
  if (repository !== null) return `Pull requests go to ${repository}.`;
  return `The repository’s remote is not on the GitHub behind ${apiUrl ?? "https://api.github.com"}.`;
}

interface TokenFormProps {
  readonly project: Project;
  readonly set: ProjectGitHubView;
  readonly refresh: () => Promise<void>;
}

function TokenForm({ project, set, refresh }: TokenFormProps) {
  const [token, setToken] = useState("");
  const [apiUrl, setApiUrl] = useState(set.apiUrl ?? "");
  const save = useMutation(
    api.projects.setGitHub.mutationOptions({
      onSuccess: async () => {
        setToken("");
        toast({ icon: "check", text: "Saved" });
        await refresh();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = token.trim() === "" ? {} : { token: token.trim() };
    save.mutate({ id: project.id, ...given, apiUrl: apiUrl.trim() === "" ? null : apiUrl.trim() });
  };
  const remove = async () => {
    const text = "Pull requests that are open stay open on GitHub; what becomes of them is not read any more.";
    if (!(await ask({ title: "Remove the token?", text, yes: "Remove", no: "Keep it" }))) return;
    try {
      await client.projects.removeGitHub({ id: project.id });
      await refresh();
    } catch (error) {
      toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
    }
  };
  const isChanged = token.trim() !== "" || apiUrl.trim() !== (set.apiUrl ?? "");
  return (
    <form aria-label="GitHub token" onSubmit={submit}>
      <div className="panel-body grid gap-4">
        <Field
          label="Token"
          type="password"
          hint="A fine-grained token for this repository with “Pull requests: read and write” and “Commit statuses: read”; a classic one with “repo”. It is encrypted, never shown again and masked in what agents say; branches are pushed with the repository’s own login."
          value={token}
          placeholder={set.isSet ? "Set; enter another to replace it" : ""}
          onChange={(event) => setToken(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          maxLength={1_000}
        />
        <Field
          label="Address of the API"
          hint="Only for a GitHub server of one’s own: https://github.example.org/api/v3"
          value={apiUrl}
          placeholder="https://api.github.com"
          onChange={(event) => setApiUrl(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
        />
        <FormMistake>{save.error === null ? null : sentenceOf(save.error)}</FormMistake>
      </div>
      <div className="panel-foot">
        {set.isSet ? (
          <button type="button" className="btn danger" onClick={() => void remove()}>
            Remove the token
          </button>
        ) : null}
        <button type="submit" className="btn ink end" disabled={!isChanged || save.isPending}>
          Save
        </button>
      </div>
    </form>
  );
}
