import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { samplePool } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { questionSlot } from "../ui/ask";
import { menuSlot } from "../ui/menu";
import { PersonControls } from "./person-controls";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const counts = { running: 0, queued: 0, max: 2 };
const nora = { ...counts, id: "nora", name: "Nora", email: "nora@example.test", role: "admin" } as const;
const ben = { ...counts, id: "ben", name: "Ben", email: "ben@example.test", role: "member", active: true } as const;

test("[S1][B10] a new password is made after a question that says who is signed out, and is shown once", async () => {
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method !== "GET") sent.push(`${request.method} ${new URL(request.url).pathname}`);
    return Response.json(request.method === "GET" ? { items: [], next: null } : { password: "aNewOneOfTwentySigns" });
  });
  render(
    <LiveProvider
      isSignedIn={false}
      first={{ me: nora, projects: [], pool: samplePool() }}
      moment={0}
      routes={contract}
    >
      <PersonControls person={ben} />
    </LiveProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Change Ben" }));
  const entry = menuSlot.held()?.entries.find((one) => one.kind === "entry" && one.label === "New password…");
  if (entry?.kind !== "entry") throw new Error("a new password is not offered");
  act(() => {
    menuSlot.close();
    entry.run();
  });
  expect(questionSlot.held()?.text).toMatch(
    /every browser of theirs is signed out\. Their agents and API tokens go on\./,
  );
  expect(sent).toEqual([]);
  act(() => {
    questionSlot.held()?.answer(true);
    questionSlot.close();
  });
  expect(await screen.findByRole("dialog", { name: "The new password of Ben" })).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>("New password").value).toBe("aNewOneOfTwentySigns");
  expect(sent).toEqual(["POST /api/v1/users/ben/password"]);
  fireEvent.click(screen.getByRole("button", { name: "Done" }));
  expect(screen.queryByLabelText("New password")).toBeNull();
});
