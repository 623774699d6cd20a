"use client";
/** Which tab of a task is chosen. The address has it behind `#`, so that a link, a new tab and a reload show the same. */
import { useEffect, useState } from "react";
import { useTaskInAddress } from "./open-task";

const TABS = ["waiting", "output", "terminal", "diff", "pull-request", "prompt"] as const;
export type TabId = (typeof TABS)[number];

export interface ChosenTab {
  /** Null: whichever comes first. */
  readonly choice: TabId | null;
  /** By news, or by touching what is shown; the address stays. */
  readonly setChoice: (tab: TabId | null) => void;
  /** By somebody who pressed it. */
  readonly choose: (tab: TabId) => void;
}

/** Of the task with this number. */
export function useTab(number: number): ChosenTab {
  const [choice, setChoice] = useState<TabId | null>(null);
  const [pressed, setPressed] = useState<TabId | null>(null);
  // A task is shown before the address says so; until then what stands behind `#` is another one's, and writing there
  // would end the journey to this one.
  const isInAddress = useTaskInAddress() === number;
  // biome-ignore lint/correctness/useExhaustiveDependencies: afterwards, as the server does not know it, and once
  useEffect(() => {
    if (isInAddress) setChoice(TABS.find((tab) => globalThis.location.hash === `#${tab}`) ?? null);
  }, []);
  useEffect(() => {
    if (isInAddress && pressed !== null) globalThis.history.replaceState(null, "", `#${pressed}`);
  }, [isInAddress, pressed]);
  const choose = (tab: TabId) => {
    setChoice(tab);
    setPressed(tab);
  };
  return { choice, setChoice, choose };
}
