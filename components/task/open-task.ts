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
  /** Only shows it; for links, which go to the address by themselves. */
  show(number: number): void;
  open(number: number): void;
  close(): void;
}

export function useTaskOpener(projectId: string): TaskOpener {
  const from = useTaskInAddress();
  const router = useRouter();
  const board = `/projects/${projectId}`;
  const show = (to: number | null) => intents.open({ from, to });
  return {
    show,
    open: (number) => {
      show(number);
      router.push(`${board}/tasks/${number}`);
    },
    close: () => {
      show(null);
      router.push(board);
    },
  };
}

function useTaskInAddress(): number | null {
  const { number } = useParams<{ number?: string }>();
  return number === undefined ? null : Number(number);
}
