/** Asking (R12), and runners that cannot be found out about (R3): as the supervisor lives them, with the fake runner. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { type SupervisorWorld, supervisorWorld } from "../../testing/supervisor-world";
import { waitFor } from "../../testing/wait-for";

const question = { id: "q1", text: "May I?", options: ["yes", "no"], askedAt: 1 };

async function asking(world: SupervisorWorld) {
  const granted = world.grant();
  await waitFor(() => world.runner.started.length === 1, "the agent");
  world.runner.ask(granted.run, question);
  await untilTold(world, "asking");
  return granted;
}
const untilTold = (world: SupervisorWorld, phase: string, count = 1) =>
  waitFor(() => world.told.filter(({ progress }) => progress.phase === phase).length >= count, `${phase} to be told`);

afterEach(() => void vi.useRealTimers());

describe("an agent that asks", () => {
  it("[R12] is told as asking with its question, and as working without one once it was answered", async () => {
    const world = supervisorWorld();
    const { run, over } = await asking(world);
    expect(world.told.at(-1)).toEqual({ run, progress: { phase: "asking", question } });
    const second = { ...question, id: "q2", text: "And this?" };
    world.runner.ask(run, second);
    await waitFor(() => world.told.at(-1)?.progress.question?.id === "q2", "the second question");
    world.runner.ask(run, null);
    await waitFor(() => world.told.at(-1)?.progress.phase === "working", "work to go on");
    expect(world.told.at(-1)?.progress.question).toBeNull();
    world.runner.end(run);
    await over;
    expect(world.released).toMatchObject([{ ended: { status: "succeeded" } }]);
  });

  it("[R12] keeps its slot and its question over our restart", async () => {
    const before = supervisorWorld();
    const { run } = await asking(before);
    await before.supervisor.detach();
    const world = before.restarted();
    const over = world.adopt(run, "asking");
    await waitFor(() => world.told.some(({ progress }) => progress.question?.id === "q1"), "the question again");
    world.runner.ask(run, null);
    await untilTold(world, "working");
    world.runner.end(run);
    await over;
    expect(world.released).toMatchObject([{ ended: { status: "succeeded" } }]);
  });

  it("[R12] that nobody answers in time ends as no-answer, its work committed", async () => {
    const world = supervisorWorld();
    world.answerWithinMs = 60;
    const { over } = await asking(world);
    await over;
    expect(world.released).toMatchObject([
      { ended: { status: "failed", failure: { kind: "no-answer" }, headCommit: "head" } },
    ]);
    expect(world.saved).toHaveLength(1);
  });

  it("[R12] the time is counted anew by a server that is there: nobody is late while there was none", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const before = supervisorWorld();
    before.answerWithinMs = 20_000;
    const { run } = await asking(before);
    await before.supervisor.detach();
    await vi.advanceTimersByTimeAsync(30_000);
    const world = before.restarted();
    world.answerWithinMs = 20_000;
    const over = world.adopt(run, "asking");
    await vi.advanceTimersByTimeAsync(15_000);
    expect(world.released).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_000);
    await over;
    expect(world.released).toMatchObject([{ ended: { failure: { kind: "no-answer" } } }]);
  });

  it("[R12][P17] that is cancelled while it waits for an answer is cancelled", async () => {
    const world = supervisorWorld();
    world.answerWithinMs = 50;
    const { run, over } = await asking(world);
    world.supervisor.stop(run);
    await over;
    expect(world.released).toMatchObject([{ ended: { status: "cancelled", failure: null } }]);
  });
});

describe("a runner that does not answer", () => {
  it("[R3] keeps its slot until an administrator declares it lost; its work is saved", async () => {
    const world = supervisorWorld();
    const { run, over } = world.grant();
    await waitFor(() => world.runner.started.length === 1, "the agent");
    world.runner.pretend(run, { kind: "unknown", reason: "engine unreachable" });
    await waitFor(async () => (await world.runner.probe(run)).kind === "unknown", "the silence");
    world.supervisor.declareLost(run);
    await over;
    expect(world.released).toMatchObject([
      { ended: { status: "failed", failure: { kind: "runner-lost" }, headCommit: "head" } },
    ]);
  });

  it("[R3] that answers again before is followed as ever: what is found counts, not what was declared", async () => {
    const world = supervisorWorld();
    const { run, over } = world.grant();
    await waitFor(() => world.runner.started.length === 1, "the agent");
    world.supervisor.declareLost(run);
    world.supervisor.declareLost({ ...run, attempt: 9 });
    await untilTold(world, "working");
    expect(world.released).toEqual([]);
    world.runner.end(run);
    await over;
    expect(world.released).toMatchObject([{ ended: { status: "succeeded" } }]);
  });
});
