import { describe, expect, it } from "vitest";
import type { OutputChunk } from "../../ports/runner";
import { createOutputTail } from "./output-tail";

const run = { sessionId: "s", attempt: 1 };

function growing() {
  let output = Buffer.alloc(0);
  let reads = 0;
  return {
    print(text: string) {
      output = Buffer.concat([output, Buffer.from(text)]);
    },
    get reads() {
      return reads;
    },
    get length() {
      return output.length;
    },
    async read(_run: unknown, offset: number, limit: number): Promise<OutputChunk> {
      reads += 1;
      const bytes = output.subarray(offset, offset + limit);
      return { bytes, next: offset + bytes.length, complete: false };
    },
  };
}

describe("keeping up with output", () => {
  it("[B1] a line that comes in pieces is seen whole", async () => {
    const output = growing();
    const tail = createOutputTail(output, run);
    output.print("first\nsec");
    expect(String(await tail.newest())).toBe("first\nsec");
    output.print("ond\n");
    expect(String(await tail.newest())).toBe("first\nsecond\n");
    expect(await tail.newest()).toBeNull();
  });

  it("[P20] a hundred megabytes are leapt over in few reads, and the end is found", async () => {
    const output = growing();
    const tail = createOutputTail(output, run);
    output.print(`${"x".repeat(100_000_000)}\nthe end\n`);
    const seen = String(await tail.newest());
    expect(seen.endsWith("\nthe end\n")).toBe(true);
    expect(tail.offset).toBe(output.length);
    expect(output.reads).toBeLessThan(200);
  });
});
