/** A project's cards in the browser: message in, next picture out. Pure; only moves forward, like the pool's picture. */
import type { BoardMessage } from "@/server/contract/live";
import type { Task } from "@/server/contract/tasks";
import { merged, type Step } from "./pool-state";

export interface BoardPicture {
  readonly projectId: string;
  /** Of the server that counts the versions; null for cards that came with the page, which any snapshot replaces. */
  readonly epoch: string | null;
  readonly version: number;
  readonly tasks: Readonly<Record<string, Task>>;
  /** The project was removed, or one may no longer see it. */
  readonly isClosed: boolean;
}

export function boardOf(projectId: string, tasks: readonly Task[]): BoardPicture {
  return { projectId, epoch: null, version: -1, tasks: byId(tasks), isClosed: false };
}

export function stepBoard(held: BoardPicture | undefined, message: BoardMessage): Step<BoardPicture> {
  if (message.kind === "closed") {
    const { projectId } = message;
    return { kind: "next", picture: { projectId, epoch: null, version: -1, tasks: {}, isClosed: true } };
  }
  if (message.kind === "snapshot") {
    const { projectId, epoch, version } = message;
    if (held?.epoch === epoch && version <= held.version) return { kind: "old" };
    return { kind: "next", picture: { projectId, epoch, version, tasks: byId(message.tasks), isClosed: false } };
  }
  if (held === undefined || held.epoch !== message.epoch) return { kind: "gap" };
  if (message.to <= held.version) return { kind: "old" };
  if (message.from > held.version) return { kind: "gap" };
  const tasks = merged(held.tasks, message.set.length === 0 ? undefined : byId(message.set), message.gone);
  return { kind: "next", picture: { ...held, version: message.to, tasks, isClosed: false } };
}

function byId(tasks: readonly Task[]): Record<string, Task> {
  return Object.fromEntries(tasks.map((task) => [task.id, task]));
}
