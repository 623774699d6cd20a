import { describe, expect, test } from "vitest";
import type { Column } from "@/server/core/words";
import type { BoardCard } from "./columns";
import { dropOf } from "./drops";
import { sampleLive, sampleSession, sampleTask } from "./sample";

const help = { meId: "nora", placeOf: () => "position 4" };

function card(column: Column, change: Partial<BoardCard> = {}): BoardCard {
  const hasRun = column === "review" || column === "done" || column === "running";
  const session = hasRun ? sampleSession({ startedAt: "2026-01-01T12:00:00.000Z" }) : null;
  const live = column === "waiting" || column === "running" ? sampleLive() : null;
  return { task: sampleTask({ column, session }), column, live, liveId: live === null ? null : "s1", ...change };
}

describe("dropping a card", () => {
  test("[B3] from Backlog or Review on Waiting dispatches or retries, and says which place it would be", () => {
    expect(dropOf(card("backlog"), "waiting", null, help)).toEqual({
      kind: "dispatch",
      label: "Dispatch · position 4",
    });
    expect(dropOf(card("review"), "waiting", null, help)).toEqual({ kind: "dispatch", label: "Retry · position 4" });
  });

  test("[B3] who waits for another session goes back to Review, who waits for the first one has nothing to review", () => {
    const waits = (sessionCount: number) =>
      dropOf(card("waiting", { task: sampleTask({ session: sampleSession(), sessionCount }) }), "review", null, help);
    expect(waits(2)).toEqual({ kind: "move", label: "Withdraw · to Review" });
    expect(waits(1)).toEqual({ kind: "nothing", label: "No session has run yet" });
  });

  test("[B3] nobody puts a card into Running, and a done one is reopened first", () => {
    for (const from of ["backlog", "waiting", "review", "done"] as const) {
      expect(dropOf(card(from), "running", null, help).kind).toBe("nothing");
    }
    expect(dropOf(card("done"), "waiting", null, help)).toEqual({
      kind: "nothing",
      label: "Move it to Review or Backlog first",
    });
  });

  test("[B3] out of Waiting withdraws and out of Running stops: the target says so", () => {
    expect(dropOf(card("waiting"), "backlog", null, help)).toEqual({ kind: "move", label: "Withdraw · to Backlog" });
    expect(dropOf(card("running"), "done", null, help)).toEqual({
      kind: "move",
      label: "Stop and move to Done · asks first",
    });
  });

  test("[B3] within Backlog it orders, within Waiting only one's own line", () => {
    const other = card("backlog", { task: sampleTask({ id: "t2" }) });
    expect(dropOf(card("backlog"), "backlog", other, help)).toEqual({ kind: "order", before: other });
    expect(dropOf(card("waiting"), "waiting", null, help).kind).toBe("reorder-line");
    const theirs = card("waiting", { live: sampleLive({ userId: "mira" }) });
    expect(dropOf(theirs, "waiting", null, help).kind).toBe("nothing");
    expect(dropOf(card("review"), "review", null, help).kind).toBe("nothing");
  });

  test("[B3] in Review there is something to look at", () => {
    expect(dropOf(card("backlog"), "review", null, help)).toEqual({ kind: "nothing", label: "No session has run yet" });
    expect(dropOf(card("review"), "done", null, help)).toEqual({ kind: "move", label: "Move to Done" });
  });
});
