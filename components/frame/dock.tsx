"use client";
/** On narrow screens the actions stand under the thumb. */
import { useCurrentProject } from "../project/use-projects";
import { Icon } from "../ui/icon";
import { newTaskSlot } from "./places";

export function Dock() {
  const project = useCurrentProject();
  if (project === null) return null;
  return (
    <div className="dock phone-only">
      <button type="button" className="btn ink grow" onClick={() => newTaskSlot.open(project.id)}>
        <Icon name="plus" />
        New task
      </button>
    </div>
  );
}
