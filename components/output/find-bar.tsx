"use client";
/** The row in which one looks for words: Enter goes on, with Shift back, Escape ends it. */
import type { KeyboardEvent } from "react";
import { Icon } from "../ui/icon";
import { sizeOf } from "../ui/size";
import type { Find } from "./use-find";

interface FindBarProps {
  readonly find: Find;
  /** Earlier output that is not here, and so not looked through. */
  readonly unreadBytes?: number;
}

export function FindBar({ find, unreadBytes = 0 }: FindBarProps) {
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Enter") find.step(event.shiftKey ? -1 : 1);
    if (event.key !== "Escape") return;
    // Otherwise the panel around it would close as well.
    event.preventDefault();
    find.close();
  };
  return (
    <search className="out-find">
      <span className="field">
        <Icon name="search" small />
        <input
          aria-label="Words to find in the output"
          placeholder="Find in the shown output"
          // biome-ignore lint/a11y/noAutofocus: it was asked for by the press that opened it
          autoFocus
          value={find.words}
          onChange={(event) => find.look(event.target.value)}
          onKeyDown={pressed}
        />
        <span className="faint" role="status">
          {find.words === "" ? "" : `${foundOf(find)}${unreadBytes > 0 ? ` · ${sizeOf(unreadBytes)} not loaded` : ""}`}
        </span>
      </span>
      <button type="button" className="btn sm ghost icon" aria-label="Previous hit" onClick={() => find.step(-1)}>
        <Icon name="up" small />
      </button>
      <button type="button" className="btn sm ghost icon" aria-label="Next hit" onClick={() => find.step(1)}>
        <Icon name="follow" small />
      </button>
      <button type="button" className="btn sm ghost icon" aria-label="Close the search" onClick={find.close}>
        <Icon name="x" small />
      </button>
    </search>
  );
}

function foundOf({ hits, place }: Find): string {
  return hits.length === 0 ? "nothing" : `${place + 1} of ${hits.length}`;
}
