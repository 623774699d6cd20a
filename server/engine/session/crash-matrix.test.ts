/**
 * The writer is killed in every moment of a dispatch's commit. Real processes, a real PostgreSQL, and a way to it that breaks in
 * the chosen moment; what came of it is read from rows and from the marks the agents left.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { CUTS, type CuttingProxy, cuttingProxy } from "../../testing/cutting-proxy";
import { isOver } from "../../testing/engine-rows";
import { type Engine, type EngineWorld, engineWorld } from "../../testing/engine-world";
import { makeRepository } from "../../testing/git-repositories";

// Two servers per moment, on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 180_000 });

let world: EngineWorld;
let project: string;
let way: CuttingProxy;

beforeAll(async () => {
  world = await engineWorld();
  project = await world.addProject(await makeRepository(join(world.folder, "shop")));
  way = await cuttingProxy(world.databaseUrl);
});
afterAll(async () => {
  await way?.close();
  await world?.cleanUp();
});

const MOMENTS = [...CUTS, "after the reply, before the agent starts"] as const;

test.each(MOMENTS)(
  "[R2][P1][P3][P8][P11][RST-2] the writer is killed %s: one session, one agent, and what was answered is there",
  async (moment) => {
    const name = moment.replaceAll(/\W+/g, "-");
    const [marks, go] = [join(world.folder, `marks-${name}`), join(world.folder, `go-${name}`)];
    const engine = await world.startEngine(process.env, {}, way.url);
    // The connection is made and the statement prepared; from now on a commit is one message and one reply.
    const { sessionId: first } = await world.dispatch(engine, project, "true");
    await world.until(first, isOver, "over");

    await world.addUser("a");
    const taskId = await world.addTask(project, `echo mark >> '${marks}'; while [ ! -e '${go}' ]; do sleep 0.05; done`);
    const session = { taskId, projectId: project, userId: "a", agentId: "shell", mode: "work", message: null } as const;
    const ask = (of: Engine) => of.enqueue(session).catch(() => null);
    const cut = moment === "after the reply, before the agent starts" ? null : way.cutNext(moment);
    const asked = ask(engine);
    await (cut ?? asked);
    await engine.kill();
    const answered = await asked;
    expect(answered === null).toBe(cut !== null);

    const next = await world.startEngine();
    const again = await next.enqueue(session);
    if (answered !== null) expect(again).toMatchObject({ sessionId: answered.sessionId, existing: true });
    // What was never sent is not there; what was committed is, though nobody was told.
    if (moment === "before the statement") expect(again.existing).toBe(false);
    if (moment === "before the reply") expect(again.existing).toBe(true);
    await world.until(again.sessionId, ({ phase }) => phase === "working", "working");
    await writeFile(go, "");
    expect(await world.until(again.sessionId, isOver, "over")).toMatchObject({ status: "succeeded" });
    expect(await world.sql`select id from sessions where task_id = ${taskId}`).toEqual([{ id: again.sessionId }]);
    expect(await readFile(marks, "utf8")).toBe("mark\n");
    await next.stop();
  },
);
