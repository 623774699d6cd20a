import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { sampleLive, samplePool, sampleTask } from "../board/sample";
import type { PoolReader } from "../pool/wording";
import { Line, ShortLine } from "./line";
import { lineOf } from "./line-order";

const startsIn = { p50: 960, p80: 1_440 };
const pool = samplePool({
  users: { nora: { running: 0, max: 2, queued: 3 } },
  sessions: {
    a: sampleLive({ position: 1, ahead: 0, waitingFor: { reason: "pool-limit" }, startsIn }),
    b: sampleLive({ position: 2, waitingFor: { reason: "your-limit" }, startsIn: { p50: 3_000, p80: 7_200 } }),
    c: sampleLive({ position: 3, waitingFor: { reason: "your-limit" } }),
  },
});
const reader: PoolReader = { pool, meId: "nora", nameOf: (id) => id, numberOf: () => null };
const line = lineOf(pool, "nora");
const ends = () => screen.getAllByRole("listitem").map((row) => row.querySelector(".end")?.textContent);

afterEach(cleanup);

test("[P15][B8] a line says about when each will start, as a range; without an estimate it says so", () => {
  render(<Line line={line} tasks={{}} reader={reader} />);
  expect(ends()).toEqual(["next · 16–24 min", "50 min – 2 h", "no estimate yet"]);
});

test("[P15][B7] the narrow line has room for one figure and none for a missing one", () => {
  render(<ShortLine line={line} tasks={{}} reader={reader} />);
  expect(ends()).toEqual(["16 min", "50 min", ""]);
});

test("[B8] a line keeps room for its longest number and its highest place, so that all titles begin at one edge", () => {
  const places = samplePool({
    users: { nora: { running: 0, max: 2, queued: 2 } },
    sessions: { a: sampleLive({ taskId: "t9", position: 9 }), b: sampleLive({ taskId: "t10", position: 10 }) },
  });
  const tasks = { t9: sampleTask({ id: "t9", number: 7 }), t10: sampleTask({ id: "t10", number: 12_345 }) };
  render(<Line line={lineOf(places, "nora")} tasks={tasks} reader={{ ...reader, pool: places }} />);
  const { style } = screen.getByRole("list", { name: "Line" });
  expect([style.getPropertyValue("--num-chars"), style.getPropertyValue("--place-chars")]).toEqual(["6", "2"]);
});
