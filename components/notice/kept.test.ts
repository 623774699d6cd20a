import { afterEach, expect, test, vi } from "vitest";
import { keptFor } from "./kept";
import type { Notice } from "./notices";

const notice = (number: number): Notice => ({ id: `s${number} gone`, projectId: "p", number, head: "", text: "" });
const numbers = (personId: string) =>
  keptFor(personId)
    .read()
    .map(({ number }) => number);

afterEach(() => {
  localStorage.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("[B14] what one was told of is kept for oneself, once, until it was seen", () => {
  const kept = keptFor("nora");
  kept.add([notice(1), notice(2)]);
  keptFor("nora").add([notice(2), notice(3)]);
  keptFor("ben").add([notice(4)]);
  kept.remove(["s1 gone"]);
  expect([numbers("nora"), numbers("ben")]).toEqual([[2, 3], [4]]);
  kept.clear();
  expect([numbers("nora"), numbers("ben")]).toEqual([[], [4]]);
});

test("[B14] after a week it is no news, and of very many the newest are kept", () => {
  vi.useFakeTimers({ now: new Date("2026-01-01T12:00:00Z") });
  keptFor("nora").add(Array.from({ length: 120 }, (_, n) => notice(n)));
  expect([numbers("nora").length, numbers("nora")[0]]).toEqual([100, 20]);
  vi.setSystemTime(new Date("2026-01-08T13:00:00Z"));
  expect(numbers("nora")).toEqual([]);
});

test("[B14] whatever the browser holds there, or refuses to hold, nothing breaks", () => {
  for (const odd of ["", "{", "null", "[1]", '[{"at":1}]', '[{"at":"x","notice":{}}]', '{"at":1}']) {
    localStorage.setItem("camelot.unseen.nora", odd);
    expect(numbers("nora")).toEqual([]);
  }
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new Error("full");
  });
  keptFor("nora").add([notice(1)]);
});
