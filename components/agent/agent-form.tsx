"use client";
/** Adding or changing an agent: a program of one's own, or the shell. Says before what is missing; the server decides. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import type { Agent } from "@/server/contract/agents";
import type { Project } from "@/server/contract/projects";
import { api, client, sentenceOf } from "../api";
import { Dialog } from "../ui/dialog";
import { Field, FormMistake } from "../ui/field";
import { toast } from "../ui/toast";
import {
  type AgentWish,
  agentOf,
  argvOf,
  canBeWrittenInLines,
  mistakeIn,
  newWish,
  PLACEHOLDERS,
  wishOf,
} from "./agent-wish";

interface AgentFormProps {
  /** The one to change; null: a new one. */
  readonly agent: Agent | null;
  /** Where a new one may belong: everywhere (administrators), and the projects one owns. */
  readonly isForAll: boolean;
  readonly projects: readonly Project[];
  readonly close: () => void;
}

export function AgentForm({ agent, isForAll, projects, close }: AgentFormProps) {
  const cache = useQueryClient();
  const [wish, setWish] = useState<AgentWish>(() =>
    agent === null ? newWish(isForAll ? null : (projects[0]?.id ?? null)) : wishOf(agent),
  );
  const [mistake, setMistake] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const fixed = agent === null || canBeWrittenInLines(agent) ? null : argvOf(agent.settings);
  const missing = mistakeIn(wish, fixed);

  const change = (part: Partial<AgentWish>) => {
    setWish({ ...wish, ...part });
    setMistake(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (missing !== null) return setMistake(missing);
    setBusy(true);
    try {
      await send(agent, wish, fixed);
      await cache.invalidateQueries({ queryKey: api.agents.list.key() });
      toast({ icon: "check", text: agent === null ? `${wish.name} is there` : "Saved" });
      close();
    } catch (error) {
      setMistake(sentenceOf(error));
      setBusy(false);
    }
  };

  return (
    <Dialog title={agent === null ? "Add an agent" : `Change ${agent.name}`} close={close} width={560}>
      <form className="mt-3 grid gap-4" onSubmit={(event) => void submit(event)}>
        <Field
          label="Name"
          value={wish.name}
          onChange={(event) => change({ name: event.target.value })}
          required
          maxLength={200}
          dir="auto"
          autoComplete="off"
        />
        {agent === null ? <KindAndPlace {...{ wish, change, isForAll, projects }} /> : null}
        {wish.kind === "command" ? <Command {...{ wish, change }} isFixed={fixed !== null} /> : null}
        <Sandbox {...{ wish, change }} />
        <FormMistake>{mistake}</FormMistake>
        <div className="flex justify-end gap-2">
          <button type="button" className="btn" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="btn ink" disabled={isBusy}>
            {agent === null ? "Add" : "Save"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

async function send(agent: Agent | null, wish: AgentWish, fixed: readonly string[] | null): Promise<void> {
  const sent = agentOf(wish, fixed);
  if (agent === null) await client.agents.create(sent);
  else await client.agents.change({ id: agent.id, name: sent.name, settings: sent.settings });
}

interface PartProps {
  readonly wish: AgentWish;
  readonly change: (part: Partial<AgentWish>) => void;
}

function KindAndPlace({ wish, change, isForAll, projects }: PartProps & Pick<AgentFormProps, "isForAll" | "projects">) {
  return (
    <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
      <Choice
        label="What it runs"
        value={wish.kind}
        choose={(kind) => change({ kind: kind === "shell" ? "shell" : "command" })}
        choices={[
          ["command", "A program of your own"],
          ["shell", "The prompt as a bash script (no AI)"],
        ]}
      />
      <Choice
        label="Who may use it"
        value={wish.projectId ?? ""}
        choose={(id) => change({ projectId: id === "" ? null : id })}
        choices={[
          ...(isForAll ? [["", "Everybody, in every project"] as const] : []),
          ...projects.map(({ id, name }) => [id, `Members of ${name}`] as const),
        ]}
      />
    </div>
  );
}

function Command({ wish, change, isFixed }: PartProps & { isFixed: boolean }) {
  const id = useId();
  const placeholder = wish.promptVia === "stdin" ? null : PLACEHOLDERS[wish.promptVia];
  return (
    <>
      <div>
        <label className="label" htmlFor={id}>
          Program and arguments, one per line
        </label>
        <textarea
          id={id}
          className="textarea mono"
          rows={5}
          value={wish.lines}
          onChange={(event) => change({ lines: event.target.value })}
          placeholder={`my-agent\n--yes${placeholder === null ? "" : `\n${placeholder}`}`}
          aria-describedby={`${id}-note`}
          readOnly={isFixed}
          spellCheck={false}
        />
        <p id={`${id}-note`} className="hint">
          {isFixed
            ? "An argument here has several lines or is empty; such a command is changed over the API."
            : "No shell reads it: spaces, quotes and $ stay as they are. Empty lines are left out."}
        </p>
      </div>
      <Choice
        label="How it gets the prompt"
        value={wish.promptVia}
        choose={(via) => change({ promptVia: via === "argument" || via === "file" ? via : "stdin" })}
        choices={[
          ["stdin", "On its standard input"],
          ["argument", `As an argument, where ${PLACEHOLDERS.argument} stands`],
          ["file", `In a file, whose path stands for ${PLACEHOLDERS.file}`],
        ]}
      />
    </>
  );
}

function Sandbox({ wish, change }: PartProps) {
  const id = useId();
  const { data } = useQuery(api.runner.get.queryOptions({ staleTime: Number.POSITIVE_INFINITY }));
  const problem = data?.sandbox.problem ?? null;
  return (
    <div>
      <label className="flex items-center gap-2.5">
        <input
          type="checkbox"
          checked={wish.isSandboxed}
          disabled={problem !== null && !wish.isSandboxed}
          aria-describedby={problem === null ? undefined : id}
          onChange={(event) => change({ isSandboxed: event.target.checked })}
        />
        In a sandbox (bubblewrap): it can write only in its worktree
      </label>
      {problem === null ? null : (
        <p id={id} className="hint" dir="auto">
          No sandbox here: {problem}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [string, string])[];
  readonly choose: (value: string) => void;
}

function Choice({ label, value, choices, choose }: ChoiceProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <span className="field">
        <select id={id} value={value} onChange={(event) => choose(event.target.value)}>
          {choices.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </select>
      </span>
    </div>
  );
}
