import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Project, ProjectDiskUse } from "@/server/contract/projects";
import { contract } from "@/server/contract/router";
import { forgetServerTime } from "../live/clock";
import { LiveProvider } from "../live/live-provider";
import { General } from "./general";
import { SetupScript } from "./setup-script";

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
  hold: null,
  createdAt: "2026-01-01T12:00:00.000Z",
};

let shown = project;
let disk: ProjectDiskUse = { diskUse: null, isMeasuring: false };

beforeEach(() => {
  forgetServerTime();
  sent.length = 0;
  shown = project;
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.url.endsWith("/disk-use")) return Response.json(disk);
    if (request.method === "GET") return Response.json({ ...shown, note: null, cutOff: null, path: "/data/clones/p" });
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

test("[B10][R14] the room that worktrees and a clone take is shown with its age; what is unknown says so", async () => {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
  shown = { ...project, repository: "https://example.test/shop.git" };
  const figures = { worktrees: 7, worktreesBytes: 1_200_000_000, repositoryBytes: 340_000_000, measuredAt: ago(125) };
  for (const [answer, text] of [
    [{ diskUse: figures, isMeasuring: true }, "1.2 GB in 7 worktrees · 340.0 MB in the clone · measured 2 min ago"],
    [
      { diskUse: { ...figures, worktrees: 1, repositoryBytes: null, measuredAt: ago(5) }, isMeasuring: false },
      "1.2 GB in 1 worktree · measured just now",
    ],
    [{ diskUse: null, isMeasuring: true }, "Being measured…"],
    [{ diskUse: null, isMeasuring: false }, "Could not be measured."],
  ] as const) {
    disk = answer;
    show();
    const line = (await screen.findByText("On the disk")).nextElementSibling;
    expect(line?.textContent).toBe(text);
    cleanup();
  }
});

test("[S2][B10][W2] a member reads that only owners change the settings, and what a setup script leaves in the commit", () => {
  show("member");
  expect(screen.getByText("Only owners change this")).toBeTruthy();
  for (const field of screen.getAllByRole("textbox")) expect(field.closest("fieldset[disabled]")).not.toBeNull();
  cleanup();
  render(
    <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
      <SetupScript project={{ ...shown, role: "member" }} />
    </LiveProvider>,
  );
  expect(screen.getByText("Only owners change this")).toBeTruthy();
  expect(screen.getByRole("textbox").hasAttribute("disabled")).toBe(true);
  const hint = document.getElementById(screen.getByRole("textbox").getAttribute("aria-describedby") ?? "");
  expect(hint?.textContent).toBe("Files it makes are committed with the agent’s work unless git ignores them.");
  cleanup();
  show();
  expect(screen.queryByText("Only owners change this")).toBeNull();
});

test("[W1] a new address that is looked at says so and can be given up; what was typed stays", async () => {
  const asked: Request[] = [];
  vi.stubGlobal("fetch", (request: Request) => {
    if (request.url.endsWith("/disk-use")) return Promise.resolve(Response.json(disk));
    if (request.method === "GET") return Promise.resolve(Response.json({ ...shown, note: null, path: "/data/p" }));
    asked.push(request);
    return new Promise((_, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason));
    });
  });
  shown = { ...project, repository: "https://example.test/a.git" };
  show();
  fill("Repository", "https://example.test/b.git");
  const button = screen.getByRole("button", { name: "Save" });
  fireEvent.click(button);
  await waitFor(() => expect(asked).toHaveLength(1));
  const told = () => screen.getAllByRole("status").map(({ textContent }) => textContent);
  expect(told()).toContainEqual(expect.stringMatching(/^Looking at the repository… \d:\d\d$/));
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(button.getAttribute("aria-disabled")).toBeNull());
  expect(asked[0]?.signal.aborted).toBe(true);
  expect(document.activeElement).toBe(button);
  expect(screen.getByLabelText("Repository")).toHaveProperty("value", "https://example.test/b.git");
  expect(screen.queryByRole("button", { name: "Cancel" })).toBeNull();
});
