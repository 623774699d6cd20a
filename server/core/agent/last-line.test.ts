import { describe, expect, it } from "vitest";
import { lastActionOf } from "./last-line";

const bytes = (text: string) => new TextEncoder().encode(text);
const said = (text: string) => lastActionOf(bytes(text));

describe("the last action of an agent without a protocol", () => {
  it("[B1] is the last line that is not empty", () => {
    expect(said("one\ntwo\n\n  \n")).toBe("two");
    expect(said("one\ntwo")).toBe("two");
    expect(said("")).toBeNull();
    expect(said("\n \t\n")).toBeNull();
  });

  it("[B1] shows a progress bar's newest state", () => {
    expect(said("10 %\r20 %\r30 %\r")).toBe("30 %");
  });

  it("[B1][S3] holds no colours, links, titles or other control characters", () => {
    expect(said("\u001b[1;31mred\u001b[0m and \u001b]8;;https://x.test\u0007link\u001b]8;;\u0007\u0000\u0007!\n")).toBe(
      "red and link!",
    );
    expect(said("\u001b]0;title\u001b\\shown \u202eturned\u2069\n")).toBe("shown turned");
    expect(said("tab\tbed   wide\n")).toBe("tab bed wide");
  });

  it("[B1] is at most 200 characters, whole ones", () => {
    const long = said(`${"🦁".repeat(300)}\n`) ?? "";
    expect(Array.from(long)).toHaveLength(200);
    expect(long.endsWith("🦁…")).toBe(true);
  });

  it("[B1] is not spoiled by bytes that were cut or are no text", () => {
    const lion = bytes("🦁 roars");
    expect(lastActionOf(lion.subarray(2))).toBe("roars");
    expect(lastActionOf(bytes("ends with 🦁").subarray(0, 12))).toBe("ends with");
    expect(lastActionOf(Uint8Array.of(0xff, 0xfe))).toBeNull();
  });
});
