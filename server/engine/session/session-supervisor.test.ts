import { describe, expect, it } from "vitest";
import { supervisorWorld } from "../../testing/supervisor-world";
import { waitFor } from "../../testing/wait-for";

const untilUp = (world: ReturnType<typeof supervisorWorld>, count = 1) =>
  waitFor(() => world.runner.started.length === count, `${count} agents`);
/** True when the promise is still open after everything that could settle it had a turn. */
const isOpen = async (promise: Promise<unknown>) =>
  (await Promise.race([promise.then(() => false), new Promise((resolve) => setTimeout(resolve, 60, true))])) as boolean;

describe("from slot to release", () => {
  it("[W1][R3] worktree, agent, ending, saved work, release: in this order, once", async () => {
    const world = supervisorWorld();
    const { run, over } = world.grant();
    await untilUp(world);
    expect(world.facts.get(run.sessionId)).toMatchObject({ branch: "camelot/1-task", worktree: "/worktree" });
    expect(world.runner.started[0]).toMatchObject({
      ...run,
      epoch: 1,
      cwd: "/worktree",
      command: { argv: ["bash", "-euo", "pipefail", "{{runFolder}}/script.sh"], files: { "script.sh": "true" } },
      environment: { CAMELOT_TASK_NUMBER: "1", CAMELOT_BRANCH: "camelot/1-task" },
      limits: { longestRunMs: 60_000, termGraceMs: 10_000 },
      sandbox: "none",
    });
    await waitFor(() => world.told.some(({ progress }) => progress.phase === "working"), "working");
    expect(world.released).toEqual([]);
    world.runner.end(run, { endedAt: 4711 });
    await over;
    expect(world.told.map(({ progress }) => progress.phase).filter(Boolean)).toEqual(["working", "saving"]);
    expect(world.saved).toHaveLength(1);
    expect(world.saved[0]).toMatchObject({ worktree: "/worktree", branch: "camelot/1-task", baseCommit: "base" });
    expect(world.released).toHaveLength(1);
    expect(world.released[0]).toMatchObject({
      run,
      ended: {
        status: "succeeded",
        failure: null,
        endedAt: 4711,
        exitCode: 0,
        headCommit: "head",
        files: 1,
        workUnsaved: null,
      },
    });
  });

  it("[B1] the agent's last line is told, and the very last one is not missed", async () => {
    const world = supervisorWorld();
    const { run, over } = world.grant();
    await untilUp(world);
    world.runner.print(run, "\u001b[32mreading files\u001b[0m\n\n");
    await waitFor(() => world.told.some(({ progress }) => progress.lastAction === "reading files"), "a last action");
    world.runner.print(run, "done\n");
    world.runner.end(run);
    await over;
    expect(world.told.findLast(({ progress }) => progress.lastAction)?.progress.lastAction).toBe("done");
  });

  it("[QUE-1][R11] an agent that dies is failed with what ended it, its work saved, and not tried again", async () => {
    const world = supervisorWorld();
    const { run, over } = world.grant();
    await untilUp(world);
    world.runner.end(run, { exitCode: null, signal: "SIGKILL" });
    await over;
    expect(world.released[0]?.ended).toMatchObject({
      status: "failed",
      failure: { kind: "agent-exited" },
      signal: "SIGKILL",
      headCommit: "head",
    });
    expect(world.requeued).toEqual([]);
    expect(world.runner.started).toHaveLength(1);
  });

  it("[W2] work that cannot be saved in time or at all is named, and the ending stays what it was", async () => {
    const world = supervisorWorld();
    world.save = () => Promise.reject(new Error("The disk is full.\nfatal: riddle"));
    const failing = world.grant();
    await untilUp(world);
    world.runner.end(failing.run);
    await failing.over;
    expect(world.released[0]?.ended).toMatchObject({
      status: "succeeded",
      workUnsaved: "The disk is full.",
      headCommit: null,
    });
    world.save = () => new Promise(() => {});
    const hanging = world.grant();
    await untilUp(world, 2);
    world.runner.end(hanging.run, { exitCode: 2 });
    await hanging.over;
    expect(world.released[1]?.ended).toMatchObject({
      status: "failed",
      exitCode: 2,
      workUnsaved: "Saving the work took longer than 0.2 s.",
    });
  });

  it("[R10] while the database is away the ending waits, and is then written with the agent's own end", async () => {
    const world = supervisorWorld();
    const { run, over } = world.grant();
    await untilUp(world);
    world.isDatabaseAway = true;
    world.runner.end(run, { endedAt: 4711 });
    await waitFor(() => world.saved.length === 1, "saved work");
    expect(await isOpen(over)).toBe(true);
    world.isDatabaseAway = false;
    await over;
    expect(world.released).toMatchObject([{ ended: { status: "succeeded", endedAt: 4711 } }]);
  });

  it("[P20] at most four starts at a time, and all of twenty start", async () => {
    const world = supervisorWorld();
    let under = 0;
    let most = 0;
    world.prepare = async () => {
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setTimeout(resolve, 5));
      under -= 1;
      return { kind: "ok", path: "/worktree", branch: "b", baseCommit: "base" };
    };
    for (let count = 0; count < 20; count++) world.grant();
    await untilUp(world, 20);
    expect(most).toBe(4);
    await world.supervisor.detach();
  });
});

