/**
 * Making a card, once per `Idempotency-Key`. No row keeps the key: the task's id is made from the person, the project and
 * the key, so whoever asks again comes to the same row, from whichever server, and nobody else can come to it.
 */
import { createHash } from "node:crypto";
import type { AgentId, ProjectId, TaskId, UserId } from "../../core/words";
import type { AgentStore } from "../../ports/agent-store";
import type { Clock } from "../../ports/clock";
import type { StoredTask, TaskStore } from "../../ports/task-store";
import { agentNamed } from "./agent-desk";
import { NOT_THERE, type Refusal, refuse } from "./refusal";

export interface NewTaskWish {
  readonly title: string;
  readonly prompt: string;
  /** Undefined: the agent everybody gets; null: chosen when it is dispatched. */
  readonly agentId?: AgentId | null | undefined;
}

export interface NewTaskParts {
  readonly tasks: Pick<TaskStore, "card" | "create">;
  readonly agents: Pick<AgentStore, "agent" | "defaultFor">;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** `existing`: a call with the same key made it before. */
type Made = { readonly kind: "made"; readonly id: TaskId; readonly existing: boolean };

export async function makeTask(
  parts: NewTaskParts,
  userId: UserId,
  projectId: ProjectId,
  wish: NewTaskWish,
  key: string | null,
): Promise<Made | Refusal> {
  if (key === null) return (await insert(parts, parts.newId(), userId, projectId, wish)) ?? NOT_THERE;
  const id = keyedId(userId, projectId, key);
  const known = await knownTask(parts, id, wish);
  if (known !== null) return known;
  try {
    const made = await insert(parts, id, userId, projectId, wish);
    // Known by now: the same was asked in the same moment. Neither: the project is gone, or the task was deleted.
    return made ?? (await knownTask(parts, id, wish)) ?? NOT_THERE;
  } catch (error) {
    const meanwhile = await knownTask(parts, id, wish);
    if (meanwhile === null) throw error;
    return meanwhile;
  }
}

async function insert(
  parts: NewTaskParts,
  id: TaskId,
  userId: UserId,
  projectId: ProjectId,
  { title, prompt, agentId: wished }: NewTaskWish,
): Promise<Made | Refusal | null> {
  const agentId = await chosenAgent(parts, projectId, wished);
  if (typeof agentId === "object" && agentId !== null) return agentId;
  const row = { id, projectId, title, prompt, agentId, createdBy: userId, at: parts.clock.now() };
  return (await parts.tasks.create(row)) ? { kind: "made", id, existing: false } : null;
}

async function knownTask({ tasks }: NewTaskParts, id: TaskId, wish: NewTaskWish): Promise<Made | Refusal | null> {
  const card = await tasks.card(id);
  if (card === null) return null;
  if (isOtherWish(card.task, wish)) {
    return refuse("KEY_REUSED", "This Idempotency-Key was used for a task with another title, prompt or agent.");
  }
  return { kind: "made", id, existing: true };
}

/** A task that was changed since says no more what was asked for. */
function isOtherWish(task: StoredTask, { title, prompt, agentId }: NewTaskWish): boolean {
  if (task.updatedAt !== task.createdAt) return false;
  return task.title !== title || task.prompt !== prompt || (agentId !== undefined && task.agentId !== agentId);
}

/** In the form of the other ids (RFC 9562, version 8). */
function keyedId(userId: UserId, projectId: ProjectId, key: string): TaskId {
  const digest = createHash("sha256")
    .update(JSON.stringify(["task", userId, projectId, key]))
    .digest()
    .subarray(0, 16);
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  return digest.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

async function chosenAgent(
  { agents }: NewTaskParts,
  projectId: ProjectId,
  wished: AgentId | null | undefined,
): Promise<AgentId | null | Refusal> {
  if (wished === null) return null;
  if (wished === undefined) return (await agents.defaultFor(projectId))?.id ?? null;
  const agent = await agentNamed(agents, projectId, wished);
  return agent.kind === "refused" ? agent : agent.id;
}
