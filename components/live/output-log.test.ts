import { describe, expect, test } from "vitest";
import { OutputLog } from "./output-log";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (log: OutputLog) =>
  log
    .window()
    .pieces.map((piece) => piece.text)
    .join("");

function arrival(offset: number, bytes: Uint8Array, complete = false) {
  return { offset, next: offset + bytes.length, bytes, complete };
}

describe("a window on output", () => {
  test("[R6][LOG-2] a character that is cut in two by messages is shown whole", () => {
    const bytes = bytesOf("a≤é😀b\n");
    const log = new OutputLog();
    for (let at = 0; at < bytes.length; at++) log.take(arrival(at, bytes.subarray(at, at + 1)));
    expect(textOf(log)).toBe("a≤é😀b\n");
  });

  test("[L3][LOG-4] what comes twice is shown once, what leaves a hole is refused", () => {
    const log = new OutputLog();
    expect(log.take(arrival(0, bytesOf("one\n")))).toBe("taken");
    expect(log.take(arrival(0, bytesOf("one\n")))).toBe("old");
    expect(log.take(arrival(2, bytesOf("e\ntwo\n")))).toBe("taken");
    expect(log.take(arrival(20, bytesOf("later")))).toBe("gap");
    expect(textOf(log)).toBe("one\ntwo\n");
    expect(log.window().end).toBe(8);
  });

  test("[R6] the line that stands for left-out output takes no offsets", () => {
    const log = new OutputLog();
    log.take(arrival(0, bytesOf("head\n")));
    const hole = bytesOf("[… 995 bytes left out …]\ntail\n");
    log.take({ offset: 5, next: 1_005, bytes: hole, complete: true });
    expect(textOf(log)).toBe("head\n[… 995 bytes left out …]\ntail\n");
    expect(log.window()).toMatchObject({ start: 0, end: 1_005, isComplete: true });
  });

  test("[L3] an empty last message tells that nothing follows", () => {
    const log = new OutputLog();
    log.take(arrival(0, bytesOf("done\n")));
    expect(log.window().isComplete).toBe(false);
    log.take(arrival(5, new Uint8Array(), true));
    expect(log.window().isComplete).toBe(true);
  });

  test("[LOG-3] memory is bounded: the oldest output is let go, the end stays", () => {
    const log = new OutputLog(0, 200_000);
    const line = bytesOf(`${"x".repeat(999)}\n`);
    for (let at = 0; at < 2_000; at++) log.take(arrival(at * line.length, line));
    const window = log.window();
    const held = window.pieces.reduce((sum, piece) => sum + piece.bytes.length, 0);
    expect(held).toBeLessThanOrEqual(200_000);
    expect(window.end).toBe(2_000_000);
    expect(window.start).toBe(2_000_000 - held);
  });

  test("[LOG-3] one who follows leaps to the end: the window begins anew with a whole line, and says how much is before it", () => {
    const log = new OutputLog();
    log.take(arrival(0, bytesOf("one\ntwo\nhalf a li")));
    const flood = arrival(90_000_000, bytesOf("st of a line\nlast but one\nlast\n"));
    expect(log.take(flood)).toBe("gap");
    log.leap(flood);
    expect(textOf(log)).toBe("last but one\nlast\n");
    expect(log.window()).toMatchObject({ start: 90_000_013, end: 90_000_031 });
    log.take(arrival(90_000_031, bytesOf("more\n"), true));
    expect(textOf(log)).toBe("last but one\nlast\nmore\n");
  });

  test("[LOG-3][LOG-4] one who reads backwards lets go of the newest, and reads it again byte for byte", () => {
    const lines = Array.from({ length: 60_000 }, (_, place) => `line ${place} €uro\n`).join("");
    const bytes = bytesOf(lines);
    const log = new OutputLog(0, 400_000);
    const middle = 500_000;
    log.leap(arrival(middle, bytes.subarray(middle, middle + 100_000)));
    for (let { start } = log.window(); start > 0; { start } = log.window()) {
      const from = Math.max(0, start - 64_000);
      log.prepend(from, bytes.subarray(from, start));
    }
    const { end, pieces, isComplete } = log.window();
    expect(pieces.reduce((sum, piece) => sum + piece.bytes.length, 0)).toBeLessThanOrEqual(400_000);
    expect([end < middle, isComplete, log.isFull]).toEqual([true, false, true]);
    log.makeRoom();
    expect(log.isFull).toBe(false);
    const { start } = log.window();
    // Cut where a character has three bytes, too.
    for (let at = end; !log.isFull; at += 1_001) log.take(arrival(at, bytes.subarray(at, at + 1_001)));
    expect(log.window().start).toBe(start);
    expect(textOf(log)).toBe(new TextDecoder().decode(bytes.subarray(start, log.window().end), { stream: true }));
  });

  test("[R6] a window that starts in the middle starts with a line, and what was before fits exactly", () => {
    const bytes = bytesOf("première\nzweite Zeile\n第三\nend\n");
    const log = new OutputLog(6);
    log.take(arrival(6, bytes.subarray(6)));
    expect(textOf(log)).toBe("zweite Zeile\n第三\nend\n");
    const { start } = log.window();
    log.prepend(0, bytes.subarray(0, start));
    expect(textOf(log)).toBe(new TextDecoder().decode(bytes));
    expect(log.window().start).toBe(0);
  });

  test("[R6] without any line break a window still starts with a whole character", () => {
    const bytes = bytesOf("😀😀😀");
    const log = new OutputLog(2);
    log.take(arrival(2, bytes.subarray(2)));
    expect(textOf(log)).toBe("😀😀");
    log.prepend(0, bytes.subarray(0, log.window().start));
    expect(textOf(log)).toBe("😀😀😀");
  });
});
