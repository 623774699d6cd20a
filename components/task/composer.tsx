"use client";
/** The box in which a person writes to an agent. What was typed survives a reload; Ctrl or ⌘ with Enter sends. */
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { sentenceOf } from "../api";
import { FormMistake } from "../ui/field";
import { CommandKbd } from "../ui/kbd";
import { beforeLongPaste } from "../ui/long-paste";
import { useSlot } from "../ui/slot";
import { directionOf } from "../ui/written";
import { useKeptText } from "./kept-text";
import { joined, messages, suggestedSlot } from "./message-draft";

interface ComposerProps {
  readonly draftKey: string;
  readonly label: string;
  readonly button: string;
  readonly send: (text: string) => Promise<void>;
  readonly isOff?: boolean;
  /** Something else is sent along. */
  readonly mayBeEmpty?: boolean;
  /** What is sent along; stands below the box. */
  readonly included?: ReactNode;
  /** How what somebody suggested stands in the box; undefined: as it is. */
  readonly suggested?: ((text: string) => string) | undefined;
  readonly children: ReactNode;
}

/** Up to so many characters the box is as high as its text; of more it is the highest already, and measuring takes long. */
const GROWS_MAX_CHARS = 5_000;

export function Composer(props: ComposerProps) {
  const {
    draftKey,
    label,
    button,
    send,
    isOff = false,
    mayBeEmpty = false,
    included = null,
    suggested,
    children,
  } = props;
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const text = useKeptText(messages, draftKey) ?? "";
  const [mistake, setMistake] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const change = (next: string) => {
    setMistake(null);
    messages.keep(draftKey, next === "" ? null : next);
  };
  useSuggested(draftKey, (said) => {
    change(joined(text, suggested?.(said) ?? said));
    box.current?.focus();
  });
  const isNothing = text.trim() === "" && !mayBeEmpty;
  const submit = async () => {
    if (isBusy || isOff || isNothing) return;
    setBusy(true);
    try {
      await send(text);
      change("");
    } catch (error) {
      setMistake(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    void submit();
  };
  return (
    <form className="follow-up" onSubmit={submitted} onKeyDown={pressed}>
      <div className="composer">
        <label className="sr" htmlFor={id}>
          {label}
        </label>
        <textarea
          ref={box}
          id={id}
          rows={2}
          dir={directionOf(text)}
          onPaste={beforeLongPaste}
          data-long={text.length > GROWS_MAX_CHARS || undefined}
          placeholder={label}
          value={text}
          aria-describedby={`${id}-note`}
          onChange={(event) => change(event.target.value)}
        />
        {included}
        <div className="foot">
          <span id={`${id}-note`}>{children}</span>
          <button
            type="submit"
            className="btn sm ink end"
            aria-disabled={isOff || isNothing || undefined}
            disabled={isBusy}
          >
            {button}
            <CommandKbd>↵</CommandKbd>
          </button>
        </div>
      </div>
      <FormMistake>{mistake}</FormMistake>
    </form>
  );
}

/** Takes what somebody suggested for this task's box, once. */
function useSuggested(taskId: string, take: (text: string) => void): void {
  const suggested = useSlot(suggestedSlot);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another suggestion is news
  useEffect(() => {
    if (suggested?.taskId !== taskId) return;
    suggestedSlot.close();
    take(suggested.text);
  }, [suggested, taskId]);
}
