import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { learnRoutes } from "../api";
import { useAgentNames, useFirstAgents } from "./use-agents";

const agent = (id: string, name: string) => ({
  id,
  name,
  kind: "shell",
  settings: {},
  projectId: null,
  problem: null,
  hold: null,
  program: null,
});
let items: ReturnType<typeof agent>[] = [];
let asked = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  learnRoutes(contract);
  asked = 0;
  items = [agent("first", "Shell")];
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    return new Response(JSON.stringify({ items, next: null }), { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Name({ id }: { id: string }) {
  return <p>{useAgentNames("p")(id)}</p>;
}

const shows = (name: string) => vi.waitFor(() => expect(screen.getByText(name)).toBeTruthy(), 10_000);
const timePasses = () => act(() => vi.advanceTimersByTime(5_000));

test("[B5] an agent that somebody has just made is called by its name; one that is gone is asked for once only", async () => {
  const cache = new QueryClient();
  const tree = (id: string) => (
    <QueryClientProvider client={cache}>
      <Name id={id} />
    </QueryClientProvider>
  );
  const { rerender } = render(tree("first"));
  await shows("Shell");
  expect(asked).toBe(1);

  items = [...items, agent("second", "Made by a friend")];
  rerender(tree("second"));
  timePasses();
  await shows("Made by a friend");
  expect(asked).toBe(2);

  rerender(tree("gone"));
  timePasses();
  await vi.waitFor(() => expect(asked).toBe(3), 10_000);
  await shows("Removed agent");
  rerender(tree("gone"));
  timePasses();
  await shows("Removed agent");
  expect(asked).toBe(3);
});

function Frame({ id }: { id: string }) {
  useFirstAgents("p", { items: [{ ...agent("first", "Came along"), kind: "shell", settings: {} }], next: null });
  return <Name id={id} />;
}

test("[B7] agents that came with the page are called by their names in the first picture, and nobody asks", () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Frame id="first" />
    </QueryClientProvider>,
  );
  expect(screen.getByText("Came along")).toBeTruthy();
  expect(asked).toBe(0);
});
