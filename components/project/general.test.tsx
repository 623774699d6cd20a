import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Project } from "@/server/contract/projects";
import { contract } from "@/server/contract/router";
import { LiveProvider } from "../live/live-provider";
import { General } from "./general";

const sent: unknown[] = [];
const UNKNOWN = "There is no branch “dvelop” in this repository. There are: main, develop.";
const project: Project = {
  id: "p",
  name: "Shop",
  repository: "/srv/shop",
  baseBranch: "main",
  role: "owner",
  longestRunSeconds: 7_200,
  quietNoticeSeconds: 90,
  setupScript: null,
  hasGitHub: false,
  createdAt: "2026-01-01T12:00:00.000Z",
};

let shown = project;

beforeEach(() => {
  sent.length = 0;
  shown = project;
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "GET") return Response.json({ ...shown, note: null, path: "/data/clones/p" });
    const body = (await request.json()) as { baseBranch: string };
    sent.push(body);
    const isKnown = body.baseBranch !== "dvelop";
    const answer = isKnown ? project : { code: "BAD_REQUEST", message: UNKNOWN };
    return new Response(JSON.stringify(answer), {
      status: isKnown ? 200 : 400,
      headers: { "content-type": "application/json" },
    });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(role: Project["role"] = "owner") {
  render(
    <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
      <General project={{ ...shown, role }} />
    </LiveProvider>,
  );
}

function fill(label: string, value: string) {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

test("[B10][R9] the base branch and both limits can be changed, in minutes", async () => {
  show();
  expect(screen.getByLabelText<HTMLInputElement>("Quiet notice, in minutes").value).toBe("1.5");
  expect(screen.getByRole("button", { name: "Save" }).hasAttribute("disabled")).toBe(true);
  fill("Base branch", "develop");
  fill("Longest run, in minutes", "30");
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({ name: "Shop", baseBranch: "develop", longestRunSeconds: 1_800, quietNoticeSeconds: 90 });
});

test("[B10] what the server says of an unknown branch stands in the form until it is changed", async () => {
  show();
  fill("Base branch", "dvelop");
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText(UNKNOWN)).toBeTruthy();
  fill("Base branch", "develop");
  expect(screen.queryByText(UNKNOWN)).toBeNull();
});

test("[W1] an owner enters a clone's address with another login, and is told where the clone lies", async () => {
  shown = { ...project, repository: "https://example.test/shop.git" };
  show();
  expect(await screen.findByText("/data/clones/p")).toBeTruthy();
  fill("Repository", "https://me:new@example.test/shop.git");
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ name: "Shop", repository: "https://me:new@example.test/shop.git" });
});

test("[R9] a limit that is none is told beside it and not sent", () => {
  show();
  fill("Longest run, in minutes", "99999999");
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(screen.getByText("A number up to 10080.")).toBeTruthy();
  expect(sent).toEqual([]);
});

test("[S2] members see the settings and change none", () => {
  show("member");
  expect(screen.getByRole("group").hasAttribute("disabled")).toBe(true);
  expect(screen.queryByRole("button")).toBeNull();
});
