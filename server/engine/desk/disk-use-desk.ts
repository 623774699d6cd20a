/**
 * How much room projects take (R14). Measured when somebody looks and nobody did lately, one project after the other; who
 * looks meanwhile is shown the last figures with their age, and not kept waiting.
 */
import { iso } from "../../contract/common";
import type { ProjectDiskUse } from "../../contract/projects";
import { reasonOf } from "../../core/text/reason";
import type { ProjectId } from "../../core/words";
import type { Clock } from "../../ports/clock";
import type { DiskUse, Workspace } from "../../ports/workspace";
import { oneByOne, type UnderWay } from "../../system/one-by-one";

/** Figures stand for so long. */
const FRESH_MS = 600_000;
/** Small projects are measured within that time, and answered at once. */
const WAIT_MS = 1_000;
/** Projects whose figures are kept. */
const KEPT_PROJECTS = 1_000;

export interface DiskUseDeskParts {
  readonly workspace: Pick<Workspace, "diskUse">;
  readonly clock: Clock;
  readonly log: { warn(line: string): void };
  readonly waitMs?: number;
}

interface Measured {
  /** Null: it could not be measured. */
  readonly use: DiskUse | null;
  readonly at: number;
}

export type DiskUseDesk = ReturnType<typeof createDiskUseDesk>;

export function createDiskUseDesk({ workspace, clock, log, waitMs = WAIT_MS }: DiskUseDeskParts) {
  const last = new Map<ProjectId, Measured>();
  const measuring = new Map<ProjectId, Promise<void>>();
  const underWay: UnderWay = new Map();

  async function measure(id: ProjectId): Promise<void> {
    const use = await oneByOne(underWay, "disk", () => workspace.diskUse(id)).catch((error: unknown) => {
      log.warn(`the disk use of the project ${id} could not be measured: ${reasonOf(error)}`);
      return null;
    });
    last.delete(id); // the newest stand last
    last.set(id, { use, at: clock.now() });
    const oldest = last.keys().next();
    if (last.size > KEPT_PROJECTS && !oldest.done) last.delete(oldest.value);
    measuring.delete(id);
  }

  function begin(id: ProjectId): Promise<void> {
    const begun = measuring.get(id) ?? measure(id);
    measuring.set(id, begun);
    return begun;
  }

  return {
    async view(id: ProjectId): Promise<ProjectDiskUse> {
      const known = last.get(id);
      if (known === undefined || clock.now() - known.at > FRESH_MS) await soon(begin(id), waitMs);
      return viewOf(last.get(id), measuring.has(id));
    },
  };
}

/** When it is over, or after that time. */
async function soon(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

function viewOf(measured: Measured | undefined, isMeasuring: boolean): ProjectDiskUse {
  if (measured?.use == null) return { diskUse: null, isMeasuring };
  return { diskUse: { ...measured.use, measuredAt: iso(measured.at) }, isMeasuring };
}
