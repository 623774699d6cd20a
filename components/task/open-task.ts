"use client";
/**
 * Which task is open beside the board. The address says so; but a person who opens or closes one sees it at once, before
 * the address has followed: on a busy board on a slow machine that may take seconds.
 */
import { useParams, useRouter } from "next/navigation";
import { useEffect } from "react";
import { createSlot, useSlot } from "../ui/slot";

/** What was asked for while the address said `from`; as soon as the address says something else, it counts alone. */
interface Intent {
  readonly from: number | null;
  readonly to: number | null;
}

const intents = createSlot<Intent>();

/**
 * The tasks that were looked at over the board in the one entry of the browser's history that opening the first of them
 * made. The address may still say any of them.
 */
let ownEntry: ReadonlySet<number> = new Set();
/** What the address said behind its path at that time: the board's filter. */
let ownSearch = "";

/** Null: none. */
export function useOpenTask(): number | null {
  const inAddress = useTaskInAddress();
  const intent = useSlot(intents);
  return intent !== null && intent.from === inAddress ? intent.to : inAddress;
}

/** To be used once, by whoever shows the board: forgets what was asked for when it has come, or when the board goes. */
export function useForgottenIntents(): void {
  const inAddress = useTaskInAddress();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is what it waits for
  useEffect(() => () => intents.close(), [inAddress]);
}

export interface TaskOpener {
  open(number: number): void;
  close(): void;
}

export function useTaskOpener(projectId: string): TaskOpener {
  const from = useTaskInAddress();
  const router = useRouter();
  const board = `/projects/${projectId}`;
  const show = (to: number) => {
    // One step back leads to the board, whichever tasks were looked at in between.
    if (from === null) {
      ownEntry = new Set([to]);
      ownSearch = globalThis.location.search;
    } else if (ownEntry.has(from)) ownEntry = new Set([...ownEntry, to]);
    intents.open({ from, to });
  };
  return {
    open: (number) => {
      show(number);
      const address = `${board}/tasks/${number}${globalThis.location.search}`;
      // A task that stands in for another one takes its place in the history.
      if (from === null) router.push(address);
      else router.replace(address);
    },
    close: () => {
      intents.open({ from, to: null });
      // Closing is no new place: what was added to the history is taken back, and "back" does not open it again. Where
      // the filter was changed meanwhile, the board with the new one is a new place.
      const { search } = globalThis.location;
      const isOwn = from !== null && ownEntry.has(from) && search === ownSearch;
      ownEntry = new Set();
      if (isOwn) router.back();
      else router.replace(board + search);
    },
  };
}

/** What the address itself says, which may lag behind what is shown. Null: none. */
export function useTaskInAddress(): number | null {
  const { number } = useParams<{ number?: string }>();
  return number === undefined ? null : Number(number);
}
