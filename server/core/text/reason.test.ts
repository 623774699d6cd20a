import { expect, test } from "vitest";
import { reasonOf, withoutQuery } from "./reason";

const query = (cause?: unknown) =>
  new Error('Failed query: insert into "users"\n values ($1)\nparams: ada@example.com,hunter2', { cause });

test("[R10] a failed query is told by what the driver says, never by the query or its parameters", () => {
  expect(reasonOf(query(new Error("write CONNECTION_CLOSED 127.0.0.1:5432")))).toBe(
    "write CONNECTION_CLOSED 127.0.0.1:5432",
  );
  expect(reasonOf(query(query(new Error("the innermost"))))).toBe("the innermost");
  expect(reasonOf(query())).toBe("a query failed");
  expect(reasonOf(query("no error"))).toBe("a query failed");
  expect(reasonOf(new Error(`not stored: ${query().message}`))).toBe("not stored: a query failed");
  expect(withoutQuery(`session 1: ${query()}`)).toBe("session 1: Error: a query failed");
});

test("[R10] the first line counts; an error without words is told by its code", () => {
  expect(reasonOf(new Error("first\nsecond"))).toBe("first");
  expect(reasonOf(Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }))).toBe("ECONNREFUSED");
  expect(reasonOf(new TypeError())).toBe("TypeError");
  expect(reasonOf("only a text")).toBe("only a text");
  expect(reasonOf(undefined)).toBe("undefined");
  expect(reasonOf({ message: "a message", password: "hunter2" })).toBe("a message");
  expect(reasonOf({ code: "57P01" })).toBe("57P01");
  expect(reasonOf({ password: "hunter2" })).toBe("something without words was thrown");
});
