/** What a session's view says of its row, with what the pool knows laid over it. */
import { expect, test } from "vitest";
import type { LiveSession, PoolSnapshot } from "../../core/pool/picture";
import type { StoredSession } from "../../ports/session-store";
import { sessionView } from "./session-view";

const question = { id: "q1", text: "May I?", options: ["Allow"], askedAt: 1_000 };
const UNTOLD = { startedAt: null, finishedAt: null, phaseSince: null, lastOutputAt: null, adoptedAt: null };
const row = { ...UNTOLD, id: "s1", status: "running", phase: "asking", question, queuedAt: 0, leftOut: [] };
const viewOf = (change: object, live?: object) => {
  const snapshot = { session: () => live as LiveSession | undefined } as unknown as PoolSnapshot;
  return sessionView({ failureKind: null, usage: null, ...row, ...change } as unknown as StoredSession, snapshot);
};
const live = {
  id: "s1",
  status: "running",
  phase: "asking",
  queuedAt: 0,
  startedAt: 0,
  waitingFor: null,
  startsIn: null,
};

test("[R12] a session has a question while it asks; one that ended, waits or is being stopped has none", () => {
  expect(viewOf({}).question?.text).toBe("May I?");
  expect(viewOf({}, live).question?.text).toBe("May I?");
  for (const status of ["failed", "cancelled", "succeeded", "queued"]) expect(viewOf({ status }).question).toBeNull();
  expect(viewOf({}, { ...live, phase: "stopping" }).question).toBeNull();
});
