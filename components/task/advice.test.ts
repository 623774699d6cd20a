import { expect, test } from "vitest";
import { FAILURE_KINDS } from "../../server/core/words";
import { sampleSession } from "../board/sample";
import { adviceFor } from "./advice";

test("[B7] every kind of failure has its sentence and says what to do next", () => {
  for (const kind of FAILURE_KINDS) {
    const advice = adviceFor(sampleSession({ status: "failed", failure: { kind, sentence: `It was ${kind}.` } }), null);
    expect(advice?.sentence).toBe(`It was ${kind}.`);
    expect(advice?.next).toMatch(/retry/i);
  }
});

test("[B7] what is live has no outcome yet; what was stopped says by whom; what only waited says so", () => {
  expect(adviceFor(sampleSession({ status: "queued" }), null)).toBeNull();
  expect(adviceFor(sampleSession({ status: "running" }), null)).toBeNull();
  const stopped = sampleSession({ status: "cancelled", startedAt: "2026-01-01T12:00:00.000Z" });
  expect(adviceFor(stopped, "Mira")?.sentence).toBe("It was stopped by Mira.");
  expect(adviceFor(sampleSession({ status: "cancelled" }), "Mira")?.sentence).toBe(
    "It left the line before it started.",
  );
});

test("[B7][W2] what is not on the branch is told plainly, whatever the ending", () => {
  for (const status of ["succeeded", "failed", "cancelled"] as const) {
    const session = sampleSession({ status, workUnsaved: "The disk is full.", leftOut: [".env", "film.mov"] });
    expect(adviceFor(session, null)?.warnings).toEqual([
      "Its work could not be committed: The disk is full. The worktree is kept as it is.",
      "2 files stay uncommitted (too large, or named like a secret): .env, film.mov",
    ]);
  }
});

test("[B7][P17] of a stopped session that changed nothing, nothing is said to be on the branch", () => {
  const stopped = sampleSession({ status: "cancelled", startedAt: "2026-01-01T12:00:00.000Z", files: 0 });
  expect(adviceFor(stopped, "Mira")?.next).toBe("It had changed no files. Retry starts again from the branch.");
});
