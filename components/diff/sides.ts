/**
 * A patch's lines side by side: what was removed stands beside what was added in its place. Pure; every line is there once,
 * unchanged ones on both sides.
 */
import type { ContentLine, PatchLine } from "./patch";

export type SideRow =
  | { readonly kind: "full"; readonly line: Extract<PatchLine, { kind: "head" | "remark" }> }
  | { readonly kind: "pair"; readonly old: ContentLine | null; readonly new: ContentLine | null };

export function sideBySide(lines: readonly PatchLine[]): SideRow[] {
  const rows: SideRow[] = [];
  let removed: ContentLine[] = [];
  let added: ContentLine[] = [];
  let remarks: SideRow[] = [];
  const finish = () => {
    for (let place = 0; place < Math.max(removed.length, added.length); place++) {
      rows.push({ kind: "pair", old: removed[place] ?? null, new: added[place] ?? null });
    }
    rows.push(...remarks);
    [removed, added, remarks] = [[], [], []];
  };
  for (const line of lines) {
    if (line.kind === "removed") {
      if (added.length > 0) finish();
      removed.push(line);
    } else if (line.kind === "added") added.push(line);
    // It belongs to the line before it and must not part what was removed from what came in its place.
    else if (line.kind === "remark") remarks.push({ kind: "full", line });
    else {
      finish();
      rows.push(line.kind === "head" ? { kind: "full", line } : { kind: "pair", old: line, new: line });
    }
  }
  finish();
  return rows;
}
