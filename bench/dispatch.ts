/**
 * From pressing "Dispatch" until another person's open socket hears that the session runs: the real server, idle, its own
 * PostgreSQL, one dispatch at a time. The agent is the shell, and really starts.
 */
import { Person } from "../e2e/support/person";
import { waitFor } from "../server/testing/wait-for";
import { atMost, type Figure, type Measure, percentile } from "./figures";
import { Listener } from "./support/listener";
import { startServer } from "./support/server";

const ROUNDS = { full: 200, small: 5 };
const WARM_UP = { full: 20, small: 1 };
/** Between two rounds, so that none meets the pause that follows a message of the live channel, ms. */
const CALM_MS = 250;
const P50_MAX_MS = 25;
const P99_MAX_MS = 100;

export const measureDispatch: Measure = async ({ isSmall }) => {
  const scale = isSmall ? "small" : "full";
  const server = await startServer();
  try {
    const [ann, ben] = [await Person.signUp(server, "Ann"), await Person.signUp(server, "Ben")];
    const { id: projectId } = await ann.makeProject("Shop", "sample");
    await ann.addMember(projectId, ben);
    const listener = new Listener(server.url, ben.cookie);
    await listener.ready();
    const seenMs: number[] = [];
    const answeredMs: number[] = [];
    for (let round = 0; round < WARM_UP[scale] + ROUNDS[scale]; round += 1) {
      const task = await ann.makeTask(projectId, `Round ${round}`, "true");
      await new Promise((resolve) => setTimeout(resolve, CALM_MS));
      const asked = performance.now();
      const { session } = await ann.dispatch(task.id);
      const answered = performance.now();
      const seen = await waitFor(() => firstRunning(listener, session.id), "the session to be seen running");
      await waitFor(async () => (await ann.session(session.id)).finishedAt !== null, "the session to end", 60_000);
      if (round < WARM_UP[scale]) continue;
      seenMs.push(seen - asked);
      answeredMs.push(answered - asked);
    }
    listener.close();
    return figures(seenMs, answeredMs);
  } finally {
    await server.close();
  }
};

function firstRunning(listener: Listener, sessionId: string): number | undefined {
  return listener.deltas.find(
    ({ message }) => message.kind === "delta" && message.set.sessions?.[sessionId]?.status === "running",
  )?.atMs;
}

function figures(seenMs: readonly number[], answeredMs: readonly number[]): Figure[] {
  const [p50, p99] = [percentile(seenMs, 0.5), percentile(seenMs, 0.99)];
  const what = "dispatch → “running” heard by another person";
  return [
    { what: `${what}, p50`, value: p50, unit: "ms", target: atMost(p50, P50_MAX_MS, "ms") },
    {
      what: `${what}, p99`,
      value: p99,
      unit: "ms",
      target: atMost(p99, P99_MAX_MS, "ms"),
      note: `of ${seenMs.length} dispatches on an idle server`,
    },
    { what: "dispatch → answer to the caller, p50", value: percentile(answeredMs, 0.5), unit: "ms" },
  ];
}
