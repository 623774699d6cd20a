import { expect, test } from "vitest";
import type { KeptPiece, KeptWish } from "../live/kept-output";
import { OutputLog } from "../live/output-log";
import { OutputRows, textOfRow } from "./output-rows";
import { searchKept } from "./search-kept";
import type { Way } from "./use-find";

const PAGE = 1_572_864;
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Kept output, read as the server gives it out. */
function kept(bytes: Uint8Array) {
  const wishes: KeptWish[] = [];
  const read = async (wish: KeptWish): Promise<KeptPiece> => {
    wishes.push(wish);
    const next = "before" in wish ? wish.before : Math.min(bytes.length, wish.offset + wish.limit);
    const offset = "before" in wish ? Math.max(0, next - wish.limit) : wish.offset;
    return { offset, next, bytes: bytes.subarray(offset, next) };
  };
  return { read, wishes };
}

function windowOn(bytes: Uint8Array, from: number, to: number) {
  const log = new OutputLog(from);
  log.take({ offset: from, next: to, bytes: bytes.subarray(from, to), complete: to === bytes.length });
  return log.window();
}

async function rowsFound(bytes: Uint8Array, [from, to]: [number, number], way: Way, sought: string) {
  const { read, wishes } = kept(bytes);
  const looked: number[] = [];
  const hit = await searchKept({
    window: windowOn(bytes, from, to),
    way,
    sought,
    read,
    looked: (count) => looked.push(count),
  });
  if (hit === null) return { text: null, wishes, looked };
  const log = new OutputLog();
  log.leap(hit.page);
  // The page becomes the window: the row must be in it under the same key.
  const row = new OutputRows().of(log.window().pieces).find(({ key }) => key === hit.key);
  return { text: row === undefined ? undefined : textOfRow(row), wishes, looked };
}

const filler = "x".repeat(99);
const lines = (count: number) => `${filler}\n`.repeat(count);

test("[LOG-3][B7] the nearest hit before and behind the window is found, in other letters and between colours", async () => {
  const early = "first N\u001b[31mEED\u001b[0mLE\n";
  const text = `${early}second needle\n${lines(40_000)}third needle\n${lines(40_000)}fourth NEEDLE\n`;
  const bytes = bytesOf(text);
  const end = bytes.length;
  expect(await rowsFound(bytes, [end - 100_000, end], -1, "needle")).toMatchObject({ text: "third needle" });
  expect(await rowsFound(bytes, [2_000_000, 2_100_000], -1, "needle")).toMatchObject({ text: "second needle" });
  expect(await rowsFound(bytes, [2_000_000, 2_100_000], -1, "first needle")).toMatchObject({ text: "first NEEDLE" });
  expect(await rowsFound(bytes, [0, 100_000], 1, "needle")).toMatchObject({ text: "third needle" });
  expect(await rowsFound(bytes, [5_000_000, 5_100_000], 1, "needle")).toMatchObject({ text: "fourth NEEDLE" });
});

test("[LOG-3] a hit across the border of two pages is found, wherever the border cuts the line", async () => {
  for (const [way, window] of [[-1, 4_500_000] as const, [1, 100_000] as const]) {
    const border = way < 0 ? window - PAGE : window + PAGE;
    for (const into of [0, 1, 7, 12, 13]) {
      const before = lines(Math.ceil(border / 100)).slice(0, border - into - 1);
      const text = `${before}\nthe néedle 1\n${lines(40_000)}`;
      const bytes = bytesOf(text);
      const [from, to] = way < 0 ? [window, window + 50_000] : [0, window];
      expect((await rowsFound(bytes, [from, to], way, "the néedle")).text).toMatch(/^the néedle/);
    }
  }
});

test("[LOG-3] a hit at the window's own edge is found, also in a line without an end", async () => {
  const bytes = bytesOf(`${"y".repeat(1_999_300)}needle${"y".repeat(3_000_000)}`);
  for (const [from, to, way] of [
    [1_999_303, 2_500_000, -1],
    [1_000_000, 1_999_303, 1],
    [1_999_303 + PAGE, 3_600_000, -1],
    [0, 1_999_303 - PAGE, 1],
  ] as const) {
    expect((await rowsFound(bytes, [from, to], way, "needle")).text).toContain("needle");
  }
});

test("[LOG-3] what is nowhere is looked for to the end of what is kept, once and page by page", async () => {
  const bytes = bytesOf(lines(40_000));
  const back = await rowsFound(bytes, [3_900_000, 4_000_000], -1, "needle");
  expect(back.text).toBeNull();
  expect(back.wishes.map((wish) => "before" in wish && wish.before)).toEqual([
    3_900_100,
    3_900_100 - PAGE,
    3_900_100 - 2 * PAGE,
  ]);
  expect(back.looked.at(-1)).toBeGreaterThanOrEqual(3_900_000);
  const on = await rowsFound(bytes, [0, 100_000], 1, "needle");
  expect(on.text).toBeNull();
  expect(on.wishes.map((wish) => "offset" in wish && wish.offset)).toEqual([
    100_000,
    100_000 + PAGE,
    100_000 + 2 * PAGE,
    4_000_000,
  ]);
});

test("[R6][LOG-3] the search goes over the hole of a long output, and finds what stands on either side of it", async () => {
  const head = bytesOf("early needle\nhalf a li");
  const hole = { from: head.length, to: 90_000_000 };
  const tail = bytesOf("ne with the tail word\nlast line\n");
  const line = bytesOf("\n[… 89 MB left out …]\n");
  const wishes: number[] = [];
  const read = async (wish: KeptWish): Promise<KeptPiece> => {
    if (!("before" in wish)) throw new Error("only backwards");
    wishes.push(wish.before);
    if (wish.before > hole.to)
      return { offset: hole.to, next: wish.before, bytes: tail.subarray(0, wish.before - hole.to) };
    const bytes = new Uint8Array([...head, ...line]);
    return { offset: 0, next: wish.before, bytes };
  };
  const log = new OutputLog(hole.to);
  log.take({ offset: hole.to, next: hole.to + tail.length, bytes: tail, complete: true });
  const search = (sought: string) => searchKept({ window: log.window(), way: -1, sought, read, looked: () => {} });
  expect(await search("tail word")).toMatchObject({ page: { offset: hole.to } });
  expect(await search("early needle")).toMatchObject({ page: { offset: 0, next: hole.to + 22 } });
  expect(await search("nowhere")).toBeNull();
});
