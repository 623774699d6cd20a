import { afterEach, expect, test } from "vitest";
import { EMPTY_DRAFT, keepDraft, readDraft } from "./draft";

afterEach(() => localStorage.clear());

test("[B6] a half-written task is there again after a reload, in its project only, until it was created", () => {
  const draft = { ...EMPTY_DRAFT, title: "Half", prompt: "written" };
  expect(keepDraft("p1", draft)).toBe(true);
  expect(readDraft("p1")).toEqual(draft);
  expect(readDraft("p2")).toEqual(EMPTY_DRAFT);
  keepDraft("p1", EMPTY_DRAFT);
  expect(readDraft("p1")).toEqual(EMPTY_DRAFT);
});
