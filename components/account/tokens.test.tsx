import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { LiveProvider } from "../live/live-provider";
import { questionSlot } from "../ui/ask";
import { AskView } from "../ui/ask-view";
import { Tokens } from "./tokens";

const SECRET = "camelot_of-forty-three-letters";
const sent: string[] = [];
let tokens: object[];

beforeEach(() => {
  sent.length = 0;
  tokens = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    const body = request.method === "POST" ? await request.text() : "";
    sent.push([request.method, pathname, body].filter(Boolean).join(" "));
    return new Response(JSON.stringify(answerTo(request.method, body)), {
      headers: { "content-type": "application/json" },
    });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function answerTo(method: string, body: string): object {
  if (method === "GET") return { items: tokens, next: null };
  if (method === "DELETE") {
    tokens = [];
    return { id: "t1" };
  }
  const made = { ...JSON.parse(body), id: "t1", createdAt: "2026-01-01T12:00:00.000Z", lastUsedAt: null };
  tokens = [made];
  return { ...made, token: SECRET };
}

test("[S5][B10] a token is made with a name and a scope, shown once, and revoked after a question", async () => {
  render(
    <LiveProvider isSignedIn={false} first={null} moment={Date.parse("2026-01-01T12:00:00.000Z")} routes={contract}>
      <Tokens />
    </LiveProvider>,
  );
  await screen.findByText(/Authorization: Bearer/);
  const make = screen.getByRole("button", { name: "Make a token" });
  expect((make as HTMLButtonElement).disabled).toBe(true);
  fireEvent.change(screen.getByLabelText("Name of the token"), { target: { value: "Nightly" } });
  screen.getByText("It can read, and change nothing.");
  fireEvent.change(screen.getByLabelText("Scope"), { target: { value: "dispatch" } });
  screen.getByText(/^Makes, changes, moves and deletes tasks, .* merges and pushes\. Nothing else\.$/);
  fireEvent.click(make);
  const shown = await screen.findByLabelText("Token Nightly");
  expect((shown as HTMLInputElement).value).toBe(SECRET);
  expect(sent).toContain('POST /api/v1/tokens {"name":"Nightly","scope":"dispatch"}');
  await screen.findByText("never used");

  fireEvent.click(screen.getByRole("button", { name: "Revoke Nightly" }));
  const question = await waitFor(() => {
    const open = questionSlot.held();
    if (open === null) throw new Error("nothing was asked");
    return open;
  });
  render(<AskView question={question} />);
  fireEvent.click(screen.getByRole("button", { name: "Revoke" }));
  await screen.findByText(/Authorization: Bearer/);
  expect(sent).toContain("DELETE /api/v1/tokens/t1");
});
