import { QueryClientContext } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useContext } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Project } from "@/server/contract/projects";
import { contract } from "@/server/contract/router";
import { samplePool } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { FirstStop } from "./first-stop";
import { projectsKey } from "./use-projects";

const replace = vi.hoisted(() => vi.fn());
const search = vi.hoisted(() => ({ text: "" }));
vi.mock("next/navigation", () => ({
  useRouter: () => ({ push: () => {}, replace }),
  useParams: () => ({}),
  useSearchParams: () => new URLSearchParams(search.text),
}));

const me = {
  id: "nora",
  name: "Nora",
  email: "n@example.test",
  role: "member",
  running: 0,
  queued: 0,
  max: 2,
} as const;
const shop: Project = {
  id: "p",
  name: "Shop",
  repository: "/srv/shop",
  baseBranch: "main",
  role: "member",
  longestRunSeconds: 7_200,
  quietNoticeSeconds: 300,
  setupScript: null,
  hasGitHub: false,
  hold: null,
  createdAt: "2026-01-01T12:00:00.000Z",
};
const ADMIN = { ...me, id: "olga", name: "Olga", email: null, role: "admin", active: true };
let mine: Project[] = [];
let madeLater: (() => void) | null = null;

beforeEach(() => {
  mine = [];
  madeLater = null;
  vi.stubGlobal("fetch", async (request: Request) => {
    const isMaking = request.method === "POST";
    if (isMaking) await new Promise<void>((done) => (madeLater = done));
    if (request.url.includes("/users")) return Response.json({ items: [ADMIN], next: null });
    return new Response(JSON.stringify(isMaking ? shop : { items: mine, next: null }), {
      headers: { "content-type": "application/json" },
    });
  });
});
afterEach(() => {
  cleanup();
  search.text = "";
  globalThis.history.replaceState(null, "", "/");
  replace.mockClear();
  vi.unstubAllGlobals();
});

let toldOfAccess: () => Promise<unknown> = async () => {};
/** What the live channel does when one may see other projects. */
function Channel() {
  const cache = useContext(QueryClientContext);
  toldOfAccess = async () => cache?.invalidateQueries({ queryKey: projectsKey });
  return null;
}

function show(projects: Project[] = [], role: "member" | "admin" = "member") {
  render(
    <LiveProvider
      isSignedIn={false}
      first={{ me: { ...me, role }, projects, pool: samplePool() }}
      moment={0}
      routes={contract}
    >
      <FirstStop />
      <Channel />
    </LiveProvider>,
  );
}

test("[B11] whoever is let into a project while reading the guide is told, and stays where they are", async () => {
  show();
  expect(screen.getByText("From nothing to a running agent")).toBeTruthy();
  mine = [shop];
  await act(toldOfAccess);
  expect((await screen.findByRole("link", { name: "Go to its board" })).getAttribute("href")).toBe("/projects/p");
  expect(replace).not.toHaveBeenCalled();
});

test("[B11] one's own new project is no such news", async () => {
  show();
  fireEvent.click(screen.getByRole("button", { name: /Make it and continue/ }));
  await vi.waitFor(() => expect(madeLater).not.toBeNull());
  mine = [shop];
  await act(toldOfAccess);
  expect(screen.queryByRole("link", { name: "Go to its board" })).toBeNull();
  await act(async () => madeLater?.());
  expect(await screen.findByText("What shall be done?")).toBeTruthy();
});

test("[B11] a reload while the first task is being written goes on there, and does not leave the guide", async () => {
  show();
  fireEvent.click(screen.getByRole("button", { name: /Make it and continue/ }));
  await vi.waitFor(() => expect(madeLater).not.toBeNull());
  mine = [shop];
  await act(async () => madeLater?.());
  expect(await screen.findByText("What shall be done?")).toBeTruthy();
  search.text = globalThis.location.search;
  expect(search.text).toBe("?guided=p");
  cleanup();
  show([shop]);
  expect(screen.getByText("What shall be done?")).toBeTruthy();
  expect(replace).not.toHaveBeenCalled();
});

test("[B11] somebody else's project in the address is no guide", async () => {
  search.text = "?guided=foreign";
  show([shop]);
  expect(screen.queryByText("What shall be done?")).toBeNull();
  expect(replace).toHaveBeenCalledWith("/projects/p");
});

test("[B11][S2] whoever was invited and is in no project reads who can add them, and may make one of their own", async () => {
  show();
  const who = screen.getByText(/You are in no project yet/);
  await vi.waitFor(() => expect(who.textContent).toContain("ask whoever invited you, or an administrator (Olga)"));
  expect(screen.getByRole("button", { name: /Make it and continue/ })).toBeTruthy();
  mine = [shop];
  await act(toldOfAccess);
  await screen.findByRole("link", { name: "Go to its board" });
  expect(screen.queryByText(/You are in no project yet/)).toBeNull();
  cleanup();
  show([], "admin");
  expect(screen.queryByText(/You are in no project yet/)).toBeNull();
});
