import { afterEach, expect, test, vi } from "vitest";
import { createDraftKeeper, EMPTY_DRAFT, keepDraft, readDraft } from "./draft";

afterEach(() => {
  localStorage.clear();
  vi.useRealTimers();
});

test("[B6] a half-written task is there again after a reload, in its project only, until it was created", () => {
  const draft = { ...EMPTY_DRAFT, title: "Half", prompt: "written" };
  expect(keepDraft("p1", draft)).toBe(true);
  expect(readDraft("p1")).toEqual(draft);
  expect(readDraft("p2")).toEqual(EMPTY_DRAFT);
  keepDraft("p1", EMPTY_DRAFT);
  expect(readDraft("p1")).toEqual(EMPTY_DRAFT);
});

test("[B6] a draft is kept once typing pauses, at once when the page is left, and no more when the task is made", () => {
  vi.useFakeTimers();
  const told: boolean[] = [];
  const keeper = createDraftKeeper("p1", (isKept) => told.push(isKept));
  const half = (title: string) => ({ ...EMPTY_DRAFT, title });
  for (const title of ["H", "Ha", "Hal"]) keeper.later(half(title));
  expect(readDraft("p1")).toEqual(EMPTY_DRAFT);
  vi.runAllTimers();
  expect([readDraft("p1").title, told]).toEqual(["Hal", [true]]);
  keeper.later(half("Half"));
  keeper.now();
  expect(readDraft("p1").title).toBe("Half");
  keeper.later(half("Made"));
  keeper.drop();
  vi.runAllTimers();
  expect(readDraft("p1")).toEqual(EMPTY_DRAFT);
});

test("[B6] megabytes are not kept, and the form is told so", () => {
  expect(keepDraft("p1", { ...EMPTY_DRAFT, prompt: "x".repeat(3_000_000) })).toBe(false);
  expect(localStorage.length).toBe(0);
});
