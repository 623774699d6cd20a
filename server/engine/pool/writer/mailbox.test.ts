import { expect, test } from "vitest";
import { type Letter, MAX_BATCH, Mailbox } from "./mailbox";

let arrivals = 0;

function letter(rest: Partial<Letter> = {}): Letter {
  arrivals += 1;
  const order = { kind: "open" } as const;
  const base = {
    order,
    arrivedAt: arrivals,
    isLazy: false,
    isPatient: false,
    wishId: null,
    isSettled: false,
    tries: 0,
  };
  return { ...base, answer: () => {}, fail: () => {}, ...rest };
}

test("[P20] what arrives while a commit is under way is handed over as one batch, in order", async () => {
  const mailbox = new Mailbox();
  const letters = Array.from({ length: 5 }, () => letter());
  const due = mailbox.due();
  for (const each of letters) mailbox.post(each);
  await due;
  expect(mailbox.take()).toEqual(letters);
  expect([mailbox.depth, mailbox.oldestAt]).toEqual([0, null]);
});

test("[P20] a batch is bounded; the rest is due at once", async () => {
  const mailbox = new Mailbox();
  for (let i = 0; i < MAX_BATCH + 5; i += 1) mailbox.post(letter());
  await mailbox.due();
  expect(mailbox.take()).toHaveLength(MAX_BATCH);
  await mailbox.due();
  expect(mailbox.take()).toHaveLength(5);
});

test("[P20] a lazy letter travels with the next one, or after a short while by itself", async () => {
  const mailbox = new Mailbox();
  const startedAt = performance.now();
  const [lazy, eager] = [letter({ isLazy: true }), letter()];
  mailbox.post(lazy);
  await mailbox.due();
  expect(performance.now() - startedAt).toBeGreaterThan(200);
  expect(mailbox.take()).toEqual([lazy]);
  mailbox.post(lazy);
  mailbox.post(eager);
  await mailbox.due();
  expect(mailbox.take()).toEqual([lazy, eager]);
});

test("[P18] letters put back come first, once each; a withdrawn one is gone", async () => {
  const mailbox = new Mailbox();
  const [a, b, c] = [letter(), letter(), letter()];
  mailbox.post(c);
  mailbox.putBack([a, b, c]);
  expect(mailbox.withdraw(b)).toBe(true);
  expect(mailbox.withdraw(b)).toBe(false);
  await mailbox.due();
  expect(mailbox.take()).toEqual([a, c]);
});

test("[P18] waiting letters can be failed by kind", () => {
  const mailbox = new Mailbox();
  const failed: string[] = [];
  const patient = letter({ isPatient: true, fail: () => failed.push("patient") });
  mailbox.post(patient);
  mailbox.post(letter({ fail: () => failed.push("impatient") }));
  mailbox.failAll(new Error("over"), (each) => !each.isPatient);
  expect(failed).toEqual(["impatient"]);
  expect(mailbox.take()).toEqual([patient]);
});
