/** For tests of people and what is theirs, by API: one world for the file that calls it, with an administrator called `root`. */
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type ApiWorld, apiWorld } from "./api-world";

/** Gives the world to `take` before the first test. Nothing may have been logged as a bug when the last is over. */
export function withPeopleWorld(take: (world: ApiWorld, somebody: Somebody) => void): void {
  let world: ApiWorld;
  let people = 0;
  beforeAll(async () => {
    world = await apiWorld();
    await world.addUser("root", "admin");
    take(world, async (role = "member") => {
      const id = `p${++people}`;
      await world.addUser(id, role);
      return id;
    });
  });
  beforeEach(() => {
    world.told.length = 0;
  });
  afterAll(async () => {
    expect(world.bugs).toEqual([]);
    await world.close();
  });
}

/** Somebody new; the id. */
export type Somebody = (role?: "admin" | "member") => Promise<string>;
