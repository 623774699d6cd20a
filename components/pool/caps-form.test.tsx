import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PoolPicture } from "@/server/contract/pool";
import { contract } from "@/server/contract/router";
import { sampleLive, samplePool } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { CapsPanel } from "./caps-panel";
import type { PoolReader } from "./wording";

const names: Readonly<Record<string, string>> = { nora: "Nora Feld", mira: "Mira Okafor", tom: "Tomás Reyes" };
const waits = (taskId: string, userId: string) => sampleLive({ taskId, userId, position: 1 });
const pool = samplePool({
  global: { running: 5, max: 20, queued: 3 },
  perUserMax: 2,
  limits: { tom: 1 },
  users: { nora: { running: 2, max: 2, queued: 1 }, mira: { running: 2, max: 2, queued: 2 } },
  sessions: { n: waits("t15", "nora"), m: waits("t25", "mira") },
});
const sent: [string, unknown][] = [];

beforeEach(() => {
  sent.length = 0;

  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname.replace("/api/v1", "");
    const people = Object.entries(names).map(([id, name]) => ({ id, name, email: null, role: "member" }));
    const answer = (body: unknown) =>
      new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });
    if (request.method === "GET") return answer({ items: people, next: null });
    const body: unknown = await request.json();
    sent.push([path, body]);
    return answer(path === "/pool" ? { globalMax: 20, perUserMax: 3, paused: false } : { userId: "tom", max: 4 });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function page(role: "admin" | "member", picture: PoolPicture) {
  const me = { id: "nora", name: "Nora Feld", email: "n@example.test", role, running: 2, queued: 1, max: 2 } as const;
  const reader: PoolReader = {
    pool: picture,
    meId: "nora",
    nameOf: (id) => names[id] ?? "Somebody",
    numberOf: (id) => ({ n: 15, m: 25 })[id] ?? null,
  };
  return (
    <LiveProvider isSignedIn={false} first={{ me, pool: picture, projects: [] }} moment={0} routes={contract}>
      <CapsPanel reader={reader} />
    </LiveProvider>
  );
}
const field = (name: string) => screen.findByRole<HTMLInputElement>("textbox", { name }, { timeout: 10_000 });
const type = async (name: string, value: string) => fireEvent.change(await field(name), { target: { value } });
const saveButton = () => screen.getByRole<HTMLButtonElement>("button", { name: "Save caps" });

test("[B9][QUE-3][P7] before caps are saved it says who starts at once, what runs and waits then, and that nobody is stopped", async () => {
  render(page("admin", pool));
  await type("Seats per person", "3");
  expect(screen.getByText("was 2")).toBeTruthy();
  expect(screen.getByText("not saved yet")).toBeTruthy();
  const effect = screen.getByRole("heading", { name: "If you save this" }).parentElement as HTMLElement;
  expect(
    within(effect)
      .getAllByRole("listitem")
      .map((line) => line.textContent),
  ).toEqual(["Starts at once: #15 Nora, #25 Mira", "Running 5 → 7 of 20 · Waiting 3 → 1", "Nobody is stopped"]);
  fireEvent.click(saveButton());
  await waitFor(() => expect(sent).toEqual([["/pool", { perUserMax: 3 }]]));
});

test("[B9][P4] exceptions are changed, added and taken away with the rest, and only what was changed is sent", async () => {
  render(page("admin", pool));
  await type("Tomás Reyes", "4");
  fireEvent.click(screen.getByRole("button", { name: "Add a person" }));
  await screen.findByRole("option", { name: "Mira Okafor" });
  fireEvent.change(screen.getByRole("combobox", { name: "Add a person" }), { target: { value: "mira" } });
  expect(document.activeElement?.textContent).toBe("Add a person");
  await type("Mira Okafor", "6");
  fireEvent.click(screen.getByRole("button", { name: "Remove the exception of Tomás Reyes" }));
  fireEvent.click(saveButton());
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(new Map(sent)).toEqual(
    new Map([
      ["/pool/users/tom", { max: null }],
      ["/pool/users/mira", { max: 6 }],
    ]),
  );
});

test("[P4] what the server would refuse cannot be saved; discarding shows what stands", async () => {
  render(page("admin", pool));
  await type("Seats in all", "many");
  expect(screen.getByText("A whole number from 0 to 100,000.")).toBeTruthy();
  expect(saveButton().disabled).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Discard" }));
  expect((await field("Seats in all")).value).toBe("20");
});

test("[B9][P13] what somebody else saves meanwhile is shown, and what is typed stays", async () => {
  const { rerender } = render(page("admin", pool));
  await type("Seats per person", "3");
  rerender(page("admin", { ...pool, global: { ...pool.global, max: 30 } }));
  expect((await field("Seats in all")).value).toBe("30");
  expect((await field("Seats per person")).value).toBe("3");
  rerender(page("admin", { ...pool, perUserMax: 3 }));
  await waitFor(() => expect(screen.queryByText("not saved yet")).toBeNull());
});

test("[B9][S2] who is no administrator sees the caps and changes none", () => {
  render(page("member", pool));
  const caps = within(screen.getByRole("region", { name: "Caps" }));
  expect(caps.getByText("Only an administrator changes these.")).toBeTruthy();
  expect(caps.getByText("20")).toBeTruthy();
  expect(caps.queryByRole("textbox")).toBeNull();
});
