import { expect, test } from "vitest";
import { PatchReader } from "./diff-patches";

const HUNK = "@@ -1 +1 @@\n-diff --git a/x b/x\n+é\n";
const patchOf = (name: string) => `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n${HUNK}`;

test("[W3] however git's output is split, every file gets its own whole patch", () => {
  const patches = [patchOf("a"), patchOf("b"), patchOf("c"), patchOf("c")];
  const output = Buffer.from(patches.join(""));
  for (let size = 1; size <= output.length; size++) {
    const reader = new PatchReader([{ patches: 1 }, { patches: 1 }, { patches: 2 }]);
    for (let at = 0; at < output.length; at += size) expect(reader.take(output.subarray(at, at + size))).toBe(true);
    expect(reader.end()).toEqual([
      { kind: "whole", text: patches[0] },
      { kind: "whole", text: patches[1] },
      { kind: "whole", text: `${patches[2]}${patches[3]}` },
    ]);
  }
});

test("[W3] no change, no patch", () => {
  expect(new PatchReader([]).end()).toEqual([]);
});

test("[P20] a file of a hundred megabytes is passed over without keeping it", () => {
  const reader = new PatchReader([{ patches: 1 }, { patches: 1 }]);
  reader.take(Buffer.from(patchOf("big")));
  const line = Buffer.from(`+${"x".repeat(65_534)}\n`);
  for (let count = 0; count < 1_600; count++) expect(reader.take(line)).toBe(true);
  reader.take(Buffer.from(patchOf("small")));
  expect(reader.end()).toEqual([{ kind: "cut" }, { kind: "whole", text: patchOf("small") }]);
});
