/**
 * Where a task is drawn: beside its live board when it was opened from there, else as a page of its own. Both have the same
 * address, so a link, a new tab and a reload give the page, and "back" leads to where one was.
 */
import { createContext } from "react";
import type { Task } from "@/server/contract/tasks";

interface Place {
  readonly isBesideBoard: boolean;
  /** From the panel to the page, without leaving the address. */
  readonly expand: () => void;
  /** Cards that came with the page. */
  readonly first: readonly Task[] | undefined;
}

export const TaskPlace = createContext<Place>({ isBesideBoard: false, expand: () => {}, first: undefined });
