"use client";
/** Where one was, and where one is about to write. */
import { createContext, useContext, useSyncExternalStore } from "react";
import { createSlot } from "../ui/slot";
import { rememberedBoard } from "./board-cookie";

/** The last board as the page's request told it. */
export const LastBoard = createContext<string | null>(null);

/** The project one was last in. At first what the server drew with, so that both draw the same. */
export function useLastBoard(): string | null {
  const ofPage = useContext(LastBoard);
  return useSyncExternalStore(never, rememberedBoard, () => ofPage);
}

/** It changes only where another board is opened, and that draws everything again. */
function never(): () => void {
  return () => {};
}

/** The project for which a new task is being written. */
export const newTaskSlot = createSlot<string>();

let besideBoard: string | null = null;

/** Said before going to a task's address from somewhere that is no board: the board shall be there too. */
export function wishBesideBoard(address: string): void {
  besideBoard = address;
}

export function isWishedBesideBoard(address: string): boolean {
  return besideBoard === address;
}

/** The sheet of all keys is open. */
export const sheetSlot = createSlot<true>();

/** The palette is open; what is typed in it first. */
export const paletteSlot = createSlot<string>();
