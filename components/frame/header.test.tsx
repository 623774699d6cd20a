import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { samplePool } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { type MenuEntry, menuSlot } from "../ui/menu";
import { rememberBoard } from "./board-cookie";
import { Header } from "./header";
import { LastBoard } from "./places";

const push = vi.hoisted(() => vi.fn());
vi.mock("next/navigation", () => ({
  useRouter: () => ({ push }),
  useParams: () => ({}),
  usePathname: () => "/people",
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
const project = (id: string, name: string) => ({
  id,
  name,
  repository: "/srv/shop",
  baseBranch: "main",
  role: "owner" as const,
  longestRunSeconds: 7_200,
  quietNoticeSeconds: 300,
  setupScript: null,
  hasGitHub: false,
  hold: null,
  createdAt: "2026-01-01T12:00:00.000Z",
});

beforeEach(() => {
  vi.stubGlobal("fetch", async () => new Response('{"items":[],"next":null}'));
});
afterEach(() => {
  cleanup();
  menuSlot.close();
  push.mockClear();
  vi.unstubAllGlobals();
});

function page(lastBoard: string | null) {
  const projects = [project("a", "Apples"), project("b", "Bees")];
  return (
    <LiveProvider isSignedIn={false} first={{ me, projects, pool: samplePool() }} moment={0} routes={contract}>
      <LastBoard value={lastBoard}>
        <Header />
      </LastBoard>
    </LiveProvider>
  );
}

test("[B11] the browser first draws the project the server drew, and then the one it remembers", async () => {
  rememberBoard("b");
  const box = document.createElement("div");
  document.body.append(box);
  box.innerHTML = renderToString(page(null));
  expect(box.textContent).toContain("Apples");
  const mistakes: unknown[] = [];
  const root = await act(async () =>
    hydrateRoot(box, page(null), { onRecoverableError: (error) => mistakes.push(error) }),
  );
  expect(mistakes).toEqual([]);
  expect(box.textContent).toContain("Bees");
  await act(async () => root.unmount());
  box.remove();
});

test("[B11] a remembered board is drawn by the server already", () => {
  expect(renderToString(page("b"))).toContain("Bees");
});

test("[B11] a tab stays with the project it was last in, whatever another tab opened since", () => {
  rememberBoard("b");
  // biome-ignore lint/suspicious/noDocumentCookie: as another tab writes it
  document.cookie = "camelot-board=a; path=/";
  render(page("a"));
  expect(screen.getByRole("button", { name: "Project: Bees" })).toBeTruthy();
});

test("[B10] every place can be reached, in the row and in the menu of narrow screens", () => {
  render(page("b"));
  const row = screen.getByRole("navigation", { name: "Main" });
  expect([...row.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual([
    "/projects/b",
    "/pool",
    "/agents",
    "/people",
  ]);
  expect(screen.getByRole("link", { name: "People" }).getAttribute("aria-current")).toBe("page");
  fireEvent.click(screen.getByRole("button", { name: "Go to" }));
  const entries: readonly MenuEntry[] = menuSlot.held()?.entries ?? [];
  expect(entries.map((entry) => (entry.kind === "entry" ? entry.label : "-"))).toEqual([
    "Board",
    "Pool",
    "Agents",
    "People",
    "Settings",
  ]);
  for (const entry of entries) if (entry.kind === "entry") entry.run();
  expect(push.mock.calls.map(([href]) => href)).toEqual(["/projects/b", "/pool", "/agents", "/people", "/settings"]);
});
