import { expect, test } from "vitest";
import { FOUND_MAX, findEntries, type PaletteEntry } from "./palette-find";

const entry = (label: string, more: Partial<PaletteEntry> = {}): PaletteEntry => ({
  id: label,
  group: "",
  icon: null,
  label,
  run: () => {},
  ...more,
});
const entries = [
  entry("New task", { words: "create" }),
  entry("Pool", { words: "go to page" }),
  entry("#120 Task force", { number: 120, isOnlyFound: true }),
  entry("#12 Image pool", { number: 12, isOnlyFound: true }),
  entry("Dispatch · #12", { number: 12, words: "Image pool run", isOnlyFound: true }),
];
const found = (typed: string) => findEntries(entries, typed).map(({ label }) => label);

test("[B4] without text the palette shows what is always there, and no hundreds of cards", () => {
  expect(found("")).toEqual(["New task", "Pool"]);
});

test("[B4] a number means the task of this number, before everything that only contains it", () => {
  expect(found("12")).toEqual(["#12 Image pool", "Dispatch · #12", "#120 Task force"]);
  expect(found("#12")).toEqual(["#12 Image pool", "Dispatch · #12"]);
});

test("[B4] every typed word counts, in the label and in other words for it; what begins with it comes first", () => {
  expect(found("dispatch 12")).toEqual(["Dispatch · #12"]);
  expect(found("run pool")).toEqual(["Dispatch · #12"]);
  expect(found("pool")[0]).toBe("Pool");
  expect(found("create")).toEqual(["New task"]);
  expect(found("nothing")).toEqual([]);
});

test("[B4] no more is found than a person looks through", () => {
  const many = Array.from({ length: 500 }, (_, n) => entry(`#${n} Card`, { number: n }));
  expect(findEntries(many, "card")).toHaveLength(FOUND_MAX);
});

test("[B4] what belongs together stays together, the group with the best first", () => {
  const mixed = [
    entry("Go to the shop", { group: "Go to" }),
    entry("Shop", { group: "Tasks" }),
    entry("Shop again", { group: "Commands" }),
    entry("The shop", { group: "Tasks" }),
  ];
  const labels = findEntries(mixed, "shop").map(({ label }) => label);
  expect(labels).toEqual(["Shop", "The shop", "Shop again", "Go to the shop"]);
});
