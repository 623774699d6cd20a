import { afterEach, beforeEach, expect, test } from "vitest";
import { NEWS_TOPICS } from "../contract/live";
import type { Gossip, Word } from "../ports/gossip";
import { waitFor } from "../testing/wait-for";
import { shareFeed } from "./shared-feed";
import { type House, memoryPool, openHouse } from "./test-house";
import type { TestSocket } from "./test-socket";

let house: House;
beforeEach(async () => {
  house = await openHouse(memoryPool());
});
afterEach(() => house.stop());

async function connected(at: House, userId: string, ...projects: string[]): Promise<TestSocket> {
  const socket = at.connect(at.signUp(userId, ...projects));
  await waitFor(() => socket.pool, "the pool");
  return socket;
}

const everybody = { kind: "everybody" } as const;

test("[L4][L5] each word goes to those who may see what was changed, and to nobody else", async () => {
  const ada = await connected(house, "ada", "p1");
  const adasOther = await connected(house, "ada", "p1");
  const ben = await connected(house, "ben", "p2");
  const { feed } = house.live;
  feed.news("projects", { kind: "project", projectId: "p1" });
  feed.news("tokens", { kind: "person", userId: "ada" });
  feed.news("users", everybody);
  for (const socket of [ada, adasOther]) {
    await waitFor(() => new Set(socket.news.flat()).size === 3, "all three");
    expect(socket.news.flat().sort()).toEqual(["projects", "tokens", "users"]);
  }
  await waitFor(() => ben.news.length > 0, "the people");
  expect(ben.news).toEqual([["users"]]);
});

test("[L5] a crowd that signs up at once is told in a few words, the first of them at once and the last one too", async () => {
  const ada = await connected(house, "ada");
  const start = performance.now();
  for (let n = 0; n < 500; n += 1) house.live.feed.news("users", everybody);
  house.live.feed.news("settings", everybody);
  await waitFor(() => ada.news.flat().includes("settings"), "the last word");
  expect(ada.news[0]).toEqual(["users"]);
  expect(ada.news.length).toBeLessThanOrEqual(2 + (performance.now() - start) / 1_000);
});

test("[L5][P19] where words may have been missed, everything is read again", async () => {
  const ada = await connected(house, "ada");
  house.live.missed();
  await waitFor(() => ada.news.length > 0, "the word");
  expect(ada.news).toEqual([[...NEWS_TOPICS]]);
});

test("[L5][P19] what somebody did at another server is told here as well, once", async () => {
  const listeners = new Set<(word: Word) => void>();
  const gossip: Gossip = {
    hear(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    missed: () => () => {},
    say(word) {
      for (const listener of listeners) listener(JSON.parse(JSON.stringify(word)));
    },
    close: async () => {},
  };
  const other = await openHouse(memoryPool());
  try {
    const [ada, ben] = [await connected(house, "ada"), await connected(other, "ben")];
    const here = shareFeed(house.live.feed, gossip);
    shareFeed(other.live.feed, gossip);
    here.news("agents", everybody);
    for (const socket of [ada, ben]) await waitFor(() => socket.news.length > 0, "the word");
    expect([ada.news, ben.news]).toEqual([[["agents"]], [["agents"]]]);
  } finally {
    await other.stop();
  }
});
