/** Finding an entry of the palette by what is typed. Pure. */
import { plain } from "../board/filter";
import type { IconName } from "../ui/icon";

export interface PaletteEntry {
  /** One of each on the screen. */
  readonly id: string;
  readonly group: string;
  readonly icon: IconName | null;
  readonly label: string;
  readonly hint?: string;
  /** Other words it is found by. */
  readonly words?: string;
  /** Of the task it is about. */
  readonly number?: number;
  /** Only shown when something is typed: there may be hundreds of its kind. */
  readonly isOnlyFound?: boolean;
  readonly run: () => void;
}

/** As many as a person looks through. */
export const FOUND_MAX = 40;

/**
 * Those that have every typed word, the best first: the task with exactly this number, what begins with the text, where each
 * word begins a word, the others. Groups stay together, the one with the best first. Without text: what is always there.
 */
export function findEntries(entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries.filter(({ isOnlyFound }) => isOnlyFound !== true).slice(0, FOUND_MAX);
  const ranked = entries.flatMap((entry) => {
    const rank = rankOf(entry, words);
    return rank === null ? [] : [{ entry, rank }];
  });
  ranked.sort((one, other) => one.rank - other.rank);
  const groups = new Map<string, PaletteEntry[]>();
  for (const { entry } of ranked.slice(0, FOUND_MAX)) {
    const group = groups.get(entry.group);
    if (group === undefined) groups.set(entry.group, [entry]);
    else group.push(entry);
  }
  return [...groups.values()].flat();
}

function rankOf({ label, words = "", number }: PaletteEntry, typed: readonly string[]): number | null {
  const all = plain(`${label} ${words}`);
  const rest = typed.filter((word) => !isNumber(word, number));
  if (!rest.every((word) => !word.startsWith("#") && all.includes(word))) return null;
  if (rest.length < typed.length) return 0;
  if (plain(label).startsWith(typed.join(" "))) return 1;
  return typed.every((word) => ` ${all}`.includes(` ${word}`)) ? 2 : 3;
}

/** `12` and `#12` mean the task of this number. */
function isNumber(word: string, number: number | undefined): boolean {
  return number !== undefined && word.replace(/^#/, "") === String(number);
}
