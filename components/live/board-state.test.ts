import { expect, test } from "vitest";
import type { Task } from "../../server/contract/tasks";
import { boardOf, stepBoard } from "./board-state";

function task(id: string, title = id): Task {
  return {
    id,
    projectId: "p",
    number: 1,
    title,
    prompt: "",
    agentId: null,
    column: "backlog",
    session: null,
    sessionCount: 0,
    orderKey: "a",
    branch: null,
    createdBy: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    shelfAt: null,
    shelfBy: null,
    outcome: null,
    pullRequest: null,
    issue: null,
    pushedAt: null,
    pushedBranch: null,
    unsavedIn: null,
  };
}
const snapshot = (version: number, tasks: Task[], epoch = "e") =>
  ({ kind: "snapshot", projectId: "p", epoch, version, tasks }) as const;

test("[L3] cards of the page are replaced by the first snapshot", () => {
  const step = stepBoard(boardOf("p", [task("a"), task("b")]), snapshot(0, [task("a", "new")]));
  if (step.kind !== "next") throw new Error("expected a picture");
  expect(Object.keys(step.picture.tasks)).toEqual(["a"]);
  expect(step.picture.tasks.a?.title).toBe("new");
});

test("[L3] a delta sets cards, takes away deleted ones and keeps the others as they are", () => {
  const first = stepBoard(undefined, snapshot(4, [task("a"), task("b"), task("c")]));
  if (first.kind !== "next") throw new Error("expected a picture");
  const message = {
    kind: "delta",
    projectId: "p",
    epoch: "e",
    from: 4,
    to: 5,
    set: [task("b", "B")],
    gone: ["c"],
  } as const;
  const step = stepBoard(first.picture, { ...message, set: [...message.set], gone: [...message.gone] });
  if (step.kind !== "next") throw new Error("expected a picture");
  expect(Object.keys(step.picture.tasks)).toEqual(["a", "b"]);
  expect(step.picture.tasks.a).toBe(first.picture.tasks.a);
  expect(step.picture.tasks.b?.title).toBe("B");
});

test("[L2] older cards are dropped, a hole or another epoch asks again", () => {
  const first = stepBoard(undefined, snapshot(4, [task("a")]));
  if (first.kind !== "next") throw new Error("expected a picture");
  const delta = { kind: "delta", projectId: "p", epoch: "e", from: 4, to: 5, set: [], gone: [] } as const;
  const step = (change: object) => stepBoard(first.picture, { ...delta, set: [], gone: [], ...change }).kind;
  expect(step({ from: 2, to: 3 })).toBe("old");
  expect(step({ from: 6, to: 7 })).toBe("gap");
  expect(step({ epoch: "other" })).toBe("gap");
  expect(stepBoard(first.picture, snapshot(3, [])).kind).toBe("old");
  expect(stepBoard(first.picture, snapshot(0, [], "other")).kind).toBe("next");
});

test("[L4] a project one may no longer see is closed and shows nothing", () => {
  const step = stepBoard(boardOf("p", [task("a")]), { kind: "closed", projectId: "p" });
  expect(step).toMatchObject({ kind: "next", picture: { isClosed: true, tasks: {} } });
});
