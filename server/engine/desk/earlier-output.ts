/**
 * The output before an offset, for who reads backwards (LOG-3). Where the hole of a long output lies before it, the answer is
 * what was kept before the hole, and the line that stands for it: so a reader comes over the hole in one step.
 */
import type { AttemptRef } from "../../core/words";
import type { OutputExtent, Runner } from "../../ports/runner";

/** While an agent writes fast, the hole grows under who reads at its edge: so often is looked again. */
const TRIES = 3;

export interface EarlierOutput {
  readonly bytes: Uint8Array;
  /** Where they begin. */
  readonly offset: number;
  /** `before`, or the end of the output if that comes first. */
  readonly next: number;
}

/** At most `limit` bytes that end at `before`. */
export async function readBefore(
  runner: Pick<Runner, "read" | "extent">,
  run: AttemptRef,
  before: number,
  limit: number,
): Promise<EarlierOutput> {
  for (let tries = 1; ; tries++) {
    const extent = await runner.extent(run);
    const next = Math.min(before, extent.end);
    const { from, to, hasLine } = pieceBefore(next, limit, extent);
    const piece = await runner.read(run, from, to - from);
    if (piece.next !== to && tries < TRIES) continue;
    if (!hasLine) return { bytes: piece.bytes, offset: from, next };
    const line = await runner.read(run, to, 0);
    return { bytes: Buffer.concat([piece.bytes, line.bytes]), offset: from, next };
  }
}

/** `hasLine`: the line that stands for the hole comes behind it. */
function pieceBefore(next: number, limit: number, { hole }: OutputExtent) {
  if (hole === null || next <= hole.from) return { from: Math.max(0, next - limit), to: next, hasLine: false };
  if (next > hole.to) return { from: Math.max(hole.to, next - limit), to: next, hasLine: false };
  return { from: Math.max(0, hole.from - limit), to: hole.from, hasLine: true };
}
