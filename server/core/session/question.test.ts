import { expect, test } from "vitest";
import { questionFrom } from "./question";

const question = { id: "q-1", text: "Delete the table?", options: ["yes", "no"], askedAt: 5 };

test("[R12] a question is read with care: what is not one is none, what is unknown is left out", () => {
  expect(questionFrom({ ...question, version: 2, mood: "fine" })).toEqual(question);
  const wrong = [
    null,
    "text",
    {},
    { ...question, id: "../stop" },
    { ...question, options: ["yes", 1] },
    { ...question, text: 1 },
  ];
  for (const value of wrong) expect(questionFrom(value)).toBeNull();
});
