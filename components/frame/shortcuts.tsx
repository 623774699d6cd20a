"use client";
/** Keys that work anywhere on the page, except while somebody types. */
import { useEffect } from "react";
import { useCurrentProject } from "../project/use-projects";
import { newTaskSlot } from "./places";

export function Shortcuts() {
  const project = useCurrentProject();
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key.toLowerCase() !== "c" || project === null) return;
      event.preventDefault();
      newTaskSlot.open(project.id);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [project]);
  return null;
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select, [role=dialog], [role=menu]") !== null;
}
