import { afterEach, expect, test, vi } from "vitest";
import { keptFor } from "./kept";
import type { Notice, Place } from "./notices";
import { NoticeTabs } from "./tabs";

const notice = (number: number): Notice => ({ id: `s${number} gone`, projectId: "p", number, head: "", text: "" });
const BOARD: Place = { boardOf: "p", path: "/projects/p" };
const POOL: Place = { boardOf: null, path: "/pool" };

/** Gives its lock to who asked first, and to the next one when that one is gone. */
class Locks {
  private readonly waiting: (() => Promise<void>)[] = [];
  private isHeld = false;

  request = (_: string, { signal }: LockOptions, got: () => Promise<void>): Promise<void> => {
    this.waiting.push(got);
    signal?.addEventListener("abort", () => this.waiting.splice(this.waiting.indexOf(got), 1));
    void this.next();
    return Promise.resolve();
  };

  private async next(): Promise<void> {
    const got = this.isHeld ? undefined : this.waiting[0];
    if (got === undefined) return;
    this.isHeld = true;
    await got();
    this.isHeld = false;
    void this.next();
  }
}

interface Tab {
  readonly tabs: NoticeTabs;
  readonly told: readonly string[];
  readonly unseen: () => readonly string[];
  /** What it shows while it is in front; null: it is behind. */
  readonly show: (place: Place | null) => void;
}

const opened: Tab[] = [];
afterEach(() => {
  for (const { tabs } of opened.splice(0)) tabs.close();
  localStorage.clear();
});

function open(locks: Locks, place: Place | null = null): Tab {
  let shown = place;
  let unseen: readonly Notice[] = [];
  const told: string[] = [];
  const tabs = new NoticeTabs({
    placeNow: () => shown,
    changed: (now) => {
      unseen = now;
    },
    tell: ({ id }) => told.push(id),
    personId: "nora",
    kept: keptFor("nora"),
    locks: locks as unknown as Pick<LockManager, "request">,
  });
  const show = (place: Place | null) => {
    shown = place;
    tabs.look();
  };
  const tab = { tabs, told, show, unseen: () => unseen.map(({ id }) => id) };
  opened.push(tab);
  return tab;
}

const TELLERS = (tabs: readonly Tab[]) => tabs.filter(({ tabs: { isTeller } }) => isTeller).length;

test("[B14] of several tabs one tells, all of them count, and another one goes on when it closes", async () => {
  const locks = new Locks();
  const [one, two] = [open(locks), open(locks)];
  expect(TELLERS([one, two])).toBe(1);
  one.tabs.add(notice(1));
  await vi.waitFor(() => expect(two.unseen()).toEqual(["s1 gone"]));
  expect([one.told, two.told]).toEqual([["s1 gone"], []]);
  one.tabs.close();
  await vi.waitFor(() => expect(two.tabs.isTeller).toBe(true));
});

test("[B14] what the tab in front shows counts as seen in every tab, and nothing else does", async () => {
  const locks = new Locks();
  const [one, two] = [open(locks), open(locks)];
  one.tabs.add(notice(1));
  one.tabs.add({ ...notice(2), projectId: "q" });
  await vi.waitFor(() => expect(two.unseen()).toHaveLength(2));
  two.show(BOARD);
  expect(two.unseen()).toEqual(["s2 gone"]);
  await vi.waitFor(() => expect(one.unseen()).toEqual(["s2 gone"]));
});

test("[B14] nothing is told while the page in question is in front, be it in another tab", async () => {
  const locks = new Locks();
  const [one, two] = [open(locks), open(locks)];
  one.tabs.add(notice(1));
  await vi.waitFor(() => expect(two.unseen()).toEqual(["s1 gone"]));
  two.show(BOARD);
  await vi.waitFor(() => expect(one.unseen()).toEqual([]));
  one.tabs.add(notice(2));
  expect([one.told, one.unseen()]).toEqual([["s1 gone"], []]);
  two.show(POOL);
  let number = 2;
  await vi.waitFor(() => {
    number += 1;
    one.tabs.add(notice(number));
    expect(one.told).toEqual(["s1 gone", `s${number} gone`]);
  });
});

test("[B14] a tab that says late that it went to the back does not take away what came to the front", async () => {
  const locks = new Locks();
  const [one, two, three] = [open(locks), open(locks), open(locks)];
  one.tabs.add({ ...notice(1), projectId: "q" });
  await vi.waitFor(() => expect(three.unseen()).toEqual(["s1 gone"]));
  three.show(POOL);
  two.show(BOARD);
  three.show(null);
  // What a tab says comes in order: once this is heard, so is what it said before.
  three.tabs.seen(["s1 gone"]);
  await vi.waitFor(() => expect(one.unseen()).toEqual([]));
  one.tabs.add(notice(2));
  expect(one.told).toEqual(["s1 gone"]);
});

test("[B14] a tab that is opened later counts what was not seen before", async () => {
  const locks = new Locks();
  const one = open(locks);
  one.tabs.add(notice(1));
  const two = open(locks);
  await vi.waitFor(() => expect(two.unseen()).toEqual(["s1 gone"]));
  expect(two.told).toEqual([]);
});

test("[B14] what was not seen before is seen by a tab that is opened with the board in front", async () => {
  const locks = new Locks();
  const one = open(locks);
  one.tabs.add(notice(1));
  open(locks, BOARD);
  await vi.waitFor(() => expect(one.unseen()).toEqual([]));
});

test("[B14] the same thing is told once", () => {
  const one = open(new Locks());
  one.tabs.add(notice(1));
  one.tabs.add(notice(1));
  expect(one.told).toEqual(["s1 gone"]);
});

test("[B14] what was not seen outlives a reload of the only tab, and what was seen does not come back", () => {
  const one = open(new Locks());
  one.tabs.add(notice(1));
  one.tabs.add({ ...notice(2), projectId: "q" });
  one.tabs.close();
  const two = open(new Locks());
  expect(two.unseen()).toEqual(["s1 gone", "s2 gone"]);
  expect(two.told).toEqual([]);
  two.show(BOARD);
  two.tabs.close();
  expect(open(new Locks()).unseen()).toEqual(["s2 gone"]);
});
