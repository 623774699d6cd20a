"use client";
import { useQueryClient } from "@tanstack/react-query";
/** Which repository a project points at: a sample, a folder of this machine, or an address to clone. */
import { type FormEvent, type ReactNode, useState } from "react";
import type { Project } from "@/server/contract/projects";
import { client, sentenceOf } from "../api";
import { Field, FormMistake } from "../ui/field";
import { Icon } from "../ui/icon";
import { Kbd } from "../ui/kbd";
import { projectsKey } from "./use-projects";

type Kind = "sample" | "folder" | "url";

const KINDS: readonly { readonly kind: Kind; readonly label: string; readonly text: string }[] = [
  {
    kind: "sample",
    label: "Make a sample repository",
    text: "A small repository on this machine. Good for a first look.",
  },
  {
    kind: "folder",
    label: "A folder on this machine",
    text: "Used in place. Every task gets its own worktree and branch.",
  },
  { kind: "url", label: "A clone URL", text: "Cloned once, fetched when a session starts." },
];

interface ProjectFormProps {
  readonly done: (project: Project) => void;
  /** Told when the making begins, and when it came to nothing. */
  readonly making?: (isMaking: boolean) => void;
}

export function ProjectForm({ done, making }: ProjectFormProps) {
  const [kind, setKind] = useState<Kind>("sample");
  const [name, setName] = useState("Sample shop");
  const [mistake, setMistake] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const cache = useQueryClient();

  const choose = (next: Kind) => {
    setKind(next);
    setMistake(null);
    if (name === "Sample shop" && next !== "sample") setName("");
    if (name === "" && next === "sample") setName("Sample shop");
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (field: string) => String(form.get(field) ?? "").trim();
    setBusy(true);
    making?.(true);
    setMistake(null);
    try {
      const repository = kind === "sample" ? "sample" : text("repository");
      const baseBranch = text("baseBranch");
      const branch = baseBranch === "" ? {} : { baseBranch };
      const project = await client.projects.create({ name, repository, ...branch });
      await cache.invalidateQueries({ queryKey: projectsKey });
      done(project);
    } catch (error) {
      setMistake(sentenceOf(error));
      setBusy(false);
      making?.(false);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} onChange={() => setMistake(null)}>
      <h2 className="mb-4 text-20 font-semibold tracking-tight">Which repository?</h2>
      <fieldset aria-label="Repository" className="min-w-0">
        {KINDS.map((choice) => (
          <Choice key={choice.kind} {...choice} isOn={kind === choice.kind} choose={choose}>
            {choice.kind === "sample" ? null : (
              <Field
                key={choice.kind}
                label={choice.kind === "folder" ? "Path" : "Address"}
                name="repository"
                required
                placeholder={choice.kind === "folder" ? "/srv/code/shop" : "https://example.com/shop.git"}
                spellCheck={false}
                autoComplete="off"
              />
            )}
          </Choice>
        ))}
      </fieldset>
      <div className="mt-5 grid grid-cols-[1fr_180px] gap-3 phone:grid-cols-1">
        <Field
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={200}
          dir="auto"
          autoComplete="off"
        />
        <Field label="Base branch" name="baseBranch" placeholder="as the repository says" spellCheck={false} />
      </div>
      <div className="mt-5 flex items-start gap-2.5 rounded-8 bg-bg-lane px-3.5 py-3">
        <Icon name="alert" className="dim" />
        <p className="dim">
          Whoever may dispatch here may run code as the user this server runs as. You are the only member for now.
        </p>
      </div>
      <div className="mt-3">
        <FormMistake>{mistake}</FormMistake>
      </div>
      <div className="mt-3 flex gap-2">
        <button type="submit" className="btn ink end h-9 px-4" disabled={isBusy}>
          Make it and continue
          <Kbd>↵</Kbd>
        </button>
      </div>
    </form>
  );
}

interface ChoiceProps {
  readonly kind: Kind;
  readonly label: string;
  readonly text: string;
  readonly isOn: boolean;
  readonly choose: (kind: Kind) => void;
  readonly children: ReactNode;
}

function Choice({ kind, label, text, isOn, choose, children }: ChoiceProps) {
  return (
    <div className={`pick ${isOn ? "on" : ""}`}>
      <label className="pick-label">
        <input
          type="radio"
          className="sr"
          name="kind"
          value={kind}
          checked={isOn}
          onChange={() => choose(kind)}
          aria-describedby={`about-${kind}`}
        />
        <span className="radio" aria-hidden="true" />
        <b>{label}</b>
      </label>
      <p id={`about-${kind}`}>{text}</p>
      {isOn && children !== null ? <div className="more-in">{children}</div> : null}
    </div>
  );
}
