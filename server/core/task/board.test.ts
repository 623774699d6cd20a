import { describe, expect, test } from "vitest";
import { COLUMNS, type Column } from "../words";
import { type CardState, columnOf, decideMove } from "./board";

const never: CardState = { shelf: "backlog", shelfSessionId: null, live: null, newestStartedId: null };
const cards: Record<Column, CardState> = {
  backlog: never,
  waiting: { ...never, live: "queued" },
  running: { ...never, live: "running", newestStartedId: "s1" },
  review: { ...never, newestStartedId: "s1" },
  done: { shelf: "done", shelfSessionId: "s1", live: null, newestStartedId: "s1" },
};
const go = (from: Column, column: Column, isConfirmed = false) => decideMove(cards[from], { column, isConfirmed });

describe("[P13][B3] a card's column is computed", () => {
  test.each(COLUMNS)("[P13] %s is what the sessions and the shelf say", (column) => {
    expect(columnOf(cards[column])).toBe(column);
  });

  test("[P13] an ended session puts the card into Review, until a person moves it on", () => {
    const ended: CardState = { ...never, newestStartedId: "s1" };
    expect(columnOf(ended)).toBe("review");
    expect(columnOf({ ...ended, shelf: "done", shelfSessionId: "s1" })).toBe("done");
    expect(columnOf({ ...ended, shelf: "backlog", shelfSessionId: "s1" })).toBe("backlog");
    expect(columnOf({ ...ended, shelf: "done", shelfSessionId: "s1", newestStartedId: "s2" })).toBe("review");
  });

  test("[B3] a session withdrawn while it waited sends its card home", () => {
    for (const home of ["backlog", "review"] as const) {
      const waiting: CardState = { ...cards[home], live: "queued" };
      expect(columnOf(waiting)).toBe("waiting");
      expect(columnOf({ ...waiting, live: null })).toBe(home);
    }
  });
});

describe("[B3] which moves are allowed", () => {
  test("[B3] Backlog and Review go to Waiting by dispatching; Done has to be reopened first", () => {
    expect(go("backlog", "waiting")).toEqual({ kind: "dispatch" });
    expect(go("review", "waiting")).toEqual({ kind: "dispatch" });
    expect(go("done", "waiting")).toEqual({ kind: "refused", reason: "reopen-first" });
    expect(go("running", "waiting")).toEqual({ kind: "refused", reason: "already-running" });
  });

  test.each(COLUMNS)("[B3] nobody puts a card from %s into Running", (from) => {
    expect(go(from, "running")).toEqual({ kind: "refused", reason: "only-the-pool" });
  });

  test("[B3] within Waiting only the own line is reordered", () => {
    expect(go("waiting", "waiting")).toEqual({ kind: "reorder-line" });
  });

  test("[B3] Waiting to elsewhere withdraws; the target says where to", () => {
    expect(go("waiting", "backlog")).toEqual({ kind: "shelve", shelf: "backlog", ends: "withdraw" });
    expect(go("waiting", "done")).toEqual({ kind: "shelve", shelf: "done", ends: "withdraw" });
  });

  test.each(["backlog", "review", "done"] as const)("[B3][BRD-3] Running to %s asks, then stops", (column) => {
    expect(go("running", column)).toEqual({ kind: "refused", reason: "would-stop" });
    expect(go("running", column, true)).toEqual({ kind: "shelve", shelf: column, ends: "stop" });
  });

  test("[B3] Review to Done, and back again", () => {
    expect(go("review", "done")).toEqual({ kind: "shelve", shelf: "done", ends: null });
    expect(go("done", "review")).toEqual({ kind: "shelve", shelf: "review", ends: null });
    expect(go("done", "backlog")).toEqual({ kind: "shelve", shelf: "backlog", ends: null });
    expect(go("backlog", "backlog")).toEqual({ kind: "shelve", shelf: "backlog", ends: null });
  });

  test("[B3] a card without a session has nothing to review", () => {
    expect(go("backlog", "review")).toEqual({ kind: "refused", reason: "nothing-to-review" });
    expect(go("waiting", "review")).toEqual({ kind: "refused", reason: "nothing-to-review" });
  });

  test("[B3] whoever saw the card elsewhere is told where it is, before anything else", () => {
    for (const column of COLUMNS) {
      const wish = { column, from: "backlog" as const, isConfirmed: true };
      expect(decideMove(cards.review, wish)).toEqual({ kind: "refused", reason: "moved" });
    }
    expect(decideMove(cards.backlog, { column: "waiting", from: "backlog", isConfirmed: false }).kind).toBe("dispatch");
  });
});
