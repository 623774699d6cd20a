import { expect, test } from "vitest";
import { arrange, type BoardCard, cardsOf, only } from "./columns";
import { MINE, NEEDS_ME, NO_FILTER, passesFilter, readFilter, STATES, TEXT_MAX, writeFilter } from "./filter";
import { sampleLive, samplePool, sampleSession, sampleTask } from "./sample";

const pool = samplePool({
  sessions: {
    s1: sampleLive({ taskId: "asks", userId: "mira", status: "running", phase: "asking", position: 0 }),
    s2: sampleLive({ taskId: "waits", userId: "nora", position: 1 }),
    s3: sampleLive({ taskId: "held", userId: "nora", position: null }),
  },
});
const columns = arrange(
  [
    sampleTask({ id: "asks", number: 1, title: "Drop Node 18" }),
    sampleTask({ id: "waits", number: 2, title: "Café opening hours", prompt: "Read the CALENDAR." }),
    sampleTask({ id: "held", number: 12, title: "Import rates", agentId: "codex" }),
    sampleTask({
      id: "failed",
      number: 120,
      title: "Image pipeline",
      column: "review",
      session: sampleSession({ id: "s9", status: "failed", userId: "mira", agentId: "codex" }),
    }),
    sampleTask({ id: "idea", number: 5, title: "An idea", agentId: null, createdBy: "mira" }),
  ],
  pool,
);
const all = cardsOf(columns);
const idsOf = (cards: readonly BoardCard[]) => cards.map(({ task }) => task.id).sort();
const found = (change: Partial<typeof NO_FILTER>, meId = "nora") =>
  idsOf(all.filter((card) => passesFilter(card, { ...NO_FILTER, ...change }, meId)));

test("[B4] without a filter every card is shown", () => {
  expect(found({})).toEqual(idsOf(all));
});

test("[B4] text is looked for in title and prompt, word by word, without case and accents", () => {
  expect(found({ text: "hours CAFE" })).toEqual(["waits"]);
  expect(found({ text: "calendar" })).toEqual(["waits"]);
  expect(found({ text: "hours idea" })).toEqual([]);
});

test("[B4] #12 is this number only, 12 is every number with it", () => {
  expect(found({ text: "#12" })).toEqual(["held"]);
  expect(found({ text: "12" })).toEqual(["failed", "held"]);
});

test("[B4] a card is of who dispatched it, else of who wrote it; 'me' is whoever looks", () => {
  expect(found({ person: "mira" })).toEqual(["asks", "failed", "idea"]);
  expect(found(MINE)).toEqual(["held", "waits"]);
  expect(found(MINE, "mira")).toEqual(["asks", "failed", "idea"]);
});

test("[B4] the agent is the newest session's, else the one it is meant for", () => {
  expect(found({ agent: "codex" })).toEqual(["failed", "held"]);
});

test("[B4] states are those of the cards: waiting, held, running, asking, and how they ended", () => {
  const byState = Object.fromEntries(STATES.map((state) => [state, found({ state })]));
  expect(byState).toEqual({
    queued: ["held", "waits"],
    held: ["held"],
    running: ["asks"],
    asking: ["asks"],
    succeeded: [],
    failed: ["failed"],
    cancelled: [],
  });
  expect(found(NEEDS_ME)).toEqual([]);
  expect(found(NEEDS_ME, "mira")).toEqual(["asks"]);
});

test("[B4] what stands in the address is the filter again, beside what else stands there", () => {
  const filter = { text: "two words & more", person: "me", agent: "a1", state: "held" } as const;
  const search = writeFilter(filter, "?other=1");
  expect(readFilter(new URLSearchParams(search))).toEqual(filter);
  expect(new URLSearchParams(search).get("other")).toBe("1");
  expect(writeFilter(NO_FILTER, search)).toBe("?other=1");
  expect(writeFilter(NO_FILTER, "")).toBe("");
});

test("[B4] an address that says something unknown or far too long filters by nothing unknown", () => {
  expect(readFilter(new URLSearchParams("state=constructor"))).toEqual(NO_FILTER);
  expect(readFilter(new URLSearchParams({ q: "x".repeat(5_000) })).text).toHaveLength(TEXT_MAX);
});

test("[B4] the order of what is shown is the order of the board", () => {
  const shown = only(columns, (card) => card.task.id !== "waits");
  expect(shown.waiting.map(({ task }) => task.id)).toEqual(["held"]);
  expect(only(columns, () => true)).toBe(columns);
});
