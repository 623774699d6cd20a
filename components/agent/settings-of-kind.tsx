"use client";
/** What can be set about an agent, by its kind. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { api } from "../api";
import { Field } from "../ui/field";
import { type AgentWish, MODES, PLACEHOLDERS } from "./agent-wish";
import { Choice, Lines } from "./form-parts";

export interface PartProps {
  readonly wish: AgentWish;
  readonly change: (part: Partial<AgentWish>) => void;
}

const NO_SHELL = "No shell reads it: spaces, quotes and $ stay as they are. Empty lines are left out.";
const FIXED = "An argument here has several lines or is empty; such a command is changed over the API.";

/** `isFixed`: its argument list cannot be written in lines. */
export function SettingsOfKind({ wish, change, isFixed }: PartProps & { isFixed: boolean }) {
  switch (wish.kind) {
    case "shell":
      return <Sandbox wish={wish} change={change} />;
    case "command":
      return (
        <>
          <Command wish={wish} change={change} isFixed={isFixed} />
          <Sandbox wish={wish} change={change} />
        </>
      );
    case "acp":
      return (
        <>
          <Argv wish={wish} change={change} isFixed={isFixed} placeholder={"gemini\n--acp\n--skip-trust"} />
          <Model wish={wish} change={change} />
          <Field
            label="Mode"
            value={wish.mode}
            onChange={(event) => change({ mode: event.target.value })}
            hint="The id of one of the agent’s own modes, for example yolo. Empty: the one it starts in."
            autoComplete="off"
          />
          <Environment wish={wish} change={change} />
        </>
      );
    case "claude-code":
      return (
        <>
          <Permission wish={wish} change={change} modes={MODES["claude-code"]} />
          <Lines
            label="Tools it never asks about, one per line"
            value={wish.allowedTools}
            change={(allowedTools) => change({ allowedTools })}
            placeholder={"Bash(npm test:*)"}
            note="In Claude Code’s words: Bash for every command, Bash(npm test:*) for some."
          />
          <Model wish={wish} change={change} />
          <More wish={wish} change={change} />
          <Environment wish={wish} change={change} />
        </>
      );
    case "codex":
      return (
        <>
          <Permission wish={wish} change={change} modes={MODES.codex} />
          <Model wish={wish} change={change} />
          <More wish={wish} change={change} />
          <Environment wish={wish} change={change} />
        </>
      );
    default:
      return wish.kind satisfies never;
  }
}

interface ArgvProps extends PartProps {
  readonly isFixed: boolean;
  readonly placeholder: string;
}

function Argv({ wish, change, isFixed, placeholder }: ArgvProps) {
  return (
    <Lines
      label="Program and arguments, one per line"
      rows={5}
      value={wish.lines}
      change={(lines) => change({ lines })}
      placeholder={placeholder}
      isFixed={isFixed}
      note={isFixed ? FIXED : NO_SHELL}
    />
  );
}

function Command({ wish, change, isFixed }: PartProps & { isFixed: boolean }) {
  const placeholder = wish.promptVia === "stdin" ? null : PLACEHOLDERS[wish.promptVia];
  return (
    <>
      <Argv
        wish={wish}
        change={change}
        isFixed={isFixed}
        placeholder={`my-agent\n--yes${placeholder === null ? "" : `\n${placeholder}`}`}
      />
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

function Permission({ wish, change, modes }: PartProps & { modes: readonly (readonly [string, string])[] }) {
  return (
    <Choice
      label="What it may do"
      value={modes.find(([mode]) => mode === wish.mode)?.[0] ?? modes[0]?.[0] ?? ""}
      choose={(mode) => change({ mode })}
      choices={modes.map(([mode, words]) => [mode, `${words} (${mode})`])}
    />
  );
}

function Model({ wish, change }: PartProps) {
  return (
    <Field
      label="Model"
      value={wish.model}
      onChange={(event) => change({ model: event.target.value })}
      hint="As the agent’s program knows it. Empty: the one it takes by itself."
      maxLength={200}
      autoComplete="off"
    />
  );
}

function More({ wish, change }: PartProps) {
  return (
    <Lines label="More arguments, one per line" value={wish.more} change={(more) => change({ more })} note={NO_SHELL} />
  );
}

function Environment({ wish, change }: PartProps) {
  return (
    <Lines
      label="Variables it gets from the server, one name per line"
      value={wish.environment}
      change={(environment) => change({ environment })}
      placeholder="ANTHROPIC_API_KEY"
      note="Names only, and only those of agents and proxies. Without a key it uses the login of the user that runs the server."
    />
  );
}

function Sandbox({ wish, change }: PartProps) {
  const id = useId();
  const { data } = useQuery(api.runner.get.queryOptions({ staleTime: 60_000 }));
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
        <p id={id} className="hint">
          No sandbox here: {problem}
        </p>
      )}
    </div>
  );
}
