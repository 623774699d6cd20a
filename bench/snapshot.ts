/**
 * One change told to a thousand sockets: from asking for it until the last socket has it, and how many bytes it takes. The
 * real server; the pool is paused, so that each change is one and nothing follows it. All sockets live in this process,
 * which reads them one after the other: its own time is in the number.
 */
import { Person } from "../e2e/support/person";
import { waitFor } from "../server/testing/wait-for";
import { atMost, type Measure, median, percentile } from "./figures";
import { Listener } from "./support/listener";
import { startServer } from "./support/server";

const SOCKETS = { full: 1_000, small: 20 };
const ROUNDS = { full: 40, small: 4 };
const AT_ONCE = 50;
/** So that each change is the first after a pause and goes at once (L2), ms. */
const CALM_MS = 1_200;
const LAST_MAX_MS = 100;
const DELTA_MAX_BYTES = 1_000;

export const measureSnapshot: Measure = async ({ isSmall }, say) => {
  const scale = isSmall ? "small" : "full";
  const server = await startServer();
  const listeners: Listener[] = [];
  try {
    const ann = await Person.signUp(server, "Ann");
    const { id: projectId } = await ann.makeProject("Shop", "sample");
    await ann.must("PATCH", "/pool", { paused: true });
    while (listeners.length < SOCKETS[scale]) {
      const some = Array.from({ length: Math.min(AT_ONCE, SOCKETS[scale] - listeners.length) }, () => {
        return new Listener(server.url, ann.cookie);
      });
      listeners.push(...some);
      await Promise.all(some.map((one) => one.ready()));
    }
    say(`${listeners.length} sockets are connected`);
    const tookMs: number[] = [];
    const bytes: number[] = [];
    for (let round = 0; round < ROUNDS[scale]; round += 1) {
      const task = await ann.makeTask(projectId, `Round ${round}`, "true");
      await new Promise((resolve) => setTimeout(resolve, CALM_MS));
      for (const one of listeners) one.deltas.length = 0;
      const asked = performance.now();
      const { session } = await ann.dispatch(task.id);
      const heard = await Promise.all(listeners.map((one) => hearing(one, session.id)));
      tookMs.push(Math.max(...heard.map(({ atMs }) => atMs)) - asked);
      bytes.push(...heard.map((one) => one.bytes));
      await ann.must("POST", `/sessions/${session.id}/cancel`, {});
    }
    const last = median(tookMs);
    const most = Math.max(...bytes);
    return [
      {
        what: `one change → the last of ${SOCKETS[scale]} sockets, p50`,
        value: last,
        unit: "ms",
        target: atMost(last, LAST_MAX_MS, "ms"),
        note: `of ${tookMs.length} dispatches, the dispatch itself included; p90 ${Math.round(percentile(tookMs, 0.9))} ms`,
      },
      {
        what: "largest delta for a single change",
        value: most,
        unit: "bytes",
        target: atMost(most, DELTA_MAX_BYTES, "bytes"),
      },
    ];
  } finally {
    for (const one of listeners) one.close();
    await server.close();
  }
};

function hearing(listener: Listener, sessionId: string) {
  return waitFor(
    () =>
      listener.deltas.find(
        ({ message }) => message.kind === "delta" && message.set.sessions?.[sessionId] !== undefined,
      ),
    "the change to be heard",
  );
}
