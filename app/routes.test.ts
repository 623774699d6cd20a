import { afterEach, expect, test, vi } from "vitest";
import { client, learnRoutes, outputAddress, refusalOf, sentenceOf } from "@/components/api";
import { API_PREFIX } from "@/server/contract/router";
import { routes } from "./routes";

afterEach(() => vi.unstubAllGlobals());

function serve(status: number, body: unknown) {
  const seen: { method: string; url: string; text: string }[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    seen.push({ method: request.method, url: request.url, text: await request.text() });
    return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
  });
  return seen;
}

test("[P1] the browser's client calls what the contract says, without its schemas", async () => {
  learnRoutes(JSON.parse(JSON.stringify(routes)));
  const seen = serve(201, { position: 1, existing: false });
  await client.tasks.dispatch({ params: { id: "t1" }, body: { message: "go on" } });
  expect(seen[0]).toMatchObject({ method: "POST", text: '{"message":"go on"}' });
  expect(seen[0]?.url).toMatch(new RegExp(`${API_PREFIX}/tasks/t1/dispatch$`));
  expect(JSON.stringify(routes).length).toBeLessThan(12_000);
});

test("[P1] a refusal comes with its code, its sentence and what else it says", async () => {
  learnRoutes(JSON.parse(JSON.stringify(routes)));
  serve(409, { code: "CONFIRM", message: "It is running.", sessions: ["s1"] });
  const error = await client.tasks.remove({ params: { id: "t1" } }).catch((caught: unknown) => caught);
  expect(refusalOf(error)).toEqual({
    code: "CONFIRM",
    status: 409,
    message: "It is running.",
    details: { sessions: ["s1"] },
  });
  expect(sentenceOf(error)).toBe("It is running.");
});

test("[R6] output is read below the contract's prefix", () => {
  expect(outputAddress("s 1", { offset: 5 })).toBe(`${API_PREFIX}/sessions/s%201/output?offset=5`);
  const earlier = outputAddress("s", { before: 9, limit: 4 });
  expect(earlier).toBe(`${API_PREFIX}/sessions/s/output?before=9&limit=4`);
});
