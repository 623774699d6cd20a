import { expect, it } from "vitest";
import { parsePsLine } from "./process-table";

it("[R4] reads the columns of ps where there is no /proc", () => {
  const line = "  812     1   812      0 Ss   Mon Nov 30 00:30:00 2026 sleep 5 A=b CAMELOT_RUN=x.s1.1 B=c";
  expect(parsePsLine(line)).toEqual({
    pid: 812,
    parent: 1,
    group: 812,
    session: 0,
    start: "Mon Nov 30 00:30:00 2026",
    mark: "x.s1.1",
  });
  expect(parsePsLine("  812 1 812 0 Z Mon Nov 30 00:30:00 2026 <defunct>")).toBeNull();
});
