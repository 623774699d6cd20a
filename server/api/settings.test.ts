import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { waitFor } from "../testing/wait-for";

let world: ApiWorld;

beforeAll(async () => {
  world = await apiWorld();
  await world.addUser("admin", "admin");
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

describe("settings of the installation", () => {
  test("[R14][R12] how long output is kept and a question waits: 30 days, 20 GB, an hour, until somebody changes it", async () => {
    const read = async () => (await world.ask("admin", "GET", "/settings")).body;
    expect(await read()).toEqual({ outputDays: 30, outputMaxBytes: 20_000_000_000, answerWithinSeconds: 3_600 });
    const change = (body: object) => world.ask("admin", "PATCH", "/settings", { body });
    expect((await change({ outputDays: 7 })).body).toMatchObject({ outputDays: 7, answerWithinSeconds: 3_600 });
    expect((await change({ answerWithinSeconds: 600 })).body).toMatchObject({
      outputDays: 7,
      answerWithinSeconds: 600,
    });
    expect((await change({})).status).toBe(200);
    for (const wrong of [{ outputDays: 0 }, { outputMaxBytes: 5 }, { answerWithinSeconds: 1.5 }]) {
      expect((await change(wrong)).status).toBe(400);
    }
    expect(await read()).toEqual({ outputDays: 7, outputMaxBytes: 20_000_000_000, answerWithinSeconds: 600 });
  });

  test("[R14][R6] removed output says so in its own place, and a follower meets the end", async () => {
    const project = await world.project("admin");
    const task = await world.task("admin", project);
    const id = (await world.ask("admin", "POST", `/tasks/${task}/dispatch`)).body.session.id;
    world.endAgent(id);
    const status = async () => (await world.ask("admin", "GET", `/sessions/${id}`)).body.status;
    await waitFor(async () => (await status()) === "succeeded", "the session to be over");
    await world.sql`update sessions set output_removed = true, output_bytes = 4711 where id = ${id}`;
    expect((await world.ask("admin", "GET", `/sessions/${id}`)).body).toMatchObject({ outputRemoved: true });
    const output = (offset: number) => world.ask("admin", "GET", `/sessions/${id}/output?offset=${offset}`);
    const first = await output(0);
    expect(new TextDecoder().decode(first.body)).toBe("[… output removed …]\n");
    expect([first.headers.get("x-next-offset"), first.headers.get("x-complete")]).toEqual(["4711", "true"]);
    expect((await output(4711)).body).toHaveLength(0);
  });
});
