"use client";
import { useQueryClient } from "@tanstack/react-query";
/** Which repository a project points at: a sample, a folder of this machine, or an address to clone. */
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import type { Project } from "@/server/contract/projects";
import { kindOf, nameOfRepository, type RepositoryKind, WHAT_FITS } from "@/server/core/text/repository-kind";
import { client, refusalOf, sentenceOf } from "../api";
import { Field, FormMistake } from "../ui/field";
import { Icon } from "../ui/icon";
import { Kbd } from "../ui/kbd";
import { projectsKey } from "./use-projects";
import { isGivenUp, useWaiting, Waiting } from "./waiting";

const KINDS: readonly { readonly kind: RepositoryKind; readonly label: string; readonly text: string }[] = [
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
  { kind: "address", label: "A clone URL", text: "Cloned once, fetched when a session starts." },
];

const SAMPLE_NAME = "Sample shop";

/** `field`: null: it is about the whole form. */
interface Mistake {
  readonly field: "repository" | "baseBranch" | null;
  readonly sentence: string;
}

interface ProjectFormProps {
  readonly done: (project: Project) => void;
  /** Told when the making begins, and when it came to nothing. */
  readonly making?: (isMaking: boolean) => void;
}

export function ProjectForm({ done, making }: ProjectFormProps) {
  const [kind, setKind] = useState<RepositoryKind>("sample");
  /** Null: nobody wrote one, and it is as proposed. */
  const [typedName, setTypedName] = useState<string | null>(null);
  const [proposal, setProposal] = useState(SAMPLE_NAME);
  const [mistake, setMistake] = useState<Mistake | null>(null);
  const { wait, during } = useWaiting();
  const submitButton = useRef<HTMLButtonElement>(null);
  const cache = useQueryClient();

  const choose = (next: RepositoryKind) => {
    if (wait !== null) return;
    setKind(next);
    setMistake(null);
    setProposal(next === "sample" ? SAMPLE_NAME : "");
  };
  const name = typedName ?? proposal;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (wait !== null) return;
    const form = event.currentTarget;
    const given = new FormData(form);
    const text = (field: string) => String(given.get(field) ?? "").trim();
    const show = (found: Mistake) => {
      setMistake(found);
      if (found.field !== null) form.querySelector<HTMLInputElement>(`[name="${found.field}"]`)?.focus();
    };
    const repository = kind === "sample" ? "sample" : text("repository");
    if (kind !== "sample" && kindOf(repository) !== kind) {
      show({ field: "repository", sentence: WHAT_FITS[kind] });
      return;
    }
    const baseBranch = text("baseBranch");
    const wish = { name, repository, ...(baseBranch === "" ? {} : { baseBranch }) };
    setMistake(null);
    making?.(true);
    try {
      const project = await during("Cloning", (signal) => client.projects.create(wish, { signal }));
      await cache.invalidateQueries({ queryKey: projectsKey });
      if (isGivenUp(project)) making?.(false);
      else done(project);
    } catch (error) {
      show(mistakeIn(error, kind));
      making?.(false);
    }
  };
  const cancel = () => {
    // The button that was pressed goes.
    submitButton.current?.focus();
    wait?.cancel();
  };
  // The others are made in a moment.
  const isCloning = wait !== null && kind === "address";
  const mistakeOf = (field: Mistake["field"]) => (mistake?.field === field ? mistake.sentence : null);

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
                mistake={mistakeOf("repository")}
                isAnswer
                required
                onChange={(event) => setProposal(nameOfRepository(event.target.value))}
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
          onChange={(event) => setTypedName(event.target.value)}
          required
          maxLength={200}
          dir="auto"
          autoComplete="off"
        />
        <Field
          label="Base branch"
          name="baseBranch"
          mistake={mistakeOf("baseBranch")}
          isAnswer
          placeholder="as the repository says"
          spellCheck={false}
        />
      </div>
      <div className="mt-5 flex items-start gap-2.5 rounded-8 bg-bg-lane px-3.5 py-3">
        <Icon name="alert" className="dim" />
        <p className="dim">
          Whoever may dispatch here may run code as the user this server runs as. You are the only member for now.
        </p>
      </div>
      <div className="mt-3">
        <FormMistake>{mistakeOf(null)}</FormMistake>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Waiting wait={isCloning ? wait : null} />
        {isCloning ? (
          <button type="button" className="btn ghost" onClick={cancel}>
            Cancel
          </button>
        ) : null}
        <button
          ref={submitButton}
          type="submit"
          className="btn ink end h-9 px-4"
          aria-disabled={wait === null ? undefined : true}
        >
          Make it and continue
          <Kbd>↵</Kbd>
        </button>
      </div>
    </form>
  );
}

/** What the server refused, beside the field it is about where that is drawn. */
function mistakeIn(error: unknown, kind: RepositoryKind): Mistake {
  const field = refusalOf(error)?.details.field;
  const sentence = sentenceOf(error);
  if (field === "baseBranch") return { field, sentence };
  return { field: field === "repository" && kind !== "sample" ? field : null, sentence };
}

interface ChoiceProps {
  readonly kind: RepositoryKind;
  readonly label: string;
  readonly text: string;
  readonly isOn: boolean;
  readonly choose: (kind: RepositoryKind) => void;
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
