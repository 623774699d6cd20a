import { expect, test } from "vitest";
import { createProjectDesk, type ProjectDeskParts } from "./project-desk";

const URL = "https://example.test/shop.git";
const broken = new Error("the row was refused");

/** A desk whose row cannot be written; `found` answers what is there afterwards. Notes what was discarded. */
function deskWith(found: () => Promise<unknown>, workspace: Partial<ProjectDeskParts["workspace"]> = {}) {
  const discarded: string[] = [];
  const desk = createProjectDesk({
    projects: { create: () => Promise.reject(broken), project: found },
    workspace: {
      clone: async () => ({ kind: "ok", path: "/clones/p1", defaultBranch: "main" }),
      refuseBase: async () => null,
      discard: async (id: string) => void discarded.push(id),
      ...workspace,
    },
    clock: { now: () => 0, monotonic: () => 0 },
    newId: () => "p1",
  } as unknown as ProjectDeskParts);
  const create = (baseBranch?: string) => desk.create("ada", { name: "Shop", repository: URL, baseBranch });
  return { create, discarded };
}

test("[W1] of a project whose row could not be written nothing stays, neither clone nor login", async () => {
  const { create, discarded } = deskWith(async () => null);
  await expect(create()).rejects.toBe(broken);
  expect(discarded).toEqual(["p1"]);
});

test("[W1][R10] when nobody can tell whether the row was written, the clone stays", async () => {
  const written = deskWith(async () => ({ id: "p1" }));
  const away = deskWith(() => Promise.reject(new Error("the database is away")));
  for (const { create, discarded } of [written, away]) {
    await expect(create()).rejects.toBe(broken);
    expect(discarded).toEqual([]);
  }
});

test("[W1] a base branch that cannot be looked at leaves no clone either", async () => {
  const { create, discarded } = deskWith(async () => null, { refuseBase: () => Promise.reject(broken) });
  await expect(create("dev")).rejects.toBe(broken);
  expect(discarded).toEqual(["p1"]);
});
