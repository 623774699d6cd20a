"use client";
/**
 * The palette (B4): one field that finds tasks, places and commands. The field keeps the focus, arrows choose, Enter does it.
 * Fetched soon after the page.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useOpenTask } from "../task/open-task";
import { announce } from "../ui/announce";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icon";
import { focusNow } from "../ui/menu";
import { usePaletteEntries } from "./palette-entries";
import { findEntries, type PaletteEntry } from "./palette-find";
import { paletteSlot } from "./places";

export function Palette({ first }: { first: string }) {
  const open = useOpenTask();
  const [atHand] = useState(() => numberOf(focusNow()) ?? open);
  const [typed, setTyped] = useState(first);
  const [place, setPlace] = useState(0);
  const chosen = useRef<(() => void) | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const found = findEntries(usePaletteEntries(atHand), typed);
  const at = Math.min(place, found.length - 1);
  const current = found[at];

  useEffect(() => {
    list.current?.querySelector(`#${idOf(at)}`)?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const count = found.length;
  useEffect(() => {
    if (typed !== "") announce(count === 1 ? "1 found" : `${count} found`);
  }, [count, typed]);
  const run = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    chosen.current = entry.run;
    paletteSlot.close();
  };
  const pressed = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(current);
    } else if (step !== undefined && found.length > 0) {
      event.preventDefault();
      const next = at + step;
      const isAround = Math.abs(step) === 1;
      setPlace(isAround ? (next + found.length) % found.length : Math.min(Math.max(next, 0), found.length - 1));
    }
  };
  return (
    <Dialog
      title="Search or jump to"
      close={paletteSlot.close}
      width={600}
      isBare
      afterwards={() => chosen.current?.()}
    >
      <div className="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={current === undefined ? undefined : idOf(at)}
          aria-autocomplete="list"
          autoComplete="off"
          placeholder="Task, place, or what to do"
          dir="auto"
          maxLength={200}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setPlace(0);
          }}
          onKeyDown={pressed}
        />
      </div>
      <div className="palette-list" role="listbox" id="palette-list" aria-label="Found" ref={list}>
        {found.map((entry, index) => (
          <Option
            key={entry.id}
            entry={entry}
            index={index}
            isFirstOfGroup={entry.group !== found[index - 1]?.group}
            isCurrent={index === at}
            run={() => run(entry)}
            point={() => setPlace(index)}
          />
        ))}
      </div>
      {found.length === 0 ? <p className="hint p-4">Nothing is called so.</p> : null}
    </Dialog>
  );
}

interface OptionProps {
  readonly entry: PaletteEntry;
  readonly index: number;
  readonly isFirstOfGroup: boolean;
  readonly isCurrent: boolean;
  readonly run: () => void;
  readonly point: () => void;
}

function Option({ entry, index, isFirstOfGroup, isCurrent, run, point }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys of all options
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the option that is chosen
    <div
      role="option"
      id={idOf(index)}
      aria-selected={isCurrent}
      className={`palette-option ${isFirstOfGroup ? "is-first" : ""}`}
      onClick={run}
      onPointerMove={isCurrent ? undefined : point}
    >
      {entry.icon === null ? <span className="i" /> : <Icon name={entry.icon} />}
      <span className="cut" dir="auto">
        {entry.label}
      </span>
      {entry.hint === undefined ? null : (
        <span className="hint cut" dir="auto">
          {entry.hint}
        </span>
      )}
      <span className="group">{isFirstOfGroup ? entry.group : ""}</span>
    </div>
  );
}

function idOf(index: number): string {
  return `palette-${index}`;
}

/** Of the card that has the focus. */
function numberOf(focused: Element | null): number | null {
  const written = focused?.closest<HTMLElement>("[data-task-number]")?.dataset.taskNumber;
  return written === undefined ? null : Number(written);
}
