import { expect, test } from "vitest";
import type { PoolPicture } from "@/server/contract/pool";
import { samplePool } from "../board/sample";
import { outlookOf, whatDispatchDoes, wouldBe, wouldBePlace } from "./outlook";

const free = samplePool({ global: { running: 1, max: 20, queued: 0 } });
const nora = (running: number, queued: number, max = 2) => ({ nora: { running, max, queued } });
const hold = { detail: "Codex is not logged in.", until: null };
/** The form, the empty column, the menu. */
const said = (pool: PoolPicture, held: typeof hold | null = null) => [
  wouldBe(pool, "nora", held),
  whatDispatchDoes(pool, "nora", held),
  wouldBePlace(pool, "nora", held),
];

test("[P14][A8] held sessions stand before nobody and take no seat: what comes next starts at once", () => {
  const pool = samplePool({ global: { running: 0, max: 20, queued: 3 }, users: nora(0, 3), held: { nora: 3 } });
  expect(said(pool)).toEqual([
    "You 0/2, 3 held: it would start at once.",
    "20 seats are free. A dispatch starts at once.",
    "starts at once",
  ]);
  const some = samplePool({ global: { running: 9, max: 20, queued: 5 }, users: nora(9, 5, 12), held: { nora: 3 } });
  expect(outlookOf(some, "nora", null)).toEqual({ kind: "starts", freeSeats: 11 });
});

test("[P5][P14] whoever is not held goes first, also while seats are free", () => {
  const pool = samplePool({ global: { running: 9, max: 20, queued: 5 }, users: nora(9, 5, 12), held: { nora: 2 } });
  expect(said(pool)).toEqual([
    "You 9/12, 2 held: it would be position 4.",
    "Your limit is 12: 9 run, 3 go first. A dispatch waits here.",
    "position 4",
  ]);
});

test("[A8] a dispatch to an agent, or in a project, that is held says so and why, whatever room there is", () => {
  for (const pool of [free, { ...free, users: nora(2, 1) }, { ...free, paused: true }]) {
    expect(said(pool, hold)).toEqual([
      "It would be held: Codex is not logged in.",
      "A dispatch is held here: Codex is not logged in.",
      "held",
    ]);
  }
  const until = "2026-03-09T12:00:00.000Z";
  expect(wouldBe(free, "nora", { detail: "Usage limit", until })).toBe("It would be held: Usage limit, until 9 March.");
  expect(wouldBe(free, "nora", { detail: "Usage limit until 15:00.", until })).toBe(
    "It would be held: Usage limit until 15:00.",
  );
});

test("[P16][R14][B13] while the pool is paused, is starting or is short of disk, nothing promises a start", () => {
  expect(said({ ...free, paused: true })[1]).toBe("The pool is paused. A dispatch waits here.");
  expect(said({ ...free, isReady: false })[1]).toBe("The pool is starting. A dispatch waits here.");
  expect(said({ ...free, isDiskShort: true })).toEqual([
    "The server is short of disk: it would be position 1.",
    "The server is short of disk. A dispatch waits here.",
    "position 1",
  ]);
});

test("[P4] a limit of 0 is told as such", () => {
  expect(said({ ...free, limits: { nora: 0 } })).toEqual([
    "Your limit is 0: it would wait until an administrator raises it.",
    "Your limit is 0. A dispatch waits here.",
    "position 1",
  ]);
});

test("[P13] form, empty column and menu say the same of every picture", () => {
  const full = samplePool({ global: { running: 20, max: 20, queued: 0 } });
  const busy = { ...free, users: nora(2, 0) };
  const still = [
    { ...free, paused: true },
    { ...free, isReady: false },
    { ...free, isDiskShort: true },
  ];
  for (const pool of [free, full, busy, { ...full, users: nora(0, 3), held: { nora: 3 } }, ...still]) {
    const [form = "", column = "", menu] = said(pool);
    const startsAtOnce = menu === "starts at once";
    expect([form.endsWith("it would start at once."), column.endsWith("A dispatch starts at once.")]).toEqual([
      startsAtOnce,
      startsAtOnce,
    ]);
  }
  expect(said(full)).toEqual([
    "The pool is full 20/20: it would be position 1.",
    "All seats are taken. A dispatch waits here.",
    "position 1",
  ]);
  expect(said(busy)[1]).toBe("Your limit is 2/2. A dispatch waits here.");
});
