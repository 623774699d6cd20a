import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { samplePool } from "../board/sample";
import { liveKeys } from "../live/keys";
import { Counts } from "./counts";

afterEach(cleanup);

test("[B8][P13] a profile's counts are those of the pool's picture, in the spec's words, and move with it", async () => {
  const cache = new QueryClient();
  render(
    <QueryClientProvider client={cache}>
      <Counts userId="nora" read={{ running: 9, queued: 9, max: 3 }} isYou />
    </QueryClientProvider>,
  );
  const shows = (text: string) => waitFor(() => expect(screen.getByTestId("counts").textContent).toBe(text));
  await shows("running 9 / limit 3 · queued 9");
  cache.setQueryData(liveKeys.pool, samplePool({ users: { nora: { running: 2, max: 2, queued: 1 } } }));
  await shows("running 2 / limit 2 · queued 1");
});

test("[P13][B8] whoever has nothing running hears at once that their limit changed, their own or everybody's", async () => {
  const cache = new QueryClient();
  cache.setQueryData(liveKeys.pool, samplePool({ users: {}, perUserMax: 2 }));
  render(
    <QueryClientProvider client={cache}>
      <Counts userId="nora" read={{ running: 0, queued: 0, max: 2 }} isYou />
    </QueryClientProvider>,
  );
  const shows = (text: string) => waitFor(() => expect(screen.getByTestId("counts").textContent).toBe(text));
  await shows("running 0 / limit 2 · queued 0");
  cache.setQueryData(liveKeys.pool, samplePool({ version: 2, users: {}, perUserMax: 4 }));
  await shows("running 0 / limit 4 · queued 0");
  cache.setQueryData(liveKeys.pool, samplePool({ version: 3, users: {}, perUserMax: 4, limits: { nora: 0 } }));
  await shows("running 0 / limit 0 · queued 0");
});
