/**
 * Cards: made, changed, moved, removed, looked at. What a card's column is and which moves are allowed is decided in
 * `core/task/board.ts`; here rows are read, the core is asked, rows are written, and open boards are told (P11).
 */
import { isLive, type ProjectId, type SessionId, type TaskId, type UserId, WORKTREE_GONE } from "../../core/words";
import type { AgentStore } from "../../ports/agent-store";
import type { Clock } from "../../ports/clock";
import type { Feed } from "../../ports/feed";
import type { ProjectStore } from "../../ports/project-store";
import type { SessionStore } from "../../ports/session-store";
import type { StoredCard, TaskStore } from "../../ports/task-store";
import type { MergeOutlook, Workspace } from "../../ports/workspace";
import type { Pool } from "../pool";
import { agentNamed } from "./agent-desk";
import { agreed, agreedSession } from "./card-views";
import { cancelAll } from "./ending-sessions";
import { makeTask, type NewTaskWish } from "./new-task";
import { NOT_THERE, type Refusal, refuse } from "./refusal";
import type { SessionDesk } from "./session-desk";
import { sessionView, taskView } from "./session-view";
import { createMover, type SeenTask } from "./task-moves";

/** Cards, or sessions of one card, in one answer. */
const CARDS_PAGE = 500;
const SESSIONS_PAGE = 100;

export interface TaskDeskParts {
  readonly tasks: TaskStore;
  readonly sessions: Pick<SessionStore, "ofTask" | "session">;
  readonly projects: Pick<ProjectStore, "project">;
  readonly agents: Pick<AgentStore, "agent" | "defaultFor">;
  readonly workspace: Pick<Workspace, "diff" | "inspect" | "mergeOutlook">;
  readonly pool: Pick<Pool, "snapshot" | "cancel" | "reorder">;
  readonly dispatch: SessionDesk["dispatch"];
  readonly feed: Feed;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Letters of a prompt in lists. */
  readonly promptPreviewChars: number;
}

export type TaskDesk = ReturnType<typeof createTaskDesk>;

export function createTaskDesk(parts: TaskDeskParts) {
  const { tasks, pool, feed, clock } = parts;

  async function seen(id: TaskId): Promise<SeenTask | Refusal> {
    const read = async () => {
      const card = await tasks.card(id);
      return card ? [card] : [];
    };
    const { cards, snapshot } = await agreed(pool, await read(), read);
    const [card] = cards;
    return card ? { kind: "task", task: taskView(card, snapshot), snapshot } : NOT_THERE;
  }

  const mover = createMover({ ...parts, seen });

  return {
    task: seen,
    move: mover.move,
    async list(projectId: ProjectId, after: TaskId | null) {
      const { promptPreviewChars } = parts;
      const page = await tasks.cards(projectId, { after, limit: CARDS_PAGE }, promptPreviewChars);
      const again = (ids: readonly TaskId[]) => tasks.cards(projectId, { ids }, promptPreviewChars);
      const { cards, snapshot } = await agreed(pool, page, again);
      const next = page.length === CARDS_PAGE ? (page.at(-1)?.task.id ?? null) : null;
      return { items: cards.map((card) => taskView(card, snapshot)), next, snapshot };
    },
    /** `key`: asked again with the same one, it answers the same task instead of making another. */
    async create(
      userId: UserId,
      projectId: ProjectId,
      wish: NewTaskWish,
      key: string | null,
    ): Promise<(SeenTask & { readonly existing: boolean }) | Refusal> {
      const made = await makeTask(parts, userId, projectId, wish, key);
      if (made.kind === "refused") return made;
      if (!made.existing) feed.tasksChanged(projectId, [made.id]);
      const task = await seen(made.id);
      return task.kind === "refused" ? task : { ...task, existing: made.existing };
    },
    async change(id: TaskId, change: Partial<NewTaskWish>): Promise<SeenTask | Refusal> {
      const card = await tasks.card(id);
      if (card === null) return NOT_THERE;
      if (typeof change.agentId === "string") {
        const agent = await agentNamed(parts.agents, card.task.projectId, change.agentId);
        if (agent.kind === "refused") return agent;
      }
      await tasks.change(id, change, clock.now());
      feed.tasksChanged(card.task.projectId, [id]);
      return seen(id);
    },
    /** The branch stays, whatever happens to the card (W2). */
    async remove(userId: UserId, id: TaskId, isConfirmed: boolean): Promise<Refusal | null> {
      const card = await tasks.card(id);
      if (card === null) return NOT_THERE;
      const asked = isConfirmed ? null : askBeforeRemoving(card, pool.snapshot().ofTask(id)?.status);
      if (asked !== null) return asked;
      await tasks.remove(id, clock.now());
      // Removed first: nobody can dispatch it any more, so what lives now is all there is (BRD-3).
      const live = (await parts.sessions.ofTask(id, null, 1)).filter((session) => isLive(session.status));
      await cancelAll(pool, live, userId);
      feed.tasksGone(card.task.projectId, [id]);
      return null;
    },
    async sessions(id: TaskId, after: SessionId | null) {
      const rows = await parts.sessions.ofTask(id, after, SESSIONS_PAGE);
      const newest = rows[0] && (await agreedSession(pool, parts.sessions, rows[0].id));
      const snapshot = newest?.snapshot ?? pool.snapshot();
      if (newest) rows[0] = newest.row;
      const next = rows.length === SESSIONS_PAGE ? (rows.at(-1)?.id ?? null) : null;
      return { items: rows.map((row) => sessionView(row, snapshot)), next, snapshot };
    },
    /** `path`: only this file, longer than among all of them. */
    diff: (id: TaskId, file?: string) => diffOf(parts, id, file),
    /** As if both were gone where there is no branch yet. */
    async mergeOutlook(id: TaskId): Promise<({ readonly kind: "outlook" } & MergeOutlook) | Refusal> {
      const card = await tasks.card(id);
      const project = card && (await parts.projects.project(card.task.projectId));
      if (!card || !project) return NOT_THERE;
      const { branch } = card.task;
      const { path: repository, baseBranch } = project;
      if (branch === null) return { kind: "outlook", behind: null, passedOver: [] };
      return { kind: "outlook", ...(await parts.workspace.mergeOutlook({ repository, baseBranch, branch })) };
    },
  };
}

