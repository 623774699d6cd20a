import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { learnRoutes } from "../api";
import { sampleSession } from "../board/sample";
import { useFormat } from "./use-format";

let status = 200;
beforeEach(() => {
  status = 200;
  learnRoutes(contract);
  vi.stubGlobal("fetch", (_request: Request | string, init?: RequestInit) => {
    // The agents never come.
    if (init?.method !== "HEAD") return new Promise<Response>(() => {});
    return Promise.resolve(new Response(null, { status, headers: status === 200 ? { "x-format": "acp" } : {} }));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const begun = sampleSession({ status: "succeeded", startedAt: "2026-01-01T12:00:00.000Z" });

function Format() {
  return <p>{useFormat(begun) ?? "not known"}</p>;
}

function show() {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: 10, retryDelay: 10 } } });
  render(
    <QueryClientProvider client={cache}>
      <Format />
    </QueryClientProvider>,
  );
}

test("[B7] how a session's output is read is told by the session as long as the agents are not known", async () => {
  show();
  expect(await screen.findByText("acp")).toBeTruthy();
});

test("[B7] an answer that could not be had is no answer: it is asked again", async () => {
  status = 503;
  show();
  expect(screen.getByText("not known")).toBeTruthy();
  status = 200;
  expect(await screen.findByText("acp")).toBeTruthy();
});
