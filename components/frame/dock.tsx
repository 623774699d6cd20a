"use client";
/**
 * On narrow screens the actions stand under the thumb; whoever is needed is led to the question first. Whatever page it lies
 * over, it makes the room below it by itself.
 */
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { api } from "../api";
import { usePool } from "../live/live-provider";
import { useMe } from "../people/use-people";
import { useCurrentProject } from "../project/use-projects";
import { useOpenTask } from "../task/open-task";
import { Icon, Mark } from "../ui/icon";
import { newTaskSlot, paletteSlot, wishBesideBoard } from "./places";

export function Dock() {
  const project = useCurrentProject();
  if (project === null) return null;
  return (
    <>
      <div className="dock-room" aria-hidden="true" />
      <div className="dock phone-only">
        <button type="button" className="btn icon" aria-label="Search or jump to" onClick={() => paletteSlot.open("")}>
          <Icon name="search" />
        </button>
        <NeedsYou />
        <button type="button" className="btn ink grow" onClick={() => newTaskSlot.open(project.id)}>
          <Icon name="plus" />
          New task
        </button>
      </div>
    </>
  );
}

/** The session of mine that has been asking for longest, wherever it is. */
function NeedsYou() {
  const router = useRouter();
  const meId = useMe()?.id;
  const open = useOpenTask();
  const asking = Object.values(usePool()?.sessions ?? {})
    .filter(({ phase, userId }) => phase === "asking" && userId === meId)
    .sort((one, other) => ((one.startedAt ?? "") < (other.startedAt ?? "") ? -1 : 1))[0];
  const input = { id: asking?.taskId ?? "" };
  const { data: task } = useQuery(api.tasks.get.queryOptions({ input, enabled: asking !== undefined }));
  if (asking === undefined || task === undefined || task.number === open) return null;
  const address = `/projects/${task.projectId}/tasks/${task.number}`;
  const go = () => {
    wishBesideBoard(address);
    router.push(address);
  };
  return (
    <button type="button" className="btn grow" onClick={go}>
      <Mark name="asking" className="attn" />
      Answer #{task.number}
    </button>
  );
}
