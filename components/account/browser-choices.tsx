"use client";
/** What this browser does for one: notifications (B14), and keys of one letter (B4). */
import { type ReactNode, useId, useState, useSyncExternalStore } from "react";
import { hasLetterKeys, keepLetterKeys } from "../frame/letter-keys";
import { keepNotices, useNoticesChoice } from "../notice/choice";

const NOT_KEPT = "This browser keeps nothing of this page, so it cannot be switched.";

export function BrowserChoices() {
  return (
    <section className="panel" aria-labelledby="browser-head">
      <div className="panel-head">
        <h2 id="browser-head">This browser</h2>
        <span className="faint">on this machine only</span>
      </div>
      <div className="panel-body grid gap-4">
        <Notifications />
        <LetterKeys />
      </div>
    </section>
  );
}

function Notifications() {
  const isOn = useNoticesChoice();
  const [note, setNote] = useState<string | null>(null);
  const change = async (isWanted: boolean) => {
    const isKept = keepNotices(isWanted);
    setNote(isKept ? (isWanted ? await askBrowser() : null) : NOT_KEPT);
  };
  return (
    <Choice label="Notifications" isOn={isOn} change={(isWanted) => void change(isWanted)} note={note}>
      When a session of yours has ended, needs you, or has started after waiting two minutes or more: a notification of
      the browser, and a figure in the window’s title until you have seen it.
    </Choice>
  );
}

/** Asks for leave, at the press only. What stands in the way, or null. */
async function askBrowser(): Promise<string | null> {
  const without = "The figure in the title works without it.";
  if (typeof Notification === "undefined") {
    return `This browser shows notifications only for pages served by https or from this machine. ${without}`;
  }
  const leave = await Notification.requestPermission();
  if (leave === "granted") return null;
  const how = leave === "denied" ? "It can be allowed in the browser’s settings of this site." : "You can press again.";
  return `The browser does not allow notifications of this page. ${how} ${without}`;
}

function LetterKeys() {
  const isOn = useSyncExternalStore(never, hasLetterKeys, () => true);
  const [changed, setChanged] = useState<boolean | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const change = (isWanted: boolean) => {
    if (!keepLetterKeys(isWanted)) return setNote(NOT_KEPT);
    setChanged(isWanted);
  };
  return (
    <Choice label="Keys of one letter" isOn={changed ?? isOn} change={change} note={note}>
      C for a new task, J and K from card to card, and the others on the sheet of keys. Arrows, Enter, Escape and the
      palette work without them.
    </Choice>
  );
}

function never(): () => void {
  return () => {};
}

interface ChoiceProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly change: (isWanted: boolean) => void;
  readonly note: string | null;
  readonly children: ReactNode;
}

function Choice({ label, isOn, change, note, children }: ChoiceProps) {
  const id = useId();
  return (
    <div>
      <label className="flex items-center gap-2 font-medium">
        <input
          type="checkbox"
          checked={isOn}
          aria-describedby={id}
          onChange={(event) => change(event.target.checked)}
        />
        {label}
      </label>
      <p id={id} className="hint">
        {children}
      </p>
      <p role="status" className="hint attn">
        {note}
      </p>
    </div>
  );
}
