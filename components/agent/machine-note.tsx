"use client";
/** What the machine that runs agents can do, said plainly: how everything an agent starts ends, and whether it can be locked up. */
import { useQuery } from "@tanstack/react-query";
import { api } from "../api";

export function MachineNote() {
  const { data } = useQuery(api.runner.get.queryOptions({ staleTime: 60_000 }));
  if (data === undefined) return null;
  const { treeEnding, sandbox } = data;
  return (
    <p className="hint">
      {treeEnding === "cgroup"
        ? "When an agent ends, everything it started ends with it, in one step (control group)."
        : "When an agent ends, everything it started is looked for and ended; a process that sheds every trace can escape."}{" "}
      {sandbox.isAvailable
        ? "An agent with the setting sandbox: “bubblewrap” can write only in its worktree, and nothing it starts outlives it."
        : `No sandbox here: ${sandbox.problem}`}
    </p>
  );
}
