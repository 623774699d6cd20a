import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Project } from "@/server/contract/projects";
import { contract } from "@/server/contract/router";
import { samplePool } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { InvitationForMe, type OpenedInvitation } from "./invitation-for-me";
import { Invitations } from "./invitations";
import { InviteForm } from "./invite-form";

const me = { name: "Anna", email: "anna@example.com" };
const shop = { id: "p1", name: "Shop" };
const open = { kind: "open", email: null, invitedBy: "Olga", project: shop } as const;
const sent: string[] = [];
/** Links that are open. */
let openLinks: object[];
let answer: { status: number; body: object };

beforeEach(() => {
  sent.length = 0;
  openLinks = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET")
      return Response.json({ items: pathname.endsWith("/invitations") ? openLinks : [], next: null });
    sent.push([request.method, pathname, await request.text()].join(" "));
    return new Response(JSON.stringify(answer.body), {
      status: answer.status,
      headers: { "content-type": "application/json" },
    });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const at = "2026-01-01T12:00:00.000Z";
const limits = { longestRunSeconds: 7_200, quietNoticeSeconds: 90, setupScript: null, hasGitHub: false, hold: null };
const projectAs = (role: "owner" | "member", id: string, name: string): Project => {
  return { id, name, role, repository: "/srv/shop", baseBranch: "main", ...limits, createdAt: at };
};
const projects = [projectAs("owner", "p1", "Shop"), projectAs("member", "p2", "Shelf")];
const nora = {
  id: "nora",
  name: "Nora",
  email: "n@example.test",
  role: "admin",
  running: 0,
  queued: 0,
  max: 2,
} as const;

function show(what: React.ReactNode) {
  render(
    <LiveProvider isSignedIn={false} first={{ me: nora, projects, pool: samplePool() }} moment={0} routes={contract}>
      {what}
    </LiveProvider>,
  );
}

const showLink = (invitation: OpenedInvitation, mine: string[] = []) =>
  show(<InvitationForMe secret="s3cret" invitation={invitation} me={me} mine={mine} />);

test("[S4][B10] whoever is signed in joins with one press, and is taken to the project's board", async () => {
  answer = { status: 200, body: { projectId: "p1" } };
  const assign = vi.fn();
  vi.stubGlobal("location", { origin: "http://localhost", assign });
  showLink(open);
  expect(screen.getByRole("heading").textContent).toBe("Olga invites you to Shop");
  fireEvent.click(screen.getByRole("button", { name: "Join Shop" }));
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith("/projects/p1"));
  expect(sent).toEqual(['POST /api/v1/invitations/accept {"secret":"s3cret"}']);
});

test("[S4][B10] a link that was used in the meantime says so at the press", async () => {
  answer = { status: 404, body: { code: "NOT_FOUND", message: "This invitation is not valid." } };
  showLink({ ...open, email: "Anna@Example.com" });
  fireEvent.click(screen.getByRole("button", { name: "Join Shop" }));
  expect((await screen.findByText("This invitation is not valid.")).closest("[role=alert]")).not.toBeNull();
});

test.each([
  ["for another address", { ...open, email: "ben@example.com" }, [], "This invitation is for ben@example.com"],
  ["not valid or cut off", { kind: "not-valid" } as const, [], "This invitation is not valid"],
  ["into no project", { ...open, project: null }, [], "You have an account already"],
  ["into one's own project", open, ["p1"], "You are a member of Shop already"],
  ["not known at the moment", { kind: "unknown" } as const, [], "This invitation cannot be looked up now"],
])("[S4][B10] a link that is %s says so, and offers nothing to press", (_what, invitation, mine, title) => {
  showLink(invitation, mine);
  expect(screen.getByRole("heading").textContent).toBe(title);
  expect(screen.queryByRole("button")).toBeNull();
});

const made = {
  id: "i",
  email: "ben@example.com",
  projectId: "p1",
  path: "/invitation/x",
  hasAccount: true,
  replaced: true,
};

test("[S4][B10] at inviting one reads that the address has an account, and that the link before is of no use", async () => {
  answer = { status: 201, body: made };
  show(<InviteForm projectId="p1" made={async () => {}} />);
  fireEvent.change(screen.getByLabelText(/Email address of the guest/), { target: { value: "ben@example.com" } });
  fireEvent.click(screen.getByRole("button", { name: "Make an invitation link" }));
  expect(await screen.findByText(/ben@example.com has an account here already: .* one press/)).toBeDefined();
  expect(screen.getByRole("status").textContent).toContain("made before for this address is of no use any more");
  expect(sent).toEqual(['POST /api/v1/invitations {"email":"ben@example.com","projectId":"p1"}']);
});

const MAKE = "Make an invitation link";

test("[S4][B10] pressed twice, at once or once the link is there, one link is made and it is the one that is shown", async () => {
  answer = { status: 201, body: { ...made, email: null } };
  show(<InviteForm projectId="p1" made={async () => {}} />);
  fireEvent.click(screen.getByRole("button", { name: MAKE }));
  fireEvent.click(screen.getByRole("button", { name: MAKE }));
  await screen.findByText(/is shown only now/);
  await vi.waitFor(() => expect(screen.getByRole("button", { name: MAKE }).hasAttribute("disabled")).toBe(false));
  fireEvent.click(screen.getByRole("button", { name: MAKE }));
  await new Promise((done) => setTimeout(done, 50));
  expect(sent).toHaveLength(1);
});

test("[S4][B10] a link that was refused can be asked for again at once", async () => {
  answer = { status: 409, body: { code: "CONFLICT", message: "Too many." } };
  show(<InviteForm projectId="p1" made={async () => {}} />);
  fireEvent.click(screen.getByRole("button", { name: MAKE }));
  await screen.findByText("Too many.");
  fireEvent.click(screen.getByRole("button", { name: MAKE }));
  await vi.waitFor(() => expect(sent).toHaveLength(2));
});

test("[S4][B10] on the people page one reads that a link adds to no project, and can choose one of one's own instead", async () => {
  answer = { status: 201, body: { ...made, email: null, hasAccount: false, replaced: false } };
  show(<Invitations />);
  expect(screen.getByText(/The link adds to no project: its guest starts alone/)).toBeDefined();
  const where = screen.getByRole("combobox", { name: "Where the link leads" });
  expect([...where.querySelectorAll("option")].map(({ textContent }) => textContent)).toEqual([
    "Into no project",
    "Into Shop",
  ]);
  fireEvent.change(where, { target: { value: "p1" } });
  expect(screen.getByText(/becomes a member of the project\. Whoever may dispatch may run code/)).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: MAKE }));
  await vi.waitFor(() => expect(sent).toEqual(['POST /api/v1/invitations {"projectId":"p1"}']));
});

test("[S4][B10] the list of links says where each leads", async () => {
  const link = { email: null, invitedBy: "nora", createdAt: at, expiresAt: at };
  openLinks = [
    { ...link, id: "a", projectId: null },
    { ...link, id: "b", projectId: "p1" },
    { ...link, id: "c", projectId: "left" },
  ];
  show(<Invitations />);
  expect(await screen.findAllByText(/^into /)).toHaveLength(3);
  const says = screen.getAllByRole("listitem").map((row) => row.querySelector(".faint")?.textContent?.split(" · ")[0]);
  expect(says).toEqual(["into no project", "into Shop", "into a project"]);
});
