/** Whatever the pool holds, what is said before a dispatch is what the pool then does. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { poolHead } from "@/server/contract/pool-view";
import { decide } from "@/server/core/pool";
import type { Order } from "@/server/core/pool/events";
import { stateFrom } from "@/server/core/pool/load";
import { pictureOf } from "@/server/core/pool/snapshot";
import type { PoolState } from "@/server/core/pool/state";
import { samplePool } from "../board/sample";
import { outlookOf } from "./outlook";

const PEOPLE = ["ann", "ben", "cleo"];
const HOLD = { reason: "agent-unusable", detail: "Codex is not logged in.", until: null } as const;

const person = fc.constantFrom(...PEOPLE);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("enqueue" as const), person, isHeld: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("hold" as const), nth: fc.nat(20), isHeld: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("set-user-cap" as const), person, max: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pause" as const), paused: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("disk" as const), isShort: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const enqueue = (id: string, userId: string, hold: typeof HOLD | null): Order => ({
  kind: "enqueue",
  sessionId: id,
  at: 0,
  session: { taskId: `task of ${id}`, projectId: "p", userId, agentId: "codex", mode: "work", message: null, hold },
});

function orderOf(one: Step, at: number): Order[] {
  switch (one.kind) {
    case "enqueue":
      return [enqueue(`s${at}`, one.person, one.isHeld ? HOLD : null)];
    case "hold":
      return [{ kind: "hold", sessionId: `s${one.nth}`, hold: one.isHeld ? HOLD : null }];
    case "set-user-cap":
      return [{ kind: "set-user-cap", userId: one.person, max: one.max }];
    case "pause":
      return [{ kind: "set-caps", change: { paused: one.paused } }];
    case "disk":
      return [];
    default:
      return one satisfies never;
  }
}

/** As somebody sees it who may see no session at all. */
function seenByNobody(state: PoolState) {
  const snapshot = pictureOf(state, 1, 1, 0);
  const users = Object.fromEntries(Array.from(snapshot.users(), ([id, counts]) => [id, { ...counts }]));
  const limits = Object.fromEntries(snapshot.limits);
  return samplePool({ ...poolHead(snapshot), limits, users, held: Object.fromEntries(snapshot.held()) });
}

test("[P2][P14][L4] what is said before a dispatch is what the pool then answers, also to whoever sees none of the sessions", () => {
  const law = fc.property(fc.nat(6), fc.array(step, { maxLength: 30 }), (globalMax, steps) => {
    let state = stateFrom({ caps: { globalMax, perUserMax: 2, paused: false }, users: [], live: [] }, true);
    let isDiskShort = false;
    steps.forEach((one, at) => {
      if (one.kind === "disk") isDiskShort = one.isShort;
      state = decide(state, orderOf(one, at), { at: 0, epoch: 1, isDiskShort }).state;
      for (const userId of PEOPLE) {
        const outlook = outlookOf(seenByNobody(state), userId, null);
        const after = decide(state, [enqueue("next", userId, null)], { at: 0, epoch: 1, isDiskShort }).state;
        const { position } = pictureOf(after, 1, 2, 0).session("next") ?? {};
        expect(outlook.kind === "waits" ? outlook.position : 0).toBe(position);
      }
    });
  });
  fc.assert(law, { numRuns: 300 });
});
