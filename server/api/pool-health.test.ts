import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { waitFor } from "../testing/wait-for";
import { createPoolHealth } from "./pool-health";

let world: ApiWorld;
let task: (user: string, project: string) => Promise<string>;
beforeAll(async () => {
  world = await apiWorld({ perUserMax: 1 });
  for (const user of ["anna", "ben"]) await world.addUser(user);
  await world.addUser("root", "admin");
  task = async (user, project) => {
    const id = await world.task(user, project);
    return (await world.ask(user, "POST", `/tasks/${id}/dispatch`)).body.session.id;
  };
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

function* leaves(value: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null) yield value;
  else for (const inner of Object.values(value)) yield* leaves(inner);
}

describe("[P22] the pool seen from outside", () => {
  test("[P22][L4] its health is numbers and nothing else, and they follow what happens", async () => {
    const before = (await world.ask("ben", "GET", "/pool/health")).body;
    expect(before).toMatchObject({ isReady: true, isWriter: true, mailbox: { depth: 0, oldestMs: 0 }, crashes: 0 });
    const project = await world.project("anna");
    const first = await task("anna", project);
    await task("anna", project);
    await waitFor(() => world.pool.snapshot().global.running === 1, "the grant");
    const { body, headers } = await world.ask("ben", "GET", "/pool/health");
    expect(body.commits.count).toBeGreaterThan(before.commits.count);
    expect(body.commits.lastMs).toBeGreaterThan(0);
    expect(body.grants).toMatchObject({ count: before.grants.count + 1, lastMinute: before.grants.lastMinute + 1 });
    expect(body.grants.meanWaitMs).toBeGreaterThanOrEqual(0);
    expect(headers.get("x-pool-version")).toBe(`${body.epoch}.${body.version}`);
    const kinds = new Set([...leaves(body)].map((leaf) => typeof leaf));
    expect([...kinds].sort()).toEqual(["boolean", "number"]);
    world.endAgent(first);
  });

  test("[P22][L4] one person's line: sessions in its order, and those of other projects only counted", async () => {
    const [shared, own] = [await world.project("root", ["anna", "ben"]), await world.project("ben")];
    const ids = [await task("ben", own), await task("ben", shared), await task("ben", own), await task("ben", shared)];
    await waitFor(() => world.pool.snapshot().user("ben").running === 1, "the grant");
    const counts = { userId: "ben", running: 1, max: 1, queued: 3 };
    const mine = (await world.ask("ben", "GET", "/pool/users/ben")).body;
    expect(mine).toMatchObject({ ...counts, elsewhere: { running: 0, queued: 0 } });
    expect(mine.sessions.map(({ id }: { id: string }) => id)).toEqual(ids);
    const seen = (await world.ask("anna", "GET", "/pool/users/ben")).body;
    expect(seen).toMatchObject({ ...counts, elsewhere: { running: 1, queued: 1 } });
    expect(seen.sessions.map(({ id, position }: { id: string; position: number }) => [id, position])).toEqual([
      [ids[1], 1],
      [ids[3], 3],
    ]);
    expect((await world.ask("anna", "GET", "/pool/users/nobody")).status).toBe(404);
  });

  test("[P21] reading costs no turn of the writer, and what is not right does not reach it", async () => {
    await waitFor(() => world.pool.vitals().mailboxDepth === 0, "the writer to rest");
    const [{ commits, ordersTotal }, version] = [world.pool.vitals(), world.pool.snapshot().version];
    const paths = ["/pool", "/pool/health", "/pool/users/ben", "/pool/settings", "/me", "/users/ben"];
    const reads = await Promise.all(
      Array.from({ length: 60 }, (_, turn) => world.ask("ben", "GET", paths[turn % 6] ?? "")),
    );
    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
    const wrong = await Promise.all([
      world.ask("root", "PATCH", "/pool", { body: { globalMax: -1 } }),
      world.ask("root", "PATCH", "/pool", { body: { paused: "yes" } }),
      world.ask("root", "PUT", "/pool/users/ben", { body: { max: 1.5 } }),
      world.ask("root", "PUT", "/pool/users/nobody", { body: { max: 1 } }),
    ]);
    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 404]);
    expect(world.pool.vitals()).toMatchObject({ commits, ordersTotal, mailboxDepth: 0 });
    expect(world.pool.snapshot().version).toBe(version);
  });

  test("[P22] rebuilding from rows answers the same picture, and is counted", async () => {
    await task("root", await world.project("root"));
    await waitFor(() => world.pool.snapshot().user("root").running === 1, "the grant");
    const before = (await world.ask("root", "GET", "/pool")).body;
    const rebuilt = await world.ask("root", "POST", "/pool/rebuild");
    expect(rebuilt.status).toBe(200);
    const { global, users, seats, sessions, limits } = before;
    expect(rebuilt.body).toMatchObject({ global, users, seats, sessions, limits });
    expect((await world.ask("root", "GET", "/pool/health")).body.rebuilds).toBe(1);
  });

  test("[P22] grants of the last minute: older ones are let go of", () => {
    let [now, grants] = [0, 0];
    let changed = () => {};
    const health = createPoolHealth(
      {
        snapshot: () => world.pool.snapshot(),
        vitals: () => ({ ...world.pool.vitals(), grants }),
        subscribe: (listener) => {
          changed = () => listener({ snapshot: world.pool.snapshot(), touched: "all", ended: [], moved: [] });
          return () => {};
        },
      },
      () => now,
    );
    const grant = (at: number) => {
      now = at;
      grants += 1;
      changed();
    };
    for (const at of [1_000, 2_000, 50_000]) grant(at);
    expect(health().grants.lastMinute).toBe(3);
    now = 62_000;
    expect(health().grants.lastMinute).toBe(1);
    now = 111_000;
    expect(health().grants.lastMinute).toBe(0);
  });
});
