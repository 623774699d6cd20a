/** A merge here and a merge by hand, in words for people. */
import type { MergeOutlook } from "@/server/contract/tasks";

/** What whoever merges by hand is used to and a merge here does not do (W4); null: it is the same. */
export function leftOutOf({ passedOver }: MergeOutlook): string | null {
  const hooks = passedOver.filter((name) => name !== "commit.gpgSign");
  const parts = [
    hooks.length === 0 ? "" : `runs no hooks of the repository (${hooks.join(", ")})`,
    hooks.length === passedOver.length ? "" : "is not signed",
  ].filter(Boolean);
  return parts.length === 0 ? null : `A merge here ${parts.join(" and ")}.`;
}
