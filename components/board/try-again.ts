"use client";
/** "Try again" (A8): whoever may dispatch may say that an agent or a repository can be used once more. */
import type { PoolSession } from "@/server/contract/pool";
import type { Task } from "@/server/contract/tasks";
import { client } from "../api";
import { toast } from "../ui/toast";
import { attempt } from "./card-actions";

/** Null: nothing of the kind holds it, or it is not known yet what does. */
export function againFor(live: PoolSession | null, liveId: string | null, task: Task | undefined) {
  if (live === null || task === undefined) return null;
  const send = senderFor(live, liveId, task);
  if (send === null) return null;
  return () =>
    attempt(task, async () => {
      await send();
      toast({ icon: "retry", text: `#${task.number} waits for its turn again, and the others that were held with it` });
    });
}

function senderFor({ waitingFor }: PoolSession, liveId: string | null, { session, projectId }: Task) {
  switch (waitingFor?.reason) {
    case "agent-unusable":
      if (session === null || session.id !== liveId) return null;
      return () => client.agents.tryAgain({ id: session.agentId });
    case "repository-unusable":
      return () => client.projects.tryAgain({ id: projectId });
    default:
      return null;
  }
}
