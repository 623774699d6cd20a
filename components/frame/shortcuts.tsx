"use client";
/** Keys that work anywhere (B4), except while somebody types: the palette, the sheet of all keys, a new task. */
import { useEffect } from "react";
import { useCurrentProject } from "../project/use-projects";
import { hasModifier, isTyping, keyOf } from "./keys";
import { hasLetterKeys } from "./letter-keys";
import { newTaskSlot, paletteSlot, sheetSlot } from "./places";

export function Shortcuts() {
  const project = useCurrentProject();
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const key = keyOf(event).toLowerCase();
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (isCommand && key === "k") {
        event.preventDefault();
        if (document.querySelector("[role=dialog], [role=alertdialog]") === null) paletteSlot.open("");
        return;
      }
      if (hasModifier(event) || isTyping(event.target)) return;
      const typed = paletteSlot.held();
      if (typed !== null && key.length === 1) {
        // Its code is on its way: what is typed meanwhile is for its field.
        paletteSlot.open(typed + event.key);
        event.preventDefault();
        return;
      }
      if (!hasLetterKeys()) return;
      if (key === "?") sheetSlot.open(true);
      else if ((key === "c" || key === "n") && project !== null) newTaskSlot.open(project.id);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [project]);
  return null;
}
