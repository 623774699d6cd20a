"use client";
/** What can be done now with a task, as buttons in its head; while something is done, what it is and for how long. */
import { usePending } from "../board/pending";
import { isMerge } from "../board/review-moves";
import { Doing } from "../live/elapsed";
import { Icon } from "../ui/icon";
import { pressable } from "../ui/why-not";
import type { HeadEntries } from "./head-entries";

export function HeadActions({ taskId, entries }: { taskId: string; entries: HeadEntries["buttons"] }) {
  const pending = usePending(taskId);
  const lasting = pending?.doing == null ? null : { doing: pending.doing, since: pending.since };
  return (
    <>
      {lasting === null || entries.some(({ doing }) => doing === lasting.doing) ? null : (
        <span className="dim whitespace-nowrap">
          <Doing {...lasting} />
        </span>
      )}
      {entries.map((entry) => {
        const why = entry.why ?? null;
        return (
          <button
            key={entry.label}
            type="button"
            className={`btn sm ${(entry.label === "Dispatch" || isMerge(entry)) && why === null ? "ink" : ""}`}
            // Not disabled for as long as something is under way: it would lose the keyboard's focus.
            aria-disabled={pending !== null || undefined}
            title={entry.aside}
            {...pressable(why, () => pending === null && entry.run())}
          >
            {entry.icon === null ? null : <Icon name={entry.icon} small />}
            {lasting !== null && lasting.doing === entry.doing ? <Doing {...lasting} /> : entry.label}
          </button>
        );
      })}
    </>
  );
}
