import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { learnRoutes } from "../api";
import { reasonOf } from "../pool/wording";
import { entriesFor } from "./card-menu";
import { sampleLive, samplePool, sampleSession, sampleTask } from "./sample";
import { againFor } from "./try-again";

const asked: string[] = [];
beforeEach(() => {
  asked.length = 0;
  learnRoutes(contract);
  vi.stubGlobal("fetch", async (request: Request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return new Response(JSON.stringify({ id: "x" }), { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => vi.unstubAllGlobals());

const task = sampleTask({ session: sampleSession({ agentId: "claude" }) });
const held = (reason: "agent-unusable" | "repository-unusable" | "disk" | "your-limit", more: object = {}) =>
  sampleLive({ position: null, waitingFor: { reason, ...more } });

test("[A8] whatever is held because of its agent or its repository can be tried again, nothing else", async () => {
  await againFor(held("agent-unusable"), "s1", task)?.();
  await againFor(held("repository-unusable"), "s1", task)?.();
  expect(asked).toEqual(["POST /api/v1/agents/claude/try-again", "POST /api/v1/projects/p/try-again"]);
  expect(againFor(held("disk"), "s1", task)).toBeNull();
  expect(againFor(held("your-limit"), "s1", task)).toBeNull();
  expect(againFor(null, null, task)).toBeNull();
  // Whose session it is has to be known before its agent is.
  expect(againFor(held("agent-unusable"), "another", task)).toBeNull();
});

test("[A8][B3] a held card's menu has it beside Withdraw", () => {
  const help = {
    open: () => {},
    copyLink: () => {},
    place: null,
    line: null,
    shelf: null,
    base: "main",
    hasGitHub: false,
    isAdmin: false,
    agent: "",
    elapsed: () => "",
  };
  const card = { task, column: "waiting" as const, live: held("agent-unusable"), liveId: "s1" };
  const labels = entriesFor(card, help).flatMap((entry) => (entry.kind === "entry" ? entry.label : []));
  expect(labels.slice(1, 3)).toEqual(["Try again", "Withdraw"]);
});

test("[A8][P14] the reason is the agent's sentence, and says until when where the sentence does not", () => {
  const reader = { pool: samplePool(), meId: "nora", nameOf: () => "Nora", numberOf: () => null };
  const until = "2026-03-09T12:00:00.000Z";
  expect(reasonOf(held("agent-unusable", { detail: "Claude Code is not logged in." }), reader)).toBe(
    "Claude Code is not logged in.",
  );
  expect(reasonOf(held("agent-unusable", { detail: "Usage limit.", until }), reader)).toBe(
    "Usage limit. · until 9 March",
  );
  const said = { detail: "The usage limit is reached until 12:00 (9 Mar).", until };
  expect(reasonOf(held("agent-unusable", said), reader)).toBe(said.detail);
});
