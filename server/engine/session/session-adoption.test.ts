import { describe, expect, it } from "vitest";
import { supervisorWorld } from "../../testing/supervisor-world";
import { waitFor } from "../../testing/wait-for";

const untilUp = (world: ReturnType<typeof supervisorWorld>, count = 1) =>
  waitFor(() => world.runner.started.length === count, `${count} agents`);
/** True when the promise is still open after everything that could settle it had a turn. */
const isOpen = async (promise: Promise<unknown>) =>
  (await Promise.race([promise.then(() => false), new Promise((resolve) => setTimeout(resolve, 60, true))])) as boolean;

describe("after a restart", () => {
  it("[R5] an ordinary stop leaves the agent alone and tells the pool nothing", async () => {
    const world = supervisorWorld();
    const { run, over } = world.grant();
    await untilUp(world);
    await world.supervisor.detach();
    world.runner.end(run);
    expect(await isOpen(over)).toBe(true);
    expect(await isOpen(world.adopt(run, "working"))).toBe(true);
    expect([world.released, world.requeued, world.saved]).toEqual([[], [], []]);
  });

  it("[R5][R2] an ordinary stop hands back what no host was asked for, and the next server starts the same attempt", async () => {
    const before = supervisorWorld({ startsAtOnce: 2 });
    before.prepare = (_request, signal) =>
      new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const preparing = [before.grant(), before.grant()];
    await waitFor(() => before.prepared.length === 2, "worktrees being made");
    const inLine = before.grant();
    await before.supervisor.detach();
    const late = before.grant({ attempt: 3 });
    await waitFor(() => before.handedBack.length === 4, "what was granted in the last moment");
    expect(before.handedBack).toEqual([...preparing, inLine, late].map(({ run }) => run));
    expect([before.requeued, before.released, before.runner.started]).toEqual([[], [], []]);
    expect(await before.runner.list()).toEqual([]);
  });

  it("[R5][R2] what a host was asked for, or what has gone wrong before, is not handed back as if nothing was tried", async () => {
    const world = supervisorWorld();
    world.runner.holdHosts = true;
    world.grant();
    await waitFor(async () => (await world.runner.list()).length === 1, "a host on its way");
    world.prepare = () => Promise.reject(new Error("git was killed"));
    const failing = world.grant();
    await failing.over;
    expect(world.requeued).toEqual([failing.run]);
    await world.supervisor.detach();
    expect(world.handedBack).toEqual([]);
  });

  it("[B1][R3] that it was taken over is told once, and that it wrote before is told with the time of before", async () => {
    const before = supervisorWorld();
    const { run } = before.grant();
    await untilUp(before);
    before.runner.print(run, "from before\n");
    const { lastAt } = await before.runner.extent(run);
    await before.supervisor.detach();
    const world = before.restarted();
    void world.adopt(run, "working");
    const adoptions = () => world.told.filter(({ progress }) => progress.isAdopted).length;
    await waitFor(() => adoptions() === 1, "the adoption");
    await waitFor(() => world.told.some(({ progress }) => progress.lastOutputAt === lastAt), "when it wrote");
    world.runner.print(run, "still here\n");
    await waitFor(() => world.told.some(({ progress }) => progress.lastAction === "still here"), "its last action");
    expect(adoptions()).toBe(1);
    expect(before.told.some(({ progress }) => progress.isAdopted)).toBe(false);
  });

  it("[R3] an agent that still works is adopted, and ends as if we had been there all the time", async () => {
    const before = supervisorWorld();
    const { run } = before.grant();
    await untilUp(before);
    await before.supervisor.detach();
    const world = before.restarted();
    const over = world.adopt(run, "working");
    world.runner.print(run, "still here\n");
    await waitFor(() => world.told.some(({ progress }) => progress.lastAction === "still here"), "its last action");
    world.runner.end(run, { exitCode: 3 });
    await over;
    expect(world.runner.started).toHaveLength(1);
    expect(world.released).toMatchObject([{ ended: { status: "failed", exitCode: 3, headCommit: "head" } }]);
  });

  it("[R3][R10] one that ended meanwhile is finished from its durable ending, its work saved", async () => {
    const before = supervisorWorld();
    const { run } = before.grant();
    await untilUp(before);
    await before.supervisor.detach();
    before.runner.end(run, { endedAt: 4711 });
    for (const phase of ["starting", "working", "saving"] as const) {
      const world = before.restarted();
      await world.adopt(run, phase);
      expect(world.saved).toHaveLength(1);
      expect(world.released).toMatchObject([{ ended: { status: "succeeded", endedAt: 4711, headCommit: "head" } }]);
    }
  });

  it("[R3][R11] one that is gone is lost, its work saved; an orphaned tree is ended first", async () => {
    for (const kill of ["vanish", "killHost"] as const) {
      const before = supervisorWorld();
      const { run } = before.grant();
      await untilUp(before);
      await before.supervisor.detach();
      before.runner[kill](run);
      const world = before.restarted();
      await world.adopt(run, "working");
      expect((await world.runner.probe(run)).kind).toBe("gone");
      expect(world.released).toMatchObject([
        { ended: { status: "failed", failure: { kind: "runner-lost" }, headCommit: "head" } },
      ]);
      expect([world.requeued, world.saved.length]).toEqual([[], 1]);
    }
  });

  it("[R3][R6] one that is gone before it was known how it speaks keeps how much it said", async () => {
    const before = supervisorWorld();
    const { run } = before.grant();
    await untilUp(before);
    before.runner.print(run, "its last words\n");
    await before.supervisor.detach();
    before.runner.killHost(run);
    const world = before.restarted();
    const known = world.facts.get(run.sessionId);
    let reads = 0;
    // Whoever asks first never gets an answer: by then it is over.
    world.facts.get = () => (reads++ === 0 ? (new Promise(() => {}) as never) : known);
    await world.adopt(run, "working");
    expect(world.released.map(({ ended }) => ended.outputBytes)).toEqual(["its last words\n".length]);
    expect(world.told.at(-1)?.progress.lastAction).toBe("its last words");
  });

  it("[RST-2][R2] one that never came to life is given up and waits again; a cancel asked for before wins", async () => {
    for (const phase of ["starting", "stopping"] as const) {
      const before = supervisorWorld();
      before.runner.holdHosts = true;
      const { run } = before.grant();
      await waitFor(async () => (await before.runner.list()).length === 1, "a host");
      await before.supervisor.detach();
      const world = before.restarted();
      await world.adopt(run, phase);
      world.runner.holdHosts = false;
      expect(world.runner.started).toEqual([]);
      expect(world.requeued).toEqual(phase === "starting" ? [run] : []);
      expect(world.released.map(({ ended }) => ended.status)).toEqual(phase === "starting" ? [] : ["cancelled"]);
    }
  });

  it("[R3] while nothing can be found out the slot is held, and a silent machine counts as that", async () => {
    const before = supervisorWorld();
    const { run } = before.grant();
    await untilUp(before);
    await before.supervisor.detach();
    const world = before.restarted();
    const probe = world.runner.probe;
    world.runner.probe = () => new Promise(() => {});
    const over = world.adopt(run, "working");
    expect(await isOpen(over)).toBe(true);
    world.runner.probe = () => Promise.reject(new Error("EIO"));
    expect(await isOpen(over)).toBe(true);
    world.runner.probe = probe;
    world.runner.end(run);
    await over;
    expect(world.released[0]?.ended.status).toBe("succeeded");
  });

  it("[PRC-2][P17] a cancel goes on: what was stopping is stopped, not taken back as working", async () => {
    const before = supervisorWorld();
    const { run } = before.grant();
    await untilUp(before);
    await before.supervisor.detach();
    const world = before.restarted();
    await world.adopt(run, "stopping");
    expect(world.told.some(({ progress }) => progress.phase === "working")).toBe(false);
    expect(world.released[0]?.ended.status).toBe("cancelled");
  });

  it("[P18] attending an attempt twice is one life, and a cancel that was not heard is heard then", async () => {
    const world = supervisorWorld();
    const { run, over } = world.grant();
    await untilUp(world);
    const again = world.adopt(run, "working");
    expect(again).toBe(over);
    await world.adopt(run, "stopping");
    expect(world.released.map(({ ended }) => ended.status)).toEqual(["cancelled"]);
    expect(world.runner.started).toHaveLength(1);
  });
});
