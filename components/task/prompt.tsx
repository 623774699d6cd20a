"use client";
/** What a person wants done. Can be changed where no session is under way; what one types survives live news and a reload. */
import { useEffect, useState } from "react";
import { client, sentenceOf } from "../api";
import type { BoardCard } from "../board/columns";
import { FormMistake } from "../ui/field";
import { Icon } from "../ui/icon";
import { beforeLongPaste } from "../ui/long-paste";
import { useSlot } from "../ui/slot";
import { directionOf, withoutDisguise } from "../ui/written";
import { editWish } from "./edit-wish";
import { useKeptText } from "./kept-text";
import { beginPromptDraft, endPromptDraft, isOvertaken, promptDrafts } from "./prompt-draft";
import { usePrompt } from "./use-task";

/** What is laid out at once, in characters: a browser takes minutes for the line breaks of a line of megabytes. */
const SHOWN_CHARS = 20_000;

export function PromptText({ text }: { text: string }) {
  const [shown, setShown] = useState(SHOWN_CHARS);
  return (
    <>
      <pre dir="auto">{withoutDisguise(text.slice(0, shown))}</pre>
      {text.length > shown ? (
        <button type="button" className="btn sm mt-2" onClick={() => setShown(shown + SHOWN_CHARS)}>
          Show more of {text.length.toLocaleString("en")} characters
        </button>
      ) : null}
    </>
  );
}

export function Prompt({ card }: { card: BoardCard }) {
  const { task, column } = card;
  const prompt = usePrompt(task);
  const draft = useKeptText(promptDrafts, task.id);
  /** Opened by a press, unlike one that a reload brought back: it has the focus. */
  const [isFresh, setFresh] = useState(false);
  const [mistake, setMistake] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const isEditable = column === "backlog" || column === "review";
  const isWished = useSlot(editWish) === task.number;
  useEffect(() => {
    if (!isWished || prompt === null) return;
    editWish.close();
    if (!isEditable) return;
    setFresh(true);
    beginPromptDraft(task.id, prompt);
  }, [isWished, isEditable, prompt, task.id]);

  const save = async () => {
    if (draft === null) return;
    setSaving(true);
    setMistake(null);
    try {
      await client.tasks.change({ id: task.id, prompt: draft });
      endPromptDraft(task.id);
    } catch (error) {
      setMistake(sentenceOf(error));
    } finally {
      setSaving(false);
    }
  };

  if (prompt === null) return <p className="sk w-[60%]" aria-hidden="true" />;
  if (draft === null) {
    return (
      <div className="prompt">
        {isEditable ? (
          <button
            type="button"
            className="btn sm mb-3"
            onClick={() => {
              setFresh(true);
              beginPromptDraft(task.id, prompt);
            }}
          >
            <Icon name="pen" small />
            Edit
          </button>
        ) : null}
        {prompt === "" ? <p className="faint">There is no prompt.</p> : <PromptText text={prompt} />}
      </div>
    );
  }
  return (
    <form
      className="prompt"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label className="label" htmlFor="task-prompt">
        Prompt
      </label>
      <textarea
        id="task-prompt"
        // biome-ignore lint/a11y/noAutofocus: it was asked for by the press that opened it
        autoFocus={isFresh}
        className="textarea mono"
        dir={directionOf(draft)}
        onPaste={beforeLongPaste}
        rows={14}
        value={draft}
        onChange={(event) => promptDrafts.keep(task.id, event.target.value)}
      />
      <FormMistake>{mistake}</FormMistake>
      {isOvertaken(task.id, prompt) && !isSaving ? (
        <p className="hint caution" role="status">
          The prompt was changed by somebody else meanwhile. Saving replaces theirs.
        </p>
      ) : null}
      <div className="mt-2 flex flex-wrap gap-2">
        <button type="submit" className="btn ink" disabled={isSaving}>
          Save
        </button>
        <button type="button" className="btn" onClick={() => endPromptDraft(task.id)}>
          Cancel
        </button>
        {isEditable ? null : (
          <span className="faint self-center">A session is under way; it keeps the old prompt.</span>
        )}
      </div>
    </form>
  );
}
