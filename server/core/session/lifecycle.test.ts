import { describe, expect, it } from "vitest";
import { DISK_FULL } from "./details";
import { type AgentEnding, outcomeOf, outcomeOfLoss, outcomeOfNoStart } from "./lifecycle";

const ending: AgentEnding = { cause: "exited", exitCode: 0, signal: null, endedAt: 1, outputBytes: 0 };
const HOUR_MS = 3_600_000;
const failed = (kind: string, detail: string | null = null) => ({ status: "failed", failure: { kind, detail } });

describe("what an ending means", () => {
  it("[QUE-1][R3] only exit code 0 without a signal is a success", () => {
    expect(outcomeOf(ending, false, HOUR_MS)).toEqual({ status: "succeeded", failure: null });
    expect(outcomeOf({ ...ending, exitCode: 3 }, false, HOUR_MS)).toEqual(failed("agent-exited"));
    expect(outcomeOf({ ...ending, exitCode: null, signal: "SIGKILL" }, false, HOUR_MS)).toEqual(failed("agent-exited"));
    expect(outcomeOf({ ...ending, exitCode: 0, signal: "SIGKILL" }, false, HOUR_MS)).toEqual(failed("agent-exited"));
  });

  it("[R9] a run that was too long names the limit", () => {
    const tooLong: AgentEnding = { ...ending, cause: "timed-out", exitCode: null, signal: "SIGTERM" };
    expect(outcomeOf(tooLong, false, 2 * HOUR_MS)).toEqual(failed("timed-out", "2 h"));
    expect(outcomeOf(tooLong, false, 90 * 60_000)).toEqual(failed("timed-out", "1 h 30 min"));
    expect(outcomeOf(tooLong, false, 45 * 60_000)).toEqual(failed("timed-out", "45 min"));
    expect(outcomeOf(tooLong, false, 3_000)).toEqual(failed("timed-out", "3 s"));
    const detailOf = (quietMs: number, longestRunMs: number) =>
      outcomeOf({ ...tooLong, quietMs }, false, longestRunMs).failure?.detail;
    expect(detailOf(299_000, 2 * HOUR_MS)).toBe("2 h");
    expect(detailOf(47 * 60_000, 2 * HOUR_MS)).toBe(
      "Stopped after 2 h, the longest run. It had said nothing for 47 min.",
    );
    expect(detailOf(59_000, 60_000)).toBe("Stopped after 1 min, the longest run. It had said nothing for 1 min.");
    expect(detailOf(29_000, 60_000)).toBe("1 min");
  });

  it("[R14][R3] an agent that could not start or had no disk says so", () => {
    const missing: AgentEnding = { ...ending, cause: "could-not-start", exitCode: null, message: "It is not there." };
    expect(outcomeOf(missing, false, HOUR_MS)).toEqual(failed("could-not-start", "It is not there."));
    const full: AgentEnding = { ...ending, cause: "disk-full", exitCode: null, signal: "SIGKILL" };
    expect(outcomeOf(full, false, HOUR_MS)).toEqual(failed("agent-exited", DISK_FULL));
  });

  it("[P17] once a stop was asked for, every ending is cancelled, whatever the exit code", () => {
    const cancelled = { status: "cancelled", failure: null };
    for (const cause of ["exited", "stopped", "timed-out", "could-not-start", "disk-full"] as const) {
      expect(outcomeOf({ ...ending, cause }, true, HOUR_MS)).toEqual(cancelled);
    }
    expect(outcomeOfLoss(true)).toEqual(cancelled);
    expect(outcomeOfNoStart(true, "Something.")).toEqual(cancelled);
  });

  it("[A8][R3] an agent with a protocol succeeds only if it says so and leaves in peace; some exit with 0 although they failed", () => {
    const success = { kind: "success" } as const;
    const limit = { kind: "no-result", sentence: "The usage limit is reached." } as const;
    const silent = { kind: "no-result", sentence: null } as const;
    const bad = { ...ending, exitCode: 1 };
    expect(outcomeOf(ending, false, HOUR_MS, success)).toEqual({ status: "succeeded", failure: null });
    expect(outcomeOf(bad, false, HOUR_MS, success)).toEqual(failed("agent-exited"));
    expect(outcomeOf(ending, false, HOUR_MS, limit)).toEqual(failed("no-result", limit.sentence));
    expect(outcomeOf(bad, false, HOUR_MS, limit)).toEqual(failed("no-result", limit.sentence));
    expect(outcomeOf(ending, false, HOUR_MS, silent)).toEqual(failed("no-result"));
    expect(outcomeOf(bad, false, HOUR_MS, silent)).toEqual(failed("agent-exited"));
    const said = { ...silent, said: "It cannot be run as root." };
    expect(outcomeOf(bad, false, HOUR_MS, said)).toEqual(
      failed("agent-exited", "The agent exited with code 1. It said: “It cannot be run as root.”"),
    );
    // It had reported and had to be ended: its signal says nothing.
    const lingered = { ...ending, exitCode: null, signal: "SIGTERM", lingered: true } as const;
    expect(outcomeOf(lingered, false, HOUR_MS, success)).toEqual({ status: "succeeded", failure: null });
    expect(outcomeOf(lingered, false, HOUR_MS, silent)).toEqual(failed("agent-exited"));
    expect(outcomeOf(ending, true, HOUR_MS, limit)).toEqual({ status: "cancelled", failure: null });
  });

  it("[R3] a runner nobody knows the end of is lost, never a success", () => {
    expect(outcomeOfLoss(false)).toEqual(failed("runner-lost"));
    expect(outcomeOfNoStart(false, "Something.")).toEqual(failed("could-not-start", "Something."));
  });

  it("[R5] what nobody of ours cancelled but was stopped on the machine is cancelled, and says by whom", () => {
    const stopped = { ...ending, cause: "stopped" } as const;
    expect(outcomeOf({ ...stopped, stoppedBy: "operator" }, false, HOUR_MS)).toEqual({
      status: "cancelled",
      failure: { kind: "stopped", detail: "operator" },
    });
    expect(outcomeOf(stopped, false, HOUR_MS)).toEqual({
      status: "cancelled",
      failure: { kind: "stopped", detail: null },
    });
  });
});