describe("before anything has acted", () => {
  it("[GIT-1][R2] a repository that refuses ends it with its own sentence, and nothing is tried again", async () => {
    const world = supervisorWorld();
    world.prepare = async () => ({ kind: "refused", code: "NO_COMMIT", message: "The repository has no commit yet." });
    await world.grant().over;
    expect(world.released[0]?.ended).toMatchObject({
      status: "failed",
      failure: { kind: "could-not-start", detail: "The repository has no commit yet." },
    });
    expect([world.requeued, world.runner.started, world.saved]).toEqual([[], [], []]);
  });

  it("[R2] a start that breaks is claimed for the server and goes back into the line", async () => {
    const world = supervisorWorld();
    world.prepare = () => Promise.reject(new Error("git was killed"));
    const { run, over } = world.grant();
    await over;
    expect(world.requeued).toEqual([run]);
    expect(world.released).toEqual([]);
    expect(await world.runner.giveUp(run)).toBe(true);
  });

  it("[R2] the fourth try in vain is the last, and says why", async () => {
    const world = supervisorWorld();
    world.prepare = () => Promise.reject(new Error("git was killed"));
    await world.grant({ attempt: 4 }).over;
    expect(world.requeued).toEqual([]);
    expect(world.released[0]?.ended.failure).toEqual({ kind: "could-not-start", detail: "git was killed" });
  });

  it("[R2] a host that does not claim in time is given up, and can never start an agent later", async () => {
    const world = supervisorWorld();
    world.runner.holdHosts = true;
    const { run, over } = world.grant();
    await over;
    expect(world.requeued).toEqual([run]);
    world.runner.holdHosts = false;
    expect(world.runner.started).toEqual([]);
  });

  it("[R2][P17] a cancel during the start breaks it off and ends cancelled, before the host and after it", async () => {
    const world = supervisorWorld();
    world.prepare = (_request, signal) =>
      new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const early = world.grant();
    await waitFor(() => world.prepared.length === 1, "the worktree being made");
    world.supervisor.stop(early.run);
    await early.over;
    world.prepare = async () => ({ kind: "ok", path: "/worktree", branch: "b", baseCommit: "base" });
    world.runner.holdHosts = true;
    const late = world.grant();
    await waitFor(
      async () => (await world.runner.list()).some((run) => run.sessionId === late.run.sessionId),
      "a host",
    );
    world.supervisor.stop(late.run);
    await late.over;
    world.runner.holdHosts = false;
    expect(world.released.map(({ ended }) => ended.status)).toEqual(["cancelled", "cancelled"]);
    expect([world.requeued, world.runner.started]).toEqual([[], []]);
  });

  it("[R2] a cancel that was committed first wins over going back into the line", async () => {
    const world = supervisorWorld();
    world.requeueAnswer = "stale";
    world.prepare = () => Promise.reject(new Error("git was killed"));
    await world.grant().over;
    expect(world.released.map(({ ended }) => ended.status)).toEqual(["cancelled"]);
  });

  it("[A2] an agent whose settings are no command could not start, in words", async () => {
    const world = supervisorWorld();
    const { run, over } = world.grant();
    const facts = world.facts.get(run.sessionId);
    if (facts) world.facts.set(run.sessionId, { ...facts, agent: { ...facts.agent, kind: "command", name: "Echo" } });
    await over;
    expect(world.released[0]?.ended.failure).toEqual({
      kind: "could-not-start",
      detail: "The settings of the agent Echo are not a command.",
    });
  });

  it("[R2] a session whose task is gone could not start, in words", async () => {
    const world = supervisorWorld();
    const { run, over } = world.grant();
    world.facts.delete(run.sessionId);
    await over;
    expect(world.released[0]?.ended.failure?.detail).toBe("The task, its project or its agent is no longer there.");
  });
});

describe("stopping", () => {
  it("[P17][GIT-3] a running agent is stopped, its work saved, and the ending is cancelled", async () => {
    const world = supervisorWorld();
    const { run, over } = world.grant();
    await untilUp(world);
    world.supervisor.stop(run);
    world.supervisor.stop(run);
    await over;
    expect(world.saved).toHaveLength(1);
    expect(world.released).toMatchObject([{ ended: { status: "cancelled", failure: null, headCommit: "head" } }]);
  });

  it("[PRC-2][R7] a host that does not answer is ended from outside", async () => {
    const world = supervisorWorld();
    const { run, over } = world.grant();
    await untilUp(world);
    world.runner.stop = async () => {};
    world.supervisor.stop(run);
    await over;
    expect(world.released).toMatchObject([{ ended: { status: "cancelled" } }]);
    expect((await world.runner.probe(run)).kind).toBe("exited");
  });

  it("[P17] an agent that ends well while it is being stopped is cancelled all the same", async () => {
    const world = supervisorWorld();
    const { run, over } = world.grant();
    await untilUp(world);
    world.runner.stop = async () => world.runner.end(run, { exitCode: 0 });
    world.supervisor.stop(run);
    await over;
    expect(world.released[0]?.ended.status).toBe("cancelled");
  });
});
