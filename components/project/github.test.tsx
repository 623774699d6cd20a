import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Project } from "@/server/contract/projects";
import type { ProjectGitHubView } from "@/server/contract/pull-requests";
import { contract } from "@/server/contract/router";
import { LiveProvider } from "../live/live-provider";
import { GitHub } from "./github";

const AT = "2026-01-01T12:00:00.000Z";
const project: Project = {
  id: "p",
  name: "Shop",
  repository: "https://github.com/acme/shop.git",
  baseBranch: "main",
  role: "owner",
  longestRunSeconds: 7_200,
  quietNoticeSeconds: 90,
  setupScript: null,
  hasGitHub: true,
  hold: null,
  createdAt: AT,
};
const SET: ProjectGitHubView = {
  isSet: true,
  isLost: false,
  apiUrl: null,
  repository: "acme/shop",
  changedAt: AT,
  issueLabel: "camelot",
  issuesReadAt: null,
  issuesProblem: null,
};
const NO_RIGHT = "The project’s token has not the right for this in acme/shop on GitHub.";

let set: ProjectGitHubView;
let pressed: { readonly status: number; readonly body: unknown };
const sent: unknown[] = [];

beforeEach(() => {
  sent.length = 0;
  set = SET;
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "GET") return Response.json(set);
    if (request.method === "POST") return Response.json(pressed.body, { status: pressed.status });
    sent.push(await request.json());
    return Response.json(set);
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(role: Project["role"] = "owner") {
  render(
    <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
      <GitHub project={{ ...project, role }} />
    </LiveProvider>,
  );
}

const press = async () => fireEvent.click(await screen.findByRole("button", { name: "Bring in issues now" }));

test.each([
  [0, "Nothing new."],
  [1, "1 issue came in."],
  [3, "3 issues came in."],
])("[W4] a press that brings in %i issues says so, to a member too", async (count, sentence) => {
  pressed = { status: 200, body: { count, isAll: true } };
  show("member");
  await press();
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe(sentence));
  expect(screen.queryByLabelText("Label of issues")).toBeNull();
});

test("[W4] what stood in the way of the last look is said, and what stands in the way of a press", async () => {
  set = {
    ...SET,
    issuesReadAt: AT,
    issuesProblem: "GitHub has trouble at the moment (502). Nothing was lost; try again.",
  };
  pressed = { status: 409, body: { code: "ISSUES_REFUSED", reason: "no-right", message: NO_RIGHT } };
  show();
  expect(await screen.findByText(/GitHub has trouble at the moment/)).toBeDefined();
  await press();
  expect(await screen.findByText(NO_RIGHT)).toBeDefined();
});

test("[W4] a label is saved, and an empty one is none; without one nothing is there to press", async () => {
  set = { ...SET, issueLabel: null };
  show();
  const label = await screen.findByLabelText<HTMLInputElement>("Label of issues");
  expect(screen.queryByRole("button", { name: "Bring in issues now" })).toBeNull();
  const save = screen.getByRole("button", { name: "Save" });
  expect(save.hasAttribute("disabled")).toBe(true);
  fireEvent.change(label, { target: { value: " ready for agents " } });
  fireEvent.click(save);
  await waitFor(() => expect(sent).toEqual([{ apiUrl: null, issueLabel: "ready for agents" }]));
  cleanup();
  set = SET;
  show();
  fireEvent.change(await screen.findByLabelText("Label of issues"), { target: { value: " " } });
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent[1]).toEqual({ apiUrl: null, issueLabel: null }));
});

test("[W4][B5] what is typed stays while another owner changes the token, and what nobody typed over is shown as it is now", async () => {
  pressed = { status: 200, body: { count: 0, isAll: true } };
  show();
  const field = async (label: string) => (await screen.findByLabelText<HTMLInputElement>(label)) as HTMLInputElement;
  fireEvent.change(await field("Token"), { target: { value: "github_pat_half" } });
  fireEvent.change(await field("Label of issues"), { target: { value: "agents" } });
  set = {
    ...SET,
    apiUrl: "https://github.example.org/api/v3",
    changedAt: "2026-01-01T12:05:00.000Z",
    issueLabel: "bot",
  };
  fireEvent.click(screen.getByRole("button", { name: "Bring in issues now" }));
  await waitFor(async () => expect((await field("Address of the API")).value).toBe(set.apiUrl));
  expect((await field("Token")).value).toBe("github_pat_half");
  expect((await field("Label of issues")).value).toBe("agents");
});
