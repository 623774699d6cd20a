"use client";
/** The title, and changing it in place: Enter keeps, Escape takes back. What one types is not overwritten by live news. */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Task } from "@/server/contract/tasks";
import { client, sentenceOf } from "../api";
import { Icon } from "../ui/icon";
import { toast } from "../ui/toast";
import { inOwnOrder } from "../ui/written";

export function TaskTitle({ task }: { task: Task }) {
  const [draft, setDraft] = useState<string | null>(null);
  /** What was kept and is not in the news yet. */
  const [sent, setSent] = useState<string | null>(null);
  const shown = sent ?? task.title;
  const pen = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && draft === null) pen.current?.focus();
    wasEditing.current = draft !== null;
  }, [draft]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever the title is now, it is news
  useEffect(() => setSent(null), [task.title]);

  const keep = async () => {
    const title = draft?.trim() ?? "";
    setDraft(null);
    if (title === "" || title === shown) return;
    setSent(title);
    try {
      await client.tasks.change({ id: task.id, title });
    } catch (error) {
      setSent(null);
      setDraft(title);
      toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
    }
  };
  const pressed = (event: KeyboardEvent) => {
    const isKept = event.key === "Enter" && !event.nativeEvent.isComposing;
    if (!isKept && event.key !== "Escape") return;
    // The same press must not go on to the button that has the focus by then.
    event.preventDefault();
    if (isKept) void keep();
    else setDraft(null);
  };

  if (draft === null) {
    return (
      <div className="title-line">
        {/* Of a long one three lines are shown: the whole is in its hint and in the field. */}
        <h1 className="h1" dir="auto" title={inOwnOrder(shown)}>
          {inOwnOrder(shown)}
        </h1>
        <button
          ref={pen}
          type="button"
          className="btn sm ghost icon"
          aria-label="Change the title"
          onClick={() => setDraft(shown)}
        >
          <Icon name="pen" small />
        </button>
      </div>
    );
  }
  return (
    <div className="title-line">
      <h1 className="sr">{inOwnOrder(task.title)}</h1>
      <span className="field flex-1">
        <input
          aria-label="Title"
          dir="auto"
          // biome-ignore lint/a11y/noAutofocus: it was asked for by the press that opened it
          autoFocus
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={pressed}
        />
      </span>
      <button type="button" className="btn sm ink" onClick={() => void keep()}>
        Keep
      </button>
      <button type="button" className="btn sm" onClick={() => setDraft(null)}>
        Cancel
      </button>
    </div>
  );
}
