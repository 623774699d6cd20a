import { afterEach, expect, test, vi } from "vitest";
import { apiFetch, askFirstWhile, isLost, learnRoutes, NotSent, sentenceOf, theLink } from "./api";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.unstubAllGlobals();
});

/** What was asked for, in order; `isThere`: the server answers. */
function network(isThere: boolean): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (request: Request | string, init?: RequestInit) => {
    asked.push(typeof request === "string" ? `${init?.method ?? "GET"} ${request}` : request.method);
    return isThere ? Promise.resolve(new Response("{}")) : Promise.reject(new TypeError("Failed to fetch"));
  });
  return asked;
}

const change = () => apiFetch("/api/v1/tasks/t1/dispatch", { method: "POST" });

test("[B13][B4] without a connection a change is not sent, and that nothing was done is said", async () => {
  stops.push(askFirstWhile(() => true));
  const asked = network(false);
  const error = await change().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NotSent);
  expect(isLost(error)).toBe(false);
  expect(sentenceOf(error)).toBe("Nothing was done: no connection to the server. Try again when it is back.");
  expect(asked).toEqual(["GET /healthz"]);
});

test("[B13][B4] where the code that asks does not arrive nothing was sent, and the next call fetches it again", async () => {
  learnRoutes({});
  vi.doMock("./api-link", () => {
    throw new Error("offline");
  });
  await expect(theLink()).rejects.toBeInstanceOf(NotSent);
  vi.doUnmock("./api-link");
  await expect(theLink()).resolves.toBeDefined();
});

test("[B13] where only the live channel is cut the server is asked and the change sent", async () => {
  stops.push(askFirstWhile(() => true));
  const asked = network(true);
  await change();
  await apiFetch("/api/v1/me");
  expect(asked).toEqual(["GET /healthz", "POST /api/v1/tasks/t1/dispatch", "GET /api/v1/me"]);
});

test("[B13] while the connection stands nothing is asked before, and a lost answer may have been a yes", async () => {
  askFirstWhile(() => true)();
  const asked = network(false);
  const error = await change().catch((reason: unknown) => reason);
  expect(sentenceOf(error)).toMatch(/It is not known whether this was saved/);
  expect(asked).toEqual(["POST /api/v1/tasks/t1/dispatch"]);
});
