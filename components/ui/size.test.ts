import { expect, test } from "vitest";
import { sizeOf } from "./size";

test("[B7] bytes are told in the unit that fits", () => {
  const told = [0, 999, 1_000, 12_340, 999_900, 1_000_000, 1_250_000_000, 5_000_000_000_000].map(sizeOf);
  expect(told).toEqual(["0 bytes", "999 bytes", "1.0 kB", "12.3 kB", "999.9 kB", "1.0 MB", "1.3 GB", "5000.0 GB"]);
});
