import { expect, test } from "vitest";
import { WORKTREE_GONE } from "@/server/core/words";
import { sampleSession } from "../board/sample";
import { adviceFor } from "./advice";

test("[B7] a failure is told in the server's words: its sentence, and what to do next", () => {
  const failure = { kind: "timed-out", sentence: "Stopped after 2 h.", next: "Raise the longest run." } as const;
  expect(adviceFor(sampleSession({ status: "failed", failure }), null)).toMatchObject({
    sentence: "Stopped after 2 h.",
    next: "Raise the longest run.",
  });
});

test("[B7] what is live has no outcome yet; what was stopped says by whom; what only waited says so", () => {
  expect(adviceFor(sampleSession({ status: "queued" }), null)).toBeNull();
  expect(adviceFor(sampleSession({ status: "running" }), null)).toBeNull();
  const stopped = sampleSession({ status: "cancelled", startedAt: "2026-01-01T12:00:00.000Z" });
  expect(adviceFor(stopped, "Mira")?.sentence).toBe("It was stopped by Mira.");
  const failure = { kind: "stopped", sentence: "Stopped by whoever runs the server.", next: "Retry." } as const;
  expect(adviceFor({ ...stopped, failure }, null)?.sentence).toBe("Stopped by whoever runs the server.");
  expect(adviceFor(sampleSession({ status: "cancelled" }), "Mira")?.sentence).toBe(
    "It left the line before it started.",
  );
});

test("[B7][W2] what is not on the branch is told plainly, whatever the ending", () => {
  for (const status of ["succeeded", "failed", "cancelled"] as const) {
    const session = sampleSession({ status, workUnsaved: "The disk is full.", leftOut: [".env", "film.mov"] });
    expect(adviceFor(session, null)?.warnings).toEqual([
      "Its work could not be committed: The disk is full. The worktree is kept as it is: put that right, then merge or follow up, which save it first.",
      "2 files stay uncommitted (too large, or named like a secret): .env, film.mov. No merge brings them along: take them from the worktree, or have the agent name them in .gitignore.",
    ]);
  }
});

test("[B7][W2] of a worktree that its agent removed, nothing is said to be kept", () => {
  const session = sampleSession({ status: "succeeded", workUnsaved: WORKTREE_GONE });
  expect(adviceFor(session, null)?.warnings).toEqual([WORKTREE_GONE]);
});

test("[B7][P17] of a stopped session that changed nothing, nothing is said to be on the branch", () => {
  const stopped = sampleSession({ status: "cancelled", startedAt: "2026-01-01T12:00:00.000Z", files: 0 });
  expect(adviceFor(stopped, "Mira")?.next).toBe("It had changed no files. Retry starts again from the branch.");
});
