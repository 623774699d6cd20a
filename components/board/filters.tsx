"use client";
/** The three looks at a board that are wanted most, and the way to every other filter. */
import { COLUMNS } from "@/server/core/words";
import { Icon, Mark } from "../ui/icon";
import { Kbd } from "../ui/kbd";
import type { BoardColumns } from "./columns";
import { type BoardFilter, isSameFilter, MINE, NEEDS_ME, NO_FILTER, passesFilter } from "./filter";
import { changeFilter, openFilter } from "./use-filter";

interface FiltersProps {
  readonly columns: BoardColumns;
  readonly meId: string;
  readonly filter: BoardFilter;
}

export function Filters({ columns, meId, filter }: FiltersProps) {
  const open = COLUMNS.filter((column) => column !== "done").flatMap((column) => columns[column]);
  const count = (of: BoardFilter) => open.filter((card) => passesFilter(card, of, meId)).length;
  const press = (of: BoardFilter) => ({ "aria-pressed": isSameFilter(filter, of), onClick: () => changeFilter(of) });
  const needs = count(NEEDS_ME);
  return (
    <>
      <fieldset className="seg wide-only" aria-label="Filter cards">
        <button type="button" {...press(NO_FILTER)}>
          All
        </button>
        <button type="button" {...press(MINE)}>
          Mine <span className="n">{count(MINE)}</span>
        </button>
        {needs > 0 || isSameFilter(filter, NEEDS_ME) ? (
          <button type="button" {...press(NEEDS_ME)}>
            <Mark name="asking" className="attn" />
            Needs you <span className="n">{needs}</span>
          </button>
        ) : null}
      </fieldset>
      <button
        type="button"
        className={`btn icon phone-filter phone-only ${isSameFilter(filter, NO_FILTER) ? "ghost" : ""}`}
        aria-label="Filter cards"
        onClick={() => openFilter()}
      >
        <Icon name="filter" />
      </button>
      <span className="rule wide-only" aria-hidden="true" />
      <div className="seg wide-only">
        <button type="button" onClick={() => openFilter()}>
          <Icon name="filter" small />
          Filter <Kbd>/</Kbd>
        </button>
      </div>
    </>
  );
}
