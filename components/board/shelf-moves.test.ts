import { beforeEach, expect, test, vi } from "vitest";
import { announceSlot } from "../ui/announce";
import type { BoardCard } from "./columns";
import { sampleTask } from "./sample";
import { beforeWhom, moveOnShelf, shelfEntries, shelfPlace } from "./shelf-moves";

const move = vi.hoisted(() => vi.fn());
vi.mock("../api", () => ({ client: { tasks: { move } }, refusalOf: () => null, sentenceOf: String }));

const card = (id: string): BoardCard => ({
  task: sampleTask({ id, title: id }),
  column: "backlog" as const,
  live: null,
  liveId: null,
});
const [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(card) as [BoardCard, BoardCard, BoardCard, BoardCard, BoardCard];
const all = [a, b, c, d, e];
/** The filter hides b and e. */
const shown = [a, c, d];

/** How Backlog stands after the card was put before another one. */
function after(moved: BoardCard, before: BoardCard | null | undefined): string {
  if (before === undefined) return "nothing";
  const rest = all.filter((one) => one !== moved);
  rest.splice(before === null ? rest.length : rest.indexOf(before), 0, moved);
  return rest.map(({ task }) => task.id).join("");
}

beforeEach(() => {
  move.mockReset();
  announceSlot.close();
});

test("[B3] a card put before a shown one stands right before it, and hidden ones keep their order", () => {
  expect(after(d, beforeWhom(all, d, c, a))).toBe("abdce");
  expect(after(a, beforeWhom(all, a, d, c))).toBe("bcade");
});

test("[B3] a card put below the last shown one stands right behind it, and not behind what is hidden", () => {
  expect(after(a, beforeWhom(all, a, null, d))).toBe("bcdae");
  expect(after(d, beforeWhom(all, d, null, c))).toBe("abcde");
  expect(after(a, beforeWhom(all, a, null, e))).toBe("bcdea");
  expect(beforeWhom([], a, null, null)).toBeNull();
});

test("[B3] up and down go past one shown card, and past what is hidden beside it", () => {
  expect(after(c, shelfPlace(all, shown, c, "up"))).toBe("cabde");
  expect(after(a, shelfPlace(all, shown, a, "down"))).toBe("bcade");
  expect(after(c, shelfPlace(all, shown, c, "down"))).toBe("abdce");
  expect(after(d, shelfPlace(all, shown, d, "top"))).toBe("dabce");
});

test("[B3] at the ends there is a reason instead of a way, and nothing is asked", async () => {
  expect(shelfPlace(all, shown, a, "up")).toBeUndefined();
  expect(shelfPlace(all, shown, d, "down")).toBeUndefined();
  await moveOnShelf(d, { all, shown }, "down");
  expect(move).not.toHaveBeenCalled();
  expect(announceSlot.held()).toContain("It is the last one.");
  const whys = shelfEntries(a, { all, shown }).map((entry) => (entry.kind === "entry" ? (entry.why ?? null) : ""));
  expect(whys).toEqual(["It is the first one.", null, "It is the first one."]);
});

test("[A11Y-1] where a card has come to stand is said once it is there, and nothing while somebody else was first", async () => {
  for (const [one, way, said] of [
    [c, "up", "is 1 of 3 in Backlog"],
    [a, "down", "is 2 of 3 in Backlog"],
    [d, "top", "is 1 of 3 in Backlog"],
  ] as const) {
    await moveOnShelf(one, { all, shown }, way);
    expect(announceSlot.held()).toContain(said);
  }
  announceSlot.close();
  move.mockRejectedValue(new Error("Somebody else moved this card."));
  await moveOnShelf(c, { all, shown }, "up");
  expect(announceSlot.held()).toBeNull();
});

test("[B3] the server is asked with where the card was seen, so that of two people one wins", async () => {
  await moveOnShelf(c, { all, shown }, "up");
  const body = { column: "backlog", before: "a", from: "backlog" };
  expect(move).toHaveBeenCalledWith({ params: { id: "c" }, query: {}, body });
});
