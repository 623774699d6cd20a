"use client";
/** What a project gives its agents as environment. A secret is written here and never shown again. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Project } from "@/server/contract/projects";
import type { VariableView } from "@/server/contract/variables";
import { refusedVariable, warningFor } from "@/server/core/text/variables";
import { api, client, sentenceOf } from "../api";
import { ask } from "../ui/ask";
import { Field, FormMistake } from "../ui/field";
import { Icon } from "../ui/icon";
import { toast } from "../ui/toast";
import { OwnersOnly } from "./owners-only";

export function VariablesForm({ project }: { project: Project }) {
  const options = api.projects.variables.queryOptions({ input: { id: project.id } });
  const { data } = useQuery(options);
  const cache = useQueryClient();
  const refresh = () => cache.invalidateQueries({ queryKey: options.queryKey });
  const variables = data?.items ?? [];
  const isOwner = project.role === "owner";
  return (
    <section className="panel" aria-labelledby="variables-head">
      <div className="panel-head">
        <h2 id="variables-head">Variables and secrets</h2>
        <span className="dim">{variables.length}</span>
        <OwnersOnly project={project} />
      </div>
      {variables.length === 0 ? (
        <p className="panel-body faint">Agents get nothing but what every agent gets.</p>
      ) : (
        <ul className="rows">
          {variables.map((variable) => (
            <Row key={variable.name} project={project} variable={variable} refresh={refresh} />
          ))}
        </ul>
      )}
      {isOwner ? <AddVariable project={project} refresh={refresh} /> : null}
    </section>
  );
}

interface RowProps {
  readonly project: Project;
  readonly variable: VariableView;
  readonly refresh: () => Promise<void>;
}

function Row({ project, variable: { name, value, isSecret, isLost }, refresh }: RowProps) {
  const remove = async () => {
    const text = "Agents that start from now on do without it. Those that run keep it.";
    if (!(await ask({ title: `Remove ${name}?`, text, yes: "Remove", no: "Keep it" }))) return;
    try {
      await client.projects.removeVariable({ id: project.id, name });
      await refresh();
    } catch (error) {
      toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
    }
  };
  const warning = warningFor(name);
  return (
    <li className="flex-wrap py-1">
      <span className="cut mono">{name}</span>
      {isSecret ? <span className="chip">secret</span> : null}
      {isLost ? (
        <span className="mistake">Cannot be read any more: enter it again.</span>
      ) : (
        <span className="cut faint mono" dir="auto">
          {value ?? "•••"}
        </span>
      )}
      {project.role === "owner" ? (
        <button
          type="button"
          className="btn sm ghost icon end"
          aria-label={`Remove ${name}`}
          onClick={() => void remove()}
        >
          <Icon name="x" small />
        </button>
      ) : null}
      {warning === null ? null : <p className="hint attn m-0! w-full">{warning}</p>}
    </li>
  );
}

function AddVariable({ project, refresh }: Pick<RowProps, "project" | "refresh">) {
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const [isSecret, setSecret] = useState(true);
  const [mistake, setMistake] = useState<string | null>(null);
  const save = useMutation(
    api.projects.setVariable.mutationOptions({
      onSuccess: async () => {
        setName("");
        setValue("");
        await refresh();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const refused = refusedVariable({ name, value, isSecret });
    setMistake(refused);
    if (refused === null) save.mutate({ id: project.id, name, value, secret: isSecret });
  };
  return (
    <form className="panel-foot flex-wrap items-start!" aria-label="Add a variable" onSubmit={submit}>
      <Field
        label="Name"
        className="w-[200px] phone:w-full"
        value={name}
        onChange={(event) => setName(event.target.value)}
        placeholder="API_KEY"
        autoComplete="off"
        spellCheck={false}
        required
      />
      <div className="min-w-0 flex-1 phone:w-full">
        <label className="label" htmlFor="variable-value">
          Value
        </label>
        <textarea
          id="variable-value"
          className="textarea mono min-h-[var(--ctl-h)]!"
          rows={1}
          value={value}
          onChange={(event) => setValue(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <label className="mt-6 flex h-[var(--ctl-h)] items-center gap-2 phone:mt-0">
        <input type="checkbox" checked={isSecret} onChange={(event) => setSecret(event.target.checked)} />
        Secret
      </label>
      <button type="submit" className="btn mt-6 phone:mt-0" disabled={name === "" || save.isPending}>
        Save
      </button>
      <p className="hint m-0! w-full">
        The name of one that is there replaces it. A secret is encrypted, never shown again, and masked in what agents
        say; the agent itself can read it, and whoever may dispatch can make an agent use it.
      </p>
      {warningFor(name) === null ? null : <p className="hint attn m-0! w-full">{warningFor(name)}</p>}
      <FormMistake>{mistake ?? (save.error === null ? null : sentenceOf(save.error))}</FormMistake>
    </form>
  );
}
