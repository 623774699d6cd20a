"use client";
/** The fields of the filter, how many cards it hides, and the way back to all of them. Fetched soon after the board. */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { COLUMNS } from "@/server/core/words";
import { useAgentNames } from "../agent/use-agents";
import { useMe, usePeople } from "../people/use-people";
import { Icon } from "../ui/icon";
import { useSlot } from "../ui/slot";
import type { BoardColumns } from "./columns";
import { agentOf, type BoardFilter, type FilterState, ME, NO_FILTER, STATES, TEXT_MAX, userOf } from "./filter";
import { changeFilter, filterSlot } from "./use-filter";

/** How long nothing is typed before the address follows, in milliseconds: browsers allow only some changes of it a second. */
const TYPED_MS = 200;

const STATE_WORDS: Readonly<Record<FilterState, string>> = {
  queued: "Queued",
  held: "Held",
  running: "Running",
  asking: "Needs somebody",
  succeeded: "Succeeded",
  failed: "Failed",
  cancelled: "Cancelled",
};

interface FilterFieldsProps {
  readonly projectId: string;
  readonly columns: BoardColumns;
  readonly shown: BoardColumns;
  readonly filter: BoardFilter;
}

export function FilterFields({ projectId, columns, shown, filter }: FilterFieldsProps) {
  const { nameOf } = usePeople();
  const meId = useMe()?.id;
  const agentName = useAgentNames(projectId);
  const all = COLUMNS.flatMap((column) => columns[column]);
  const left = COLUMNS.reduce((sum, column) => sum + shown[column].length, 0);
  const people = known(all.map(userOf)).filter((id) => id !== meId);
  const agents = known(all.map(agentOf));
  const clear = () => {
    changeFilter(NO_FILTER);
    filterSlot.close();
  };
  return (
    <>
      <TextField filter={filter} leave={clear} />
      <Choice
        label="Person"
        every="Everybody"
        value={filter.person}
        choose={(person) => changeFilter({ ...filter, person })}
      >
        {[[ME, "Me"] as const, ...people.map((id) => [id, nameOf(id)] as const)]}
      </Choice>
      <Choice
        label="Agent"
        every="All agents"
        value={filter.agent}
        choose={(agent) => changeFilter({ ...filter, agent })}
      >
        {agents.map((id) => [id, agentName(id)] as const)}
      </Choice>
      <Choice
        label="State"
        every="All states"
        value={filter.state}
        choose={(state) => changeFilter({ ...filter, state: STATES.find((one) => one === state) ?? "" })}
      >
        {STATES.map((state) => [state, STATE_WORDS[state]] as const)}
      </Choice>
      <button type="button" className="btn sm" onClick={clear}>
        Clear
      </button>
      <span className="dim text-12" role="status">
        {hiddenSentence(all.length, left)}
      </span>
    </>
  );
}

function hiddenSentence(all: number, left: number): string {
  if (left === all) return all === 1 ? "The one card is shown" : `All ${all} cards are shown`;
  const hidden = all - left;
  if (left === 0) return `No card passes the filter · ${hidden} hidden`;
  return `${left} of ${all} cards · ${hidden} hidden`;
}

function known(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== null).sort();
}

/** What is typed is the field's own until the address has it; what the address says otherwise (the back button) counts. */
function TextField({ filter, leave }: { filter: BoardFilter; leave: () => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  if (typed === filter.text) setTyped(null);
  const field = useRef<HTMLInputElement>(null);
  const wanted = useSlot(filterSlot);
  useEffect(() => {
    if (wanted !== null) field.current?.focus();
  }, [wanted]);
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => changeFilter({ ...filter, text: typed }), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed, filter]);
  /** The text whose cards shall take the focus as soon as they are shown. */
  const goal = useRef<string | null>(null);
  useEffect(() => {
    if (goal.current !== filter.text) return;
    goal.current = null;
    focusFirstCard();
  }, [filter]);
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      leave();
      focusFirstCard();
    } else if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      if (typed === null) return focusFirstCard();
      goal.current = typed;
      changeFilter({ ...filter, text: typed });
    }
  };
  return (
    <span className="field">
      <Icon name="search" small />
      <input
        ref={field}
        type="text"
        inputMode="search"
        aria-label="Text in title or prompt, or #number"
        placeholder="Text or #number"
        dir="auto"
        maxLength={TEXT_MAX}
        value={typed ?? filter.text}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={pressed}
      />
    </span>
  );
}

function focusFirstCard(): void {
  document.querySelector<HTMLElement>(".board [data-task-id]")?.focus();
}

interface ChoiceProps {
  readonly label: string;
  readonly every: string;
  readonly value: string;
  readonly choose: (value: string) => void;
  readonly children: readonly (readonly [string, string])[];
}

function Choice({ label, every, value, choose, children }: ChoiceProps) {
  // What a link names and no card of the board has stays chosen, so that it can be seen and taken back.
  const isKnown = value === "" || children.some(([id]) => id === value);
  return (
    <span className="field">
      <select aria-label={label} value={value} onChange={(event) => choose(event.target.value)}>
        <option value="">{every}</option>
        {children.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {isKnown ? null : <option value={value}>Not on this board</option>}
      </select>
    </span>
  );
}
