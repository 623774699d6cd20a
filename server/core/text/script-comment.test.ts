import { expect, test } from "vitest";
import { asScriptComment, runsNothing } from "./script-comment";

test.each([
  ["", true],
  ["\n \t\r\n", true],
  ["# one\n\n  # two", true],
  ["#!/bin/bash\n", true],
  [asScriptComment("Resolve it:\n\n- $(id)\r- b"), true],
  ["# one\nmake", false],
  ["make # one", false],
  [": # does nothing, but is a script", false],
])("[A2] of the script %j it is known whether nothing is run: %s", (script, isNothing) => {
  expect(runsNothing(script)).toBe(isNothing);
});
