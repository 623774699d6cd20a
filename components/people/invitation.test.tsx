import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { LiveProvider } from "../live/live-provider";
import { InvitationForMe, type OpenedInvitation } from "./invitation-for-me";
import { InviteForm } from "./invite-form";

const me = { name: "Anna", email: "anna@example.com" };
const shop = { id: "p1", name: "Shop" };
const open = { kind: "open", email: null, invitedBy: "Olga", project: shop } as const;
const sent: string[] = [];
let answer: { status: number; body: object };

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push([request.method, new URL(request.url).pathname, await request.text()].join(" "));
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

function show(what: React.ReactNode) {
  render(
    <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
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
