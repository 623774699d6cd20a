"use client";
/**
 * Whether a project has a token for GitHub, which rights it needs, and by which label issues come in. The token is written
 * here and never shown again.
 */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Project } from "@/server/contract/projects";
import type { ProjectGitHubView } from "@/server/contract/pull-requests";
import { LABEL_MAX_CHARS } from "@/server/core/text/github-address";
import { api, client, sentenceOf } from "../api";
import { ask } from "../ui/ask";
import { Field, FormMistake } from "../ui/field";
import { toast } from "../ui/toast";
import { useTyped } from "../ui/use-typed";
import { Issues } from "./issues";
import { OwnersOnly } from "./owners-only";
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
        <OwnersOnly project={project} />
      </div>
      {data === undefined ? null : <p className="panel-body dim">{stateOf(data)}</p>}
      {data === undefined ? null : <Issues projectId={project.id} set={data} refresh={refresh} />}
      {project.role === "owner" && data !== undefined ? (
        <TokenForm project={project} set={data} refresh={refresh} />
      ) : null}
    </section>
  );
}

function stateOf({ isSet, isLost, repository, apiUrl }: ProjectGitHubView): string {
  if (isLost) return "The token cannot be read any more: enter it again.";
  if (!isSet) return "With a token, a task’s branch can be offered as a pull request, and issues can come in as tasks.";
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
  const apiUrl = useTyped(set.apiUrl ?? "");
  const label = useTyped(set.issueLabel ?? "");
  const save = useMutation(
    api.projects.setGitHub.mutationOptions({
      onSuccess: async () => {
        setToken("");
        toast({ icon: "check", text: "Saved" });
        await refresh();
        apiUrl.forget();
        label.forget();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = token.trim() === "" ? {} : { token: token.trim() };
    save.mutate({ id: project.id, ...given, apiUrl: orNull(apiUrl.text), issueLabel: orNull(label.text) });
  };
  const remove = async () => {
    const text =
      "Pull requests that are open stay open on GitHub; what becomes of them is not read any more, and no issues come in.";
    if (!(await ask({ title: "Remove the token?", text, yes: "Remove", no: "Keep it" }))) return;
    try {
      await client.projects.removeGitHub({ id: project.id });
      await refresh();
    } catch (error) {
      toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
    }
  };
  const isChanged = token.trim() !== "" || orNull(apiUrl.text) !== set.apiUrl || orNull(label.text) !== set.issueLabel;
  return (
    <form aria-label="GitHub token" onSubmit={submit}>
      <div className="panel-body grid gap-4">
        <Field
          label="Token"
          type="password"
          hint="A fine-grained token for this repository with “Pull requests: read and write” and “Commit statuses: read”, for issues also “Issues: read”; a classic one with “repo”. It is encrypted, never shown again and masked in what agents say; branches are pushed with the repository’s own login."
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
          value={apiUrl.text}
          placeholder="https://api.github.com"
          onChange={(event) => apiUrl.change(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
        />
        <Field
          label="Label of issues"
          hint="Open issues with it come in as tasks in Backlog, once each. What stands in an issue is only text, whoever wrote it: nothing runs before somebody has read and dispatched it. Empty: none come in."
          value={label.text}
          placeholder="camelot"
          dir="auto"
          onChange={(event) => label.change(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          maxLength={LABEL_MAX_CHARS}
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

function orNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}
