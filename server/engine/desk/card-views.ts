/**
 * Cards with the pool's snapshot laid over their rows. Rows and snapshot are read one after the other, so they can be of
 * different moments: what disagrees is read again, until one picture is whole (P13).
 */
import type { Task } from "../../contract/tasks";
import { PROMPT_PREVIEW_CHARS } from "../../contract/tasks";
import type { PoolSnapshot } from "../../core/pool/picture";
import { isLive, type ProjectId, type SessionId, type TaskId } from "../../core/words";
import type { SessionStore, StoredSession } from "../../ports/session-store";
import type { StoredCard, TaskStore } from "../../ports/task-store";
import type { BoardViews } from "../../ports/views";
import type { Pool } from "../pool";
import { taskView } from "./session-view";

/** Cards of one project on the board at most. */
const BOARD_CARDS_MAX = 2_000;
/** A commit is in the snapshot a moment after it is in the rows: so often, and so long, one waits for it. */
const AGREEMENT_TRIES = 20;
const AGREEMENT_PAUSE_MS = 5;

export interface CardViewParts {
  readonly pool: Pick<Pool, "snapshot">;
  readonly tasks: Pick<TaskStore, "card" | "cards">;
}

export function createBoardViews({ pool, tasks }: CardViewParts): BoardViews {
  async function views(projectId: ProjectId, which: Parameters<TaskStore["cards"]>[1]): Promise<Task[]> {
    const read = await tasks.cards(projectId, which, PROMPT_PREVIEW_CHARS);
    const again = (ids: readonly TaskId[]) => tasks.cards(projectId, { ids }, PROMPT_PREVIEW_CHARS);
    const { cards, snapshot } = await agreed(pool, read, again);
    return cards.map((card) => taskView(card, snapshot));
  }
  return {
    board: (projectId) => views(projectId, { after: null, limit: BOARD_CARDS_MAX }),
    cards: (projectId, ids) => views(projectId, { ids }),
  };
}

/** The cards and one snapshot that agree on what lives. Cards that are gone meanwhile are left out. */
export async function agreed(
  pool: Pick<Pool, "snapshot">,
  read: readonly StoredCard[],
  again: (ids: readonly TaskId[]) => Promise<StoredCard[]>,
): Promise<{ cards: StoredCard[]; snapshot: PoolSnapshot }> {
  const byId = new Map(read.map((card) => [card.task.id, card]));
  for (let attempt = 1; ; attempt += 1) {
    const snapshot = pool.snapshot();
    const late = [...byId.values()].filter((card) => !agrees(card, snapshot)).map((card) => card.task.id);
    if (late.length === 0 || attempt === AGREEMENT_TRIES) return { cards: [...byId.values()], snapshot };
    if (attempt > 1) await pause();
    const fresh = new Map((await again(late)).map((card) => [card.task.id, card]));
    for (const id of late) {
      const card = fresh.get(id);
      if (card) byId.set(id, card);
      else byId.delete(id);
    }
  }
}

/** The same for one session: its row says live as long as the snapshot does. */
export async function agreedSession(
  pool: Pick<Pool, "snapshot">,
  sessions: Pick<SessionStore, "session">,
  id: SessionId,
): Promise<{ row: StoredSession; snapshot: PoolSnapshot } | null> {
  for (let attempt = 1; ; attempt += 1) {
    const row = await sessions.session(id);
    if (row === null) return null;
    const snapshot = pool.snapshot();
    const isLate = snapshot.isReady && isLive(row.status) && snapshot.session(id) === undefined;
    if (!isLate || attempt === AGREEMENT_TRIES) return { row, snapshot };
    await pause();
  }
}

function agrees({ task, newest }: StoredCard, snapshot: PoolSnapshot): boolean {
  const live = snapshot.ofTask(task.id);
  if (live !== undefined) return live.id === newest?.id;
  return !snapshot.isReady || newest === null || !isLive(newest.status);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, AGREEMENT_PAUSE_MS));
}
