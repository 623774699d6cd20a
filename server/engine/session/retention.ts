/**
 * Makes room (R14): output that was kept long enough, the run folders it lies in, worktrees of tasks that are done, and the
 * pool's history. Rows say first that something is removed, then it is removed: whoever reads meanwhile is told, and what a
 * crash left is found again. Never touches what lives, nor what rows do not know: it may belong to somebody else.
 */
import { reasonOf } from "../../core/text/reason";
import type { AttemptRef } from "../../core/words";
import type { Clock } from "../../ports/clock";
import type { PoolHistoryStore } from "../../ports/pool-history";
import type { RetentionStore } from "../../ports/retention-store";
import type { Runner } from "../../ports/runner";
import type { SettingsStore } from "../../ports/settings-store";
import type { Workspace } from "../../ports/workspace";
import { type Sweeps, startSweeps } from "./sweeps";

const SWEEP_EVERY_MS = 600_000;
const DAY_MS = 86_400_000;
/** How long the pool's history is kept (P22). */
const HISTORY_MS = 7 * DAY_MS;
/** Rows in one statement. */
const PAGE = 500;

export interface RetentionParts {
  readonly store: RetentionStore;
  readonly history: Pick<PoolHistoryStore, "forget">;
  readonly settings: Pick<SettingsStore, "read">;
  readonly runner: Pick<Runner, "list" | "forget">;
  readonly workspace: Pick<Workspace, "tidy">;
  readonly clock: Clock;
  readonly log: { info(line: string): void; warn(line: string): void };
  readonly sweepEveryMs?: number;
}

/** A round never rejects: what fails is tried in the next one. */
export type Retention = Sweeps<void>;

/** Begins at once. */
export function startRetention(parts: RetentionParts): Retention {
  const { log } = parts;
  const leaving = new AbortController();

  const attempt = async (what: string, step: (signal: AbortSignal) => Promise<void>) => {
    if (leaving.signal.aborted) return;
    await step(leaving.signal).catch((error: unknown) => log.warn(`${what}: ${reasonOf(error)}`));
  };
  const sweepOnce = async () => {
    await attempt("old output could not be marked", () => markOutput(parts));
    await attempt("old output could not be removed", (signal) => removeFolders(parts, signal));
    await attempt("the pool's old history could not be removed", () =>
      parts.history.forget(parts.clock.now() - HISTORY_MS),
    );
    await attempt("worktrees could not be tidied", (signal) => tidyWorktrees(parts, signal));
  };
  const sweeps = startSweeps(sweepOnce, parts.sweepEveryMs ?? SWEEP_EVERY_MS);
  return {
    ...sweeps,
    stop() {
      leaving.abort();
      return sweeps.stop();
    },
  };
}

async function markOutput({ store, settings, clock, log }: RetentionParts): Promise<void> {
  const { outputDays, outputMaxBytes } = await settings.read();
  const which = { before: clock.now() - outputDays * DAY_MS, mostBytes: outputMaxBytes, limit: PAGE };
  let total = 0;
  for (let marked = PAGE; marked === PAGE; total += marked) marked = await store.markRemoved(which);
  if (total > 0) log.info(`the output of ${total} sessions was kept long enough and is removed`);
}

async function removeFolders({ store, runner, log }: RetentionParts, signal: AbortSignal): Promise<void> {
  const runs = await runner.list();
  for (let from = 0; from < runs.length; from += PAGE) {
    const page = runs.slice(from, from + PAGE);
    const removed = await store.removedOf([...new Set(page.map(({ sessionId }) => sessionId))]);
    for (const run of page.filter(({ sessionId }) => removed.has(sessionId))) {
      if (signal.aborted) return;
      // A host that still clears up is not disturbed: the next sweep finds its folder again.
      await runner.forget(run).catch((error: unknown) => log.warn(`${nameOf(run)} stays: ${reasonOf(error)}`));
    }
  }
}

async function tidyWorktrees({ store, workspace, log }: RetentionParts, signal: AbortSignal): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const page = await store.idleWorktrees(after, PAGE);
    for (const { taskId, repository, worktree } of page) {
      if (signal.aborted) return;
      const mayGo = () => store.isIdle(taskId);
      const isGone = await workspace.tidy({ repository, worktree, mayGo }).catch((error: unknown) => {
        log.warn(`the worktree ${worktree} stays: ${reasonOf(error)}`);
        return false;
      });
      if (isGone) await store.worktreeGone(taskId, worktree);
    }
    after = page.at(-1)?.taskId ?? null;
    if (page.length < PAGE) return;
  }
}

function nameOf({ sessionId, attempt }: AttemptRef): string {
  return `the run ${sessionId}.${attempt}`;
}