async function diffOf({ tasks, projects, workspace }: TaskDeskParts, id: TaskId, file: string | undefined) {
  const card = await tasks.card(id);
  const project = card && (await projects.project(card.task.projectId));
  if (!card || !project) return NOT_THERE;
  const { branch, worktree, baseCommit } = card.task;
  const { baseBranch, path: repository } = project;
  if (branch === null || baseCommit === null) return { kind: "diff" as const, branch, baseBranch, files: [] };
  try {
    const files = await workspace.diff({
      repository,
      worktree,
      branch,
      baseCommit,
      baseBranch,
      ...(file === undefined ? {} : { file }),
    });
    return { kind: "diff" as const, branch, baseBranch, files };
  } catch (error) {
    const facts = await workspace.inspect(repository);
    if (facts.kind === "refused") return refuse("REPOSITORY_UNUSABLE", facts.message);
    throw error;
  }
}

function askBeforeRemoving({ newest }: StoredCard, live: "queued" | "running" | undefined): Refusal | null {
  const session = newest ? { sessionId: newest.id } : {};
  if (live === "running") {
    return refuse("CONFIRM", "An agent works on it: deleting the task stops it. The branch is kept.", {
      ...session,
      stops: "running",
    });
  }
  if (live === "queued") {
    return refuse("CONFIRM", "It waits in line: deleting the task withdraws it.", { ...session, stops: "waiting" });
  }
  const unsaved = newest?.leftOut ?? [];
  if (newest?.workUnsaved === WORKTREE_GONE && unsaved.length === 0) return null;
  if (!newest?.workUnsaved && unsaved.length === 0) return null;
  const files = unsaved.length === 1 ? "1 file" : `${unsaved.length} files`;
  const what = newest?.workUnsaved
    ? "The last session's work could not be saved"
    : `${files} of the last session ${unsaved.length === 1 ? "was" : "were"} not committed`;
  return refuse("CONFIRM", `${what}: deleting the task loses sight of it.`, {
    ...session,
    workUnsaved: newest?.workUnsaved ?? null,
    unsaved,
  });
}
