import { expect, test } from "vitest";
import { initialsOf } from "./person";

test("[B2] initials are letters, whatever else stands in a name", () => {
  expect(initialsOf("Ada Lovelace")).toBe("AL");
  expect(initialsOf("ada")).toBe("A");
  expect(initialsOf("Bob <b>bold</b>")).toBe("B");
  expect(initialsOf("<b> Bob (works) Özil")).toBe("BÖ");
  expect(initialsOf("王 小明")).toBe("王小");
});

test("[B2] a name without a letter is its first whole character", () => {
  expect(initialsOf(" 🦊 🐻 ")).toBe("🦊");
  expect(initialsOf("")).toBe("");
});
