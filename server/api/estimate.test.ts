import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { waitFor } from "../testing/wait-for";

let world: ApiWorld;
beforeAll(async () => {
  world = await apiWorld({ globalMax: 1, perUserMax: 1 });
  await world.addUser("ann");
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

/** Twenty sessions of half an hour, as they stand in rows after they ended. */
async function halfHours(project: string): Promise<void> {
  await world.sql`insert into tasks (id, project_id, number, title, prompt, order_key)
    select 'old ' || n, ${project}, 1000 + n, 'old', 'true', 'a' from generate_series(1, 20) n`;
  await world.sql`insert into sessions
      (id, task_id, project_id, user_id, agent_id, status, queued_at, started_at, finished_at)
    select 'old session ' || n, 'old ' || n, ${project}, 'ann', 'shell', 'succeeded',
      now() - n * interval '1 hour', now() - n * interval '1 hour', now() - n * interval '1 hour' + interval '30 minutes'
    from generate_series(1, 20) n`;
}

test("[P15][P13] the dispatch, the session, the card, the line, the pool and the socket tell one estimate", async () => {
  const project = await world.project("ann");
  await halfHours(project);
  await world.pool.rebuild();
  const { body: token } = await world.ask("ann", "POST", "/tokens", { body: { name: "socket", scope: "read" } });
  const socket = world.connect({ authorization: `Bearer ${token.token}` });
  const dispatch = async (task: string) => (await world.ask("ann", "POST", `/tasks/${task}/dispatch`)).body.session;
  await dispatch(await world.task("ann", project));
  const task = await world.task("ann", project);
  const { id } = await dispatch(task);
  await waitFor(() => world.pool.snapshot().session(id)?.startsIn != null, "an estimate");
  const { p50 } = world.pool.snapshot().session(id)?.startsIn ?? { p50: 0 };
  expect(p50).toBeGreaterThan(25 * 60);
  expect(p50).toBeLessThanOrEqual(30 * 60);

  // While nothing happens figures stay for a minute; a refresh in the very moment of the calls is waited out.
  const toldEverywhere = async () => {
    const [again, session, card, line, pool] = await Promise.all([
      dispatch(task),
      world.ask("ann", "GET", `/sessions/${id}`),
      world.ask("ann", "GET", `/tasks/${task}`),
      world.ask("ann", "GET", "/pool/users/ann"),
      world.ask("ann", "GET", "/pool"),
    ]);
    const inLine = line.body.sessions.find((entry: { id: string }) => entry.id === id);
    const told = [again, session.body, card.body.session, inLine, pool.body.sessions[id], socket.pool?.sessions[id]];
    return told.map((one) => JSON.stringify(one?.startsIn ?? null));
  };
  const told = await waitFor(async () => {
    const estimates = await toldEverywhere();
    return new Set(estimates).size === 1 && estimates;
  }, "one estimate everywhere");
  expect(told).toEqual(Array(6).fill(JSON.stringify(world.pool.snapshot().session(id)?.startsIn)));
  expect(told[0]).toMatch(/p50/);
});
