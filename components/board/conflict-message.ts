/** What a merge that conflicts named, and what is sent to the agent to have it resolved (W4). */
import type { Refusal } from "../api";
import { filesOf } from "../confirming";
import { markedName } from "../diff/comment-message";

interface FileConflict {
  readonly file: string;
  /** In the server's words; null: it did not say. */
  readonly kind: string | null;
}

export function conflictsOf(refusal: Refusal): FileConflict[] {
  const { kinds } = refusal.details;
  return filesOf(refusal).map((file, at) => {
    const kind: unknown = Array.isArray(kinds) ? kinds[at] : null;
    return { file, kind: typeof kind === "string" ? kind : null };
  });
}

/** A single one stands in the sentence with its kind: it goes by the name alone, so that it is not said twice. */
export function itemsOf(conflicts: readonly FileConflict[]): string[] {
  return conflicts.map(({ file, kind }) => (conflicts.length === 1 ? file : withKind(file, kind)));
}

function withKind(name: string, kind: string | null): string {
  return kind === null ? name : `${name} (${kind})`;
}

export function toResolve(base: string, conflicts: readonly FileConflict[]): string {
  const list = conflicts.map(({ file, kind }) => `- ${withKind(markedName(file), kind)}`).join("\n");
  const where = conflicts.length === 0 ? "." : `:\n\n${list}`;
  return `Merging this branch into ${markedName(base)} conflicts${where}\n\nBring the branch up to date with ${markedName(base)} (merge it into the branch), resolve the conflicts so that what both sides wanted stays, and check that it works.`;
}

export function toFinish(files: readonly string[]): string {
  const list = files.map((file) => `- ${markedName(file)}`).join("\n");
  return `These files still have the marks of a conflict (lines of <<<<<<< and >>>>>>>):\n\n${list}\n\nResolve the conflicts so that what both sides wanted stays, take the marks out, and check that it works.`;
}
