import { expect, test } from "vitest";
import { cap } from "../../server/contract/common";
import { capMistake } from "./cap";

test("[P4] the form takes the caps the server takes, and says the range of those it does not", () => {
  for (const text of ["0", "2", "100000", "100001", "99999999999"]) {
    expect(capMistake(text) === null, text).toBe(cap.safeParse(Number(text)).success);
  }
  for (const text of ["", "-1", "1.5", "two", "99999999999"]) {
    expect(capMistake(text), text).toBe("A whole number from 0 to 100,000.");
  }
});
