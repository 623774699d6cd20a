import { expect, test } from "vitest";
import { viewOf } from "./card-view";
import { arrange } from "./columns";
import { samplePool, sampleSession, sampleTask } from "./sample";

const reads = { mayCost: () => true, meId: "nora", nameOf: () => "Nora", reader: null, quietNoticeSeconds: 300 };

test("[B1][P17] between the pool's news and the card's own: who waited was withdrawn, who ran is being saved", () => {
  const soon = (change: Parameters<typeof sampleSession>[0]) => {
    const task = sampleTask({ column: "waiting", session: sampleSession(change), sessionCount: 2 });
    const [card] = arrange([task], samplePool()).review;
    if (card === undefined) throw new Error("the card is not in Review");
    return viewOf(card, reads);
  };
  expect(soon({ status: "queued" })).toMatchObject({ word: "Withdrawn", note: "" });
  expect(soon({ status: "running", startedAt: "2026-01-01T12:00:00.000Z" })).toMatchObject({ word: "Saving work" });
});
