import { expect, test } from "vitest";
import { createLog } from "./log";

function logged(work: (log: ReturnType<typeof createLog>) => void, level: Parameters<typeof createLog>[0] = "info") {
  const lines: string[] = [];
  work(createLog(level, { write: (text) => lines.push(text) }));
  return lines.join("");
}

const query = Object.assign(new Error('Failed query: insert into "users"\nparams: ada@example.com,hunter2'), {
  cause: new Error("the connection is closed"),
});

test("one plain line per event, from the wanted level on", () => {
  const text = logged((log) => {
    log.debug("not told");
    log.info("told");
  });
  expect(text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z info told\n$/);
});

test("[R10] what a query says and was given is never logged", () => {
  const text = logged((log) => {
    log.warn(`it failed: ${query.message}`);
    log.bug("it failed", query);
    log.bug("it failed", new Error("outer", { cause: query }));
  });
  expect(text).not.toMatch(/hunter2|ada@example\.com|insert into/);
  expect(text).toMatch(/the connection is closed/);
});

test("a bug comes with its stack", () => {
  expect(logged((log) => log.bug("in the pool", new TypeError("odd")))).toMatch(/in the pool: TypeError: odd\n\s+at /);
});
