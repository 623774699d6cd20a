/** Random wishes for the laws: small numbers of people and tasks, so that they meet often. Sessions are picked by number. */
import fc from "fast-check";
import type { Order } from "../core/pool/events";
import type { PoolModel } from "./pool-model";
import { sessionOf } from "./pool-world";
import { endedWith } from "./scripted-waiter";

const pick = fc.nat({ max: 40 });
const person = fc.nat({ max: 4 });

export const poolOps = fc.oneof(
  { weight: 8, arbitrary: fc.record({ op: fc.constant("enqueue" as const), person, task: pick, isHeld: rarely() }) },
  { weight: 5, arbitrary: fc.record({ op: fc.constant("release" as const), pick, isLate: rarely() }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("cancel" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("requeue" as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant("progress" as const),
      pick,
      phase: fc.constantFrom("working" as const, "asking" as const, "saving" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("hold" as const), pick, isOn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("reorder" as const), pick, before: fc.option(pick) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant("set-caps" as const),
      globalMax: fc.nat({ max: 7 }),
      perUserMax: fc.nat({ max: 3 }),
      paused: rarely(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant("set-user-cap" as const), person, max: fc.option(fc.nat({ max: 4 })) }),
  },
);

export type PoolOp = typeof poolOps extends fc.Arbitrary<infer Op> ? Op : never;

/** The wish as an order on the sessions that there are now. */
export function toOrder(op: PoolOp, model: PoolModel, newId: () => string): Order {
  const at = 1_000_000;
  const all = model.sessions;
  const session = "pick" in op ? (all[op.pick % Math.max(1, all.length)] ?? null) : null;
  const sessionId = session?.id ?? "nobody";
  const run = { sessionId, attempt: session?.attempt ?? 1 };
  switch (op.op) {
    case "enqueue": {
      const hold = op.isHeld ? ({ reason: "budget", detail: null, until: null } as const) : null;
      return { kind: "enqueue", sessionId: newId(), at, session: sessionOf(`u${op.person}`, `t${op.task}`, { hold }) };
    }
    case "release":
      return { kind: "release", run: op.isLate ? { ...run, attempt: run.attempt - 1 } : run, ended: endedWith({}) };
    case "cancel":
      return { kind: "cancel", sessionId, by: "someone", at };
    case "requeue":
      return { kind: "requeue", run, at };
    case "progress":
      return { kind: "progress", run, progress: { phase: op.phase } };
    case "hold":
      return { kind: "hold", sessionId, hold: op.isOn ? { reason: "disk", detail: null, until: null } : null };
    case "reorder": {
      const before = op.before === null ? null : (all[op.before % Math.max(1, all.length)]?.id ?? "nobody");
      return { kind: "reorder", sessionId, by: session?.userId ?? "nobody", before };
    }
    case "set-caps":
      return { kind: "set-caps", change: { globalMax: op.globalMax, perUserMax: op.perUserMax, paused: op.paused } };
    case "set-user-cap":
      return { kind: "set-user-cap", userId: `u${op.person}`, max: op.max };
    default:
      return op satisfies never;
  }
}

function rarely(): fc.Arbitrary<boolean> {
  return fc.nat({ max: 5 }).map((n) => n === 0);
}
