import { describe, expect, it } from "vitest";
import { SESSION_PHASES } from "../words";
import { judge, mustBeStopped, type Sighting, type Standing } from "./recovery";

const ending = { cause: "exited", exitCode: 0, signal: null, endedAt: 1, outputBytes: 2 } as const;
const starting: Standing = { phase: "starting", mayStillClaim: false, isStopping: false };

const present: Sighting = { kind: "present" };
const exited: Sighting = { kind: "exited", ending };
const gone: Sighting = { kind: "gone" };
const orphaned: Sighting = { kind: "orphaned" };
const unknown: Sighting = { kind: "unknown" };
const unclaimed: Sighting = { kind: "unclaimed", hostPid: null };
const coming: Sighting = { kind: "unclaimed", hostPid: 7 };

describe("row × probe", () => {
  it("[R3] whatever the phase: present is followed, exited is finished, gone is lost, orphans are ended first, unknown waits", () => {
    for (const phase of SESSION_PHASES) {
      const standing = { ...starting, phase };
      expect(judge(standing, present)).toEqual({ kind: "follow" });
      expect(judge(standing, exited)).toEqual({ kind: "finish", ending });
      expect(judge(standing, gone)).toEqual({ kind: "lost" });
      expect(judge(standing, orphaned)).toEqual({ kind: "end-tree" });
      expect(judge(standing, unknown)).toEqual({ kind: "wait" });
    }
  });

  it("[R2] a start that nobody claimed is given up, but not while its own host may still come", () => {
    expect(judge(starting, unclaimed)).toEqual({ kind: "give-up" });
    expect(judge(starting, coming)).toEqual({ kind: "give-up" });
    expect(judge({ ...starting, mayStillClaim: true }, coming)).toEqual({ kind: "wait" });
    expect(judge({ ...starting, mayStillClaim: true }, unclaimed)).toEqual({ kind: "give-up" });
  });

  it("[R2][P17] a cancel waits for no host", () => {
    expect(judge({ ...starting, mayStillClaim: true, isStopping: true }, coming)).toEqual({ kind: "give-up" });
    expect(judge({ ...starting, phase: "stopping", isStopping: true }, unclaimed)).toEqual({ kind: "give-up" });
  });

  it("[R11] an agent the row knows of is never given up and run again, even if its run folder was removed", () => {
    for (const phase of ["working", "asking", "saving"] as const) {
      expect(judge({ ...starting, phase }, unclaimed)).toEqual({ kind: "lost" });
    }
  });

  it("[R3] a runner without a row is stopped if anything of it lives or may come to life", () => {
    expect([present, orphaned, coming].map(mustBeStopped)).toEqual([true, true, true]);
    expect([exited, gone, unknown, unclaimed].map(mustBeStopped)).toEqual([false, false, false, false]);
  });
});
