import { expect, test } from "vitest";
import { OutputLog } from "../live/output-log";
import { textOfLine } from "./ansi";
import { OutputRows } from "./output-rows";

const bytesOf = (text: string) => new TextEncoder().encode(text);

function arrive(log: OutputLog, text: string): void {
  const { end } = log.window();
  const bytes = bytesOf(text);
  log.take({ offset: end, next: end + bytes.length, bytes, complete: false });
}

test("[B7][B12] rows that were read stay the same objects with the same keys while output grows", () => {
  const log = new OutputLog();
  const rows = new OutputRows();
  arrive(log, "one\ntwo\nthr");
  const first = rows.of(log.window().pieces);
  arrive(log, "ee\nfour\n");
  const second = rows.of(log.window().pieces);
  expect(second.map(({ line }) => textOfLine(line))).toEqual(["one", "two", "three", "four"]);
  expect(second[0]).toBe(first[0]);
  expect(second[1]).toBe(first[1]);
  expect(second[2]?.key).toBe(first[2]?.key);
  expect(new Set(second.map(({ key }) => key)).size).toBe(4);
});

test("[LOG-4] counted lines in small pieces are there once each and in order, also when the oldest are let go", () => {
  const log = new OutputLog(0, 100_000);
  const rows = new OutputRows();
  for (let count = 1; count <= 30_000; count++) {
    arrive(log, `line ${count}\n`);
    if (count % 997 === 0) rows.of(log.window().pieces);
  }
  const seen = rows.of(log.window().pieces).map(({ line }) => Number(textOfLine(line).slice(5)));
  expect(seen.at(-1)).toBe(30_000);
  expect(seen).toEqual(seen.map((_, place) => (seen[0] ?? 0) + place));
  expect(seen[0]).toBeGreaterThan(1);
});

test("[LOG-4] reading older output puts rows before the held ones and keeps their keys", () => {
  const whole = Array.from({ length: 50 }, (_, place) => `line ${place + 1}\n`).join("");
  const start = whole.indexOf("line 40");
  const log = new OutputLog(start);
  const rows = new OutputRows();
  log.take({ offset: start, next: whole.length, bytes: bytesOf(whole.slice(start)), complete: true });
  const before = rows.of(log.window().pieces);
  log.prepend(0, bytesOf(whole.slice(0, log.window().start)));
  const after = rows.of(log.window().pieces);
  expect(after.map(({ line }) => textOfLine(line))).toEqual(
    Array.from({ length: 50 }, (_, place) => `line ${place + 1}`),
  );
  expect(after.slice(-before.length).map(({ key }) => key)).toEqual(before.map(({ key }) => key));
});
