import { expect, test } from "vitest";
import { chanceOf } from "./chance";
import { planOf, VICTIMS } from "./plan";

test("the same seed gives the same plan, another seed another one", () => {
  expect(planOf("7", 40)).toEqual(planOf("7", 40));
  expect(planOf("7", 40)).not.toEqual(planOf("8", 40));
});

test("a plan of 200 kills the server 200 times and Postgres 20 times, and everything else too", () => {
  const plan = planOf("any", 200);
  const counts = Object.fromEntries(VICTIMS.map((victim) => [victim, plan.filter((s) => s.victim === victim).length]));
  expect(counts).toEqual({ server: 200, postgres: 20, backend: 25, host: 50, agent: 50, writer: 10 });
  expect(plan.map(({ number }) => number)).toEqual(plan.map((_, index) => index + 1));
});

test("a short plan still has one of each", () => {
  expect(new Set(planOf("short", 3).map(({ victim }) => victim))).toEqual(new Set(VICTIMS));
});

test("kills come after endings as well as soon after another, while the server still starts", () => {
  const kinds = planOf("moments", 60).map(({ moment }) => moment.kind);
  expect(kinds.filter((kind) => kind === "after-ms").length).toBeGreaterThan(5);
  expect(kinds.filter((kind) => kind === "after-endings").length).toBeGreaterThan(5);
});

test("chance stays within its bounds and reaches both of them", () => {
  const chance = chanceOf("bounds");
  const drawn = Array.from({ length: 500 }, () => chance.between(2, 4));
  expect(new Set(drawn)).toEqual(new Set([2, 3, 4]));
  expect(chance.shuffled([1, 2, 3, 4]).sort()).toEqual([1, 2, 3, 4]);
});
