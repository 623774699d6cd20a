import { expect, test } from "vitest";
import { endedSentence } from "@/server/core/agent/background";
import { WORKTREE_GONE } from "@/server/core/words";
import { sampleSession } from "../board/sample";
import { adviceFor, warningsOf } from "./advice";

test("[B7] a failure is told in the server's words: its sentence, and what to do next", () => {
  const failure = { kind: "timed-out", sentence: "Stopped after 2 h.", next: "Raise the longest run." } as const;
  expect(adviceFor(sampleSession({ status: "failed", failure }), null, null)).toMatchObject({
    sentence: "Stopped after 2 h.",
    next: "Raise the longest run.",
  });
});

test("[B7] what is live has no outcome yet; what was stopped says by whom; what only waited says so", () => {
  expect(adviceFor(sampleSession({ status: "queued" }), null, null)).toBeNull();
  expect(adviceFor(sampleSession({ status: "running" }), null, null)).toBeNull();
  const stopped = sampleSession({ status: "cancelled", startedAt: "2026-01-01T12:00:00.000Z" });
  expect(adviceFor(stopped, "Mira", null)?.sentence).toBe("It was stopped by Mira.");
  const failure = { kind: "stopped", sentence: "Stopped by whoever runs the server.", next: "Retry." } as const;
  expect(adviceFor({ ...stopped, failure }, null, null)?.sentence).toBe("Stopped by whoever runs the server.");
  expect(adviceFor(sampleSession({ status: "cancelled" }), "Mira", null)?.sentence).toBe(
    "It left the line before it started.",
  );
});

test("[A9] what its agent left running and was ended with it stands beside a success", () => {
  const session = sampleSession({ status: "succeeded", lastAction: endedSentence(["npm test"]) });
  expect(adviceFor(session, null, null)?.warnings).toEqual([
    "This still ran in the background and was ended with the session: npm test.",
  ]);
});

const UNSAVED =
  "Its work could not be committed: The disk is full. The worktree, /data/1-a, is kept as it is: put that right, then merge or follow up, which save it first.";
const LEFT_OUT =
  "2 files stay uncommitted (too large, named like a secret, a repository of its own, or not to be read by the server): .env, film.mov. No merge brings them along: take them from /data/1-a, or have the agent name them in .gitignore.";

test("[B7][W2] what is not on the branch is told plainly, with its place and what to do, whatever the ending", () => {
  const session = { workUnsaved: "The disk is full.", leftOut: [".env", "film.mov"] };
  for (const status of ["succeeded", "failed", "cancelled"] as const) {
    expect(adviceFor(sampleSession({ status, ...session }), null, "/data/1-a")?.warnings).toEqual([UNSAVED, LEFT_OUT]);
  }
  const [unsaved, leftOut] = warningsOf(
    sampleSession({ workUnsaved: "/data/1-a is full.", leftOut: [".env"] }),
    "/data/1-a",
  );
  expect(unsaved).toContain("/data/1-a is full. The worktree is kept as it is");
  expect(leftOut).toContain(
    "One file stays uncommitted (too large, named like a secret, a repository of its own, or not to be read by the server): .env. No merge brings it along",
  );
});

test.each(["git update-index did not end within 50 s and was stopped.", "Saving the work took longer than 60 s."])(
  "[B7][W2] nothing has to be put right after a step that only took too long: %s",
  (workUnsaved) => {
    expect(warningsOf(sampleSession({ workUnsaved }), "/data/1-a")).toEqual([
      `Its work could not be committed: ${workUnsaved} The worktree, /data/1-a, is kept as it is, and nothing has to be put right: merge or follow up, which save it first.`,
    ]);
  },
);

test.each([
  [["d/"], /^One folder stays uncommitted .*: d\/\. .* take it from/],
  [["d/", "e/"], /^2 folders stay uncommitted/],
  [["d/", ".env"], /^2 files and folders stay uncommitted/],
])("[B7][W2] %j: folders that nobody could look into are called so", (leftOut, told) => {
  expect(warningsOf(sampleSession({ leftOut }), "/data/1-a")).toEqual([expect.stringMatching(told)]);
});

test("[B7][W2] what could not be committed is neither said to be nothing nor to be on the branch", () => {
  const startedAt = "2026-01-01T12:00:00.000Z";
  for (const status of ["succeeded", "cancelled"] as const) {
    for (const files of [null, 0, 3]) {
      const session = sampleSession({ status, startedAt, files, workUnsaved: "The disk is full." });
      expect(adviceFor(session, "Mira", "/data/1-a")).toMatchObject({ next: "", warnings: [UNSAVED] });
    }
  }
});

test("[B7][W2] of a worktree that its agent removed, nothing is said to be kept", () => {
  const session = sampleSession({ status: "succeeded", workUnsaved: WORKTREE_GONE });
  expect(adviceFor(session, null, null)?.warnings).toEqual([WORKTREE_GONE]);
});

test("[B7][P17] of a stopped session that changed nothing, nothing is said to be on the branch", () => {
  const stopped = sampleSession({ status: "cancelled", startedAt: "2026-01-01T12:00:00.000Z", files: 0 });
  expect(adviceFor(stopped, "Mira", null)?.next).toBe("It had changed no files. Retry starts again from the branch.");
});
