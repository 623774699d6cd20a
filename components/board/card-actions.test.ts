import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { learnRoutes } from "../api";
import { drawToasts, type Toast } from "../ui/toast";
import { withdraw } from "./card-actions";
import { sampleLive, sampleSession, sampleTask } from "./sample";

const asked: string[] = [];
const news: Toast[] = [];
let session = sampleSession();
let undraw: () => void;
beforeEach(() => {
  asked.length = 0;
  news.length = 0;
  learnRoutes(contract);
  undraw = drawToasts((toast) => news.push(toast));
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    asked.push(`${request.method} ${pathname} ${request.method === "POST" ? await request.text() : ""}`.trim());
    const answer = pathname.endsWith("/dispatch") ? { session, position: 1, existing: false } : session;
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => {
  undraw();
  vi.unstubAllGlobals();
});

test.each([
  ["a follow-up with its message", "Rename the button", '{"agentId":"claude","message":"Rename the button"}'],
  ["a task that was told nothing besides its prompt", null, '{"agentId":"claude"}'],
])("[B3][A5] what was withdrawn can be taken back as it was: %s", async (_what, message, body) => {
  session = sampleSession({ agentId: "claude", message });
  await withdraw({ task: sampleTask({ session }), column: "waiting", live: sampleLive(), liveId: "s1" });
  expect(asked).toEqual(["POST /api/v1/sessions/s1/cancel"]);
  expect(news[0]?.action?.label).toBe("Undo");
  news[0]?.action?.run();
  await vi.waitFor(() => expect(asked.at(-1)).toBe(`POST /api/v1/tasks/t1/dispatch ${body}`));
});
