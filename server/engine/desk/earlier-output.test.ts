import { expect, test } from "vitest";
import type { Runner } from "../../ports/runner";
import { readBefore } from "./earlier-output";

const RUN = { sessionId: "s", attempt: 1 };
const HEAD = "0123456789";
const TAIL = "uvwxyz";
const HOLE = { from: 10, to: 20 };
const LINE = "[… 10 bytes left out …]\n";

/** Ten bytes, a hole of ten, six bytes: as a runner that keeps the beginning and the end of a long output. */
const holed: Pick<Runner, "read" | "extent"> = {
  extent: async () => ({ end: 26, hole: HOLE, lastAt: 0 }),
  async read(_run, offset, limit) {
    const bytes = (text: string) => new TextEncoder().encode(text);
    if (offset < HOLE.from) {
      const kept = HEAD.slice(offset, offset + limit);
      return { bytes: bytes(kept), next: offset + kept.length, complete: false };
    }
    const from = Math.max(offset, HOLE.to);
    const kept = TAIL.slice(from - HOLE.to, from - HOLE.to + limit);
    return { bytes: bytes((from > offset ? LINE : "") + kept), next: from + kept.length, complete: false };
  },
};

async function before(offset: number, limit: number) {
  const { bytes, ...rest } = await readBefore(holed, RUN, offset, limit);
  return { text: new TextDecoder().decode(bytes), ...rest };
}

test("[LOG-3][R6] read backwards, every kept byte comes once, and the hole is told where it is", async () => {
  expect(await before(26, 4)).toEqual({ text: "wxyz", offset: 22, next: 26 });
  expect(await before(22, 4)).toEqual({ text: "uv", offset: 20, next: 22 });
  expect(await before(20, 4)).toEqual({ text: `6789${LINE}`, offset: 6, next: 20 });
  expect(await before(6, 4)).toEqual({ text: "2345", offset: 2, next: 6 });
  expect(await before(2, 4)).toEqual({ text: "01", offset: 0, next: 2 });
  expect(await before(0, 4)).toEqual({ text: "", offset: 0, next: 0 });
});

test("[LOG-3] asked from beyond the end, it gives the end", async () => {
  expect(await before(5_000, 3)).toEqual({ text: "xyz", offset: 23, next: 26 });
});
