"use client";
/**
 * The row in which one looks for words: Enter goes on, with Shift back, Escape ends it. Past the last hit of what is loaded
 * it goes on in what is kept.
 */
import { type KeyboardEvent, useRef } from "react";
import { Icon } from "../ui/icon";
import { sizeOf } from "../ui/size";
import type { Find, Way } from "./use-find";
import type { BeyondFind } from "./use-kept-search";

interface FindBarProps {
  readonly find: Find;
  /** What is not loaded; left out where everything is. */
  readonly beyond?: BeyondFind;
  /** The row goes, and the keyboard's place with it. */
  readonly closed: () => void;
}

export function FindBar({ find, beyond, closed }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const go = (way: Way) => {
    const beyondWay = beyond === undefined ? null : wayBeyond(find, beyond, way);
    if (beyondWay === null) find.step(way);
    else beyond?.search(beyondWay);
  };
  const close = () => {
    find.close();
    closed();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
    if (event.key !== "Escape") return;
    // Otherwise the panel around it would close as well.
    event.preventDefault();
    close();
  };
  return (
    <search className="out-find">
      <span className="field">
        <Icon name="search" small />
        <input
          ref={field}
          aria-label="Words to find in the output"
          placeholder="Find in the shown output"
          // biome-ignore lint/a11y/noAutofocus: it was asked for by the press that opened it
          autoFocus
          value={find.words}
          onChange={(event) => find.look(event.target.value)}
          onKeyDown={pressed}
        />
        <span className="faint" role="status">
          {find.words === "" ? "" : foundOf(find)}
        </span>
      </span>
      <button type="button" className="btn sm ghost icon" aria-label="Previous hit" onClick={() => go(-1)}>
        <Icon name="up" small />
      </button>
      <button type="button" className="btn sm ghost icon" aria-label="Next hit" onClick={() => go(1)}>
        <Icon name="follow" small />
      </button>
      <button type="button" className="btn sm ghost icon" aria-label="Close the search" onClick={close}>
        <Icon name="x" small />
      </button>
      {beyond === undefined || find.words === "" ? null : (
        <Beyond beyond={beyond} pressed={() => field.current?.focus()} />
      )}
    </search>
  );
}

interface BeyondProps {
  readonly beyond: BeyondFind;
  /** A pressed button goes, and the keyboard's place with it. */
  readonly pressed: () => void;
}

function Beyond({ beyond, pressed }: BeyondProps) {
  const { lookedBytes, earlierBytes, hasLater } = beyond;
  const search = (way: Way) => {
    pressed();
    beyond.search(way);
  };
  const stop = () => {
    pressed();
    beyond.stop();
  };
  if (lookedBytes !== null) {
    return (
      <span className="out-beyond">
        <span className="faint" role="status">
          Searching: {sizeOf(lookedBytes)} looked through
        </span>
        <button type="button" className="btn sm" onClick={stop}>
          Stop
        </button>
      </span>
    );
  }
  if (earlierBytes === 0 && !hasLater) return null;
  return (
    <span className="out-beyond">
      {earlierBytes > 0 ? (
        <button type="button" className="btn sm" onClick={() => search(-1)}>
          Search the {sizeOf(earlierBytes)} before
        </button>
      ) : null}
      {hasLater ? (
        <button type="button" className="btn sm" onClick={() => search(1)}>
          Search what comes after
        </button>
      ) : null}
    </span>
  );
}

/** Where to look beyond what is loaded; null: the next hit is loaded, or there is nowhere else to look. */
function wayBeyond({ hits, place, sought }: Find, { earlierBytes, hasLater }: BeyondFind, way: Way): Way | null {
  if (sought === "" || (way < 0 ? place > 0 : place < hits.length - 1)) return null;
  const canGo = { before: earlierBytes > 0, after: hasLater };
  if (way < 0 ? canGo.before : canGo.after) return way;
  // With nothing found, either press looks wherever there is something to look through.
  if (hits.length > 0 || !(canGo.before || canGo.after)) return null;
  return way < 0 ? 1 : -1;
}

function foundOf({ hits, place }: Find): string {
  return hits.length === 0 ? "nothing" : `${place + 1} of ${hits.length}`;
}
