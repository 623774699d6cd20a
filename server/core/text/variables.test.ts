import { describe, expect, test } from "vitest";
import { maskText } from "./masking";
import { maskedValues, refusedVariable } from "./variables";

const plain = { name: "NODE_ENV", value: "test", isSecret: false };

describe("a project's variables", () => {
  test("[A1] names are what every program can be given, PATH included", () => {
    for (const name of ["NODE_ENV", "_x", "PATH", "LD_PRELOAD", "a1"]) {
      expect(refusedVariable({ ...plain, name })).toBeNull();
    }
    for (const name of ["", "1A", "A-B", "A B", "A=B", "Ä", "A\n", "x".repeat(201)]) {
      expect(refusedVariable({ ...plain, name }), name).toMatch(/^A variable's name/);
    }
  });

  test("[A1] what Camelot itself tells agents cannot be replaced", () => {
    for (const name of ["CAMELOT_SESSION", "CAMELOT_RUN", "camelot_x"]) {
      expect(refusedVariable({ ...plain, name })).toMatch(/Camelot's own/);
    }
  });

  test("[A3] a secret under 8 characters is refused as a secret, and may be kept as a plain variable", () => {
    expect(refusedVariable({ ...plain, value: "1234567", isSecret: true })).toMatch(/8 characters or more/);
    expect(refusedVariable({ ...plain, value: "1234567  \n", isSecret: true })).toMatch(/8 characters or more/);
    expect(refusedVariable({ ...plain, value: "1234567" })).toBeNull();
    expect(refusedVariable({ ...plain, value: "12345678", isSecret: true })).toBeNull();
  });

  test("[A2] what no program can be given is refused: NUL, and values beyond what Linux passes on", () => {
    expect(refusedVariable({ ...plain, value: "a\u0000b" })).toMatch(/NUL/);
    expect(refusedVariable({ ...plain, value: "x".repeat(100_000) })).toBeNull();
    expect(refusedVariable({ ...plain, value: "é".repeat(50_001) })).toMatch(/100 KB/);
  });

  test("[A3] a secret that was entered with a line break is masked without it too", () => {
    const secrets = maskedValues("correct horse\n");
    expect(maskText("token=correct horse!", secrets)).toBe("token=***!");
    expect(maskedValues("correct horse")).toEqual(["correct horse"]);
  });
});
