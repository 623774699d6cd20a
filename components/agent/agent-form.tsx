"use client";
/** Adding or changing an agent. What is found on the machine comes first; says before what is missing; the server decides. */
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Agent, MachineProgram } from "@/server/contract/agents";
import type { Project } from "@/server/contract/projects";
import { api, client, sentenceOf } from "../api";
import { Dialog } from "../ui/dialog";
import { Field, FormMistake } from "../ui/field";
import { toast } from "../ui/toast";
import { inSentence } from "../ui/written";
import {
  type AgentWish,
  agentOf,
  argvOf,
  canBeWrittenInLines,
  mistakeIn,
  newWish,
  wishFor,
  wishOf,
} from "./agent-wish";
import { Choice } from "./form-parts";
import { InstallCommand } from "./install-command";
import { SettingsOfKind } from "./settings-of-kind";
import { useMachinePrograms } from "./use-agents";

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
  const [isNamed, setNamed] = useState(false);
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
      toast({ icon: "check", text: agent === null ? `${inSentence(wish.name)} is added` : "Saved" });
      close();
    } catch (error) {
      setMistake(sentenceOf(error));
      setBusy(false);
    }
  };

  return (
    <Dialog title={agent === null ? "Add an agent" : `Change ${inSentence(agent.name)}`} close={close} width={560}>
      <form className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4" onSubmit={(event) => void submit(event)}>
        <Field
          label="Name"
          value={wish.name}
          onChange={(event) => {
            setNamed(event.target.value !== "");
            change({ name: event.target.value });
          }}
          required
          maxLength={200}
          dir="auto"
          autoComplete="off"
        />
        {agent === null ? (
          <KindAndPlace wish={wish} change={change} isNamed={isNamed} isForAll={isForAll} projects={projects} />
        ) : null}
        <SettingsOfKind wish={wish} change={change} isFixed={fixed !== null} />
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

interface KindAndPlaceProps extends Pick<AgentFormProps, "isForAll" | "projects"> {
  readonly wish: AgentWish;
  readonly change: (part: Partial<AgentWish>) => void;
  readonly isNamed: boolean;
}

function KindAndPlace({ wish, change, isNamed, isForAll, projects }: KindAndPlaceProps) {
  const programs = useMachinePrograms();
  const [chosen, setChosen] = useState("command");
  const program = programs.find(({ name }) => `program ${name}` === chosen);
  const choose = (choice: string) => {
    setChosen(choice);
    const known = programs.find(({ name }) => `program ${name}` === choice);
    if (known !== undefined) return change(wishFor(known, wish, isNamed));
    const kind = choice === "shell" || choice === "acp" ? choice : "command";
    change({ ...newWish(wish.projectId), kind, name: isNamed ? wish.name : "" });
  };
  return (
    <>
      <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
        <Choice label="What it runs" value={chosen} choose={choose} choices={choicesOf(programs)} />
        <Choice
          label="Who may use it"
          value={wish.projectId ?? ""}
          choose={(id) => change({ projectId: id === "" ? null : id })}
          choices={[
            ...(isForAll ? [["", "Everybody, in every project"] as const] : []),
            ...projects.map(({ id, name }) => [id, `Members of ${inSentence(name)}`] as const),
          ]}
        />
      </div>
      {program === undefined || program.isThere ? null : (
        <div>
          <p className="hint caution">It is not installed on the machine that runs agents.</p>
          {program.install === null ? null : <InstallCommand command={program.install} />}
        </div>
      )}
    </>
  );
}

/** What is found on the machine first, then what always works, then what would have to be installed. */
function choicesOf(programs: readonly MachineProgram[]): [string, string][] {
  const entry = ({ name, title, isThere, version }: MachineProgram): [string, string] => [
    `program ${name}`,
    isThere ? `${title}${version === null ? "" : ` ${version}`}` : `${title} · not installed`,
  ];
  return [
    ...programs.filter(({ isThere }) => isThere).map(entry),
    ["command", "A program of your own"],
    ["acp", "A program that speaks ACP"],
    ["shell", "The prompt as a bash script (no AI)"],
    ...programs.filter(({ isThere }) => !isThere).map(entry),
  ];
}
